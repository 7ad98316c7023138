// Decoding describes the effect that the program has, and never mistakes invalid data for a real instruction.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import {
  ComputeBudgetProgram,
  PublicKey,
  StakeProgram,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { encodeBase58 } from '../../kernel/base58.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAMS,
  PROGRAM_NAMES,
  STAKE_PROGRAM,
  STAKE_SYSVARS,
  SYSTEM_PROGRAM,
} from '../instruction-programs.ts';
import { decodeInstruction } from './instruction-decoder.ts';
import { type BudgetFacts, networkFeeLamports, priorityFeeLamports } from './instruction-fees.ts';

const feeOf = (instructions: BudgetFacts['instructions'], headerLamports?: bigint): bigint =>
  priorityFeeLamports({
    instructions,
    headerBudget:
      headerLamports === undefined
        ? null
        : {
            priorityFeeLamports: headerLamports,
            computeUnitLimit: 0,
            loadedAccountsDataBytes: 0,
            heapBytes: 32_768,
          },
  });
const totalOf = (signatures: number, instructions: BudgetFacts['instructions']): bigint =>
  networkFeeLamports({ instructions, requiredSigners: Array<Address>(signatures).fill('a' as Address) });

const key = (tag: number) => new PublicKey(new Uint8Array(32).fill(tag));
const [first, second, third] = [key(1), key(2), key(3)] as const;
const named = (publicKey: PublicKey) => publicKey.toBase58() as Address;

/** Decodes an instruction built by the legacy client, an independent implementation. */
const decodeLegacy = (instruction: TransactionInstruction) =>
  decodeInstruction({
    programId: named(instruction.programId),
    accounts: instruction.keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: named(pubkey),
      signer: isSigner,
      writable: isWritable,
    })),
    data: instruction.data,
  });

describe('instructions built by an independent client', () => {
  test('system transfer', () => {
    const { name, data, program } = decodeLegacy(
      SystemProgram.transfer({ fromPubkey: first, toPubkey: second, lamports: 12_345 }),
    );
    assert.deepEqual([program, name], ['System', 'transfer']);
    assert.deepEqual(data, {
      type: 'system.transfer',
      from: named(first),
      to: named(second),
      lamports: 12_345n,
    });
  });

  test('nonce advance', () => {
    const { data } = decodeLegacy(
      SystemProgram.nonceAdvance({ noncePubkey: first, authorizedPubkey: second }),
    );
    assert.deepEqual(data, {
      type: 'system.advanceNonceAccount',
      nonceAccount: named(first),
      nonceAuthority: named(second),
    });
  });

  test('stake deactivate, with the sysvar between account and authority', () => {
    const instruction = StakeProgram.deactivate({ stakePubkey: first, authorizedPubkey: second })
      .instructions[0]!;
    const { data, accounts } = decodeLegacy(instruction);
    assert.deepEqual(data, {
      type: 'stake.deactivate',
      stakeAccount: named(first),
      stakeAuthority: named(second),
    });
    assert.deepEqual(
      accounts.map(({ role }) => role),
      ['stake account', 'clock sysvar', 'stake authority'],
    );
  });

  test('stake withdraw, with and without custodian', () => {
    const params = { stakePubkey: first, authorizedPubkey: second, toPubkey: third, lamports: 9 };
    const fields = {
      type: 'stake.withdraw',
      stakeAccount: named(first),
      recipient: named(third),
      withdrawAuthority: named(second),
      lamports: 9n,
    };
    assert.deepEqual(decodeLegacy(StakeProgram.withdraw(params).instructions[0]!).data, {
      ...fields,
      custodian: null,
    });
    const locked = StakeProgram.withdraw({ ...params, custodianPubkey: key(4) }).instructions[0]!;
    assert.deepEqual(decodeLegacy(locked).data, { ...fields, custodian: named(key(4)) });
  });

  test('stake instructions that we never build are only decoded by name', () => {
    const deactivate = StakeProgram.deactivate({ stakePubkey: first, authorizedPubkey: third })
      .instructions[0]!;
    deactivate.data.writeUInt32LE(14);
    const { name, data, summary } = decodeLegacy(deactivate);
    assert.deepEqual(
      [name, data, summary],
      ['deactivateDelinquent', { type: 'other' }, 'Runs deactivateDelinquent of program Stake.'],
    );
  });

  test('compute unit limit and price', () => {
    const limit = decodeLegacy(ComputeBudgetProgram.setComputeUnitLimit({ units: 30_000 }));
    const price = decodeLegacy(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_500_001 }));
    assert.deepEqual(limit.data, { type: 'computeBudget.setComputeUnitLimit', units: 30_000 });
    assert.deepEqual(price.data, { type: 'computeBudget.setComputeUnitPrice', microLamports: 1_500_001n });
    assert.equal(feeOf([limit, price]), 45_001n, 'rounded up');
    assert.equal(totalOf(2, [limit, price]), 55_001n);
    assert.equal(feeOf([price]), 300_001n, 'an upper bound of 200,000 units each');
    assert.equal(feeOf([price], 4n), 4n, 'a price in the header is exact');
    assert.equal(feeOf([limit]), 0n, 'no price, no fee');
    const most = decodeLegacy(ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_001 }));
    const lamportAUnit = decodeLegacy(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }));
    assert.equal(feeOf([most, lamportAUnit]), 1_400_000n, 'no limit exceeds 1,400,000');
    const eight = Array.from({ length: 7 }, () => limit);
    assert.equal(
      feeOf([lamportAUnit, ...eight.map((one) => ({ ...one, data: { type: 'other' as const } }))]),
      1_400_000n,
      'not even for many instructions',
    );
  });

  test('compute budget data with extra bytes is decoded as the runtime decodes it, and truncated data is unknown', () => {
    const budget = (...data: number[]) =>
      decodeInstruction({ programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.from(data) });
    const limit = budget(2, 64, 66, 15, 0, 9);
    const price = budget(3, 128, 150, 152, 0, 0, 0, 0, 0, 0);
    assert.equal(feeOf([limit, price]), 10_000_000n, '1,000,000 units at 10 lamports');
    assert.deepEqual(
      [budget(1, 0, 0, 0, 0, 0), budget(4, 0, 0, 0, 0, 0)].map(({ name }) => name),
      ['requestHeapFrame', 'setLoadedAccountsDataSizeLimit'],
    );
    for (const data of [[], [0], [1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0, 0], [4], [5, 0, 0, 0, 0]])
      assert.deepEqual([budget(...data).name, budget(...data).data.type], ['unknown', 'other']);
  });
});

describe('odd data', () => {
  const accounts = [1, 2, 3].map((tag) => ({ address: named(key(tag)), signer: false, writable: true }));

  test('an instruction whose data is a byte too long or too short, or with a different number of accounts, is unknown', () => {
    const transfer = Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    const typeOf = (programId: Address, data: Uint8Array, count: number) =>
      decodeInstruction({ programId, accounts: accounts.slice(0, count), data }).data.type;
    assert.equal(typeOf(SYSTEM_PROGRAM, transfer, 2), 'system.transfer');
    assert.equal(typeOf(SYSTEM_PROGRAM, transfer, 3), 'other');
    assert.equal(typeOf(SYSTEM_PROGRAM, transfer.subarray(0, 11), 2), 'other');
    assert.equal(typeOf(SYSTEM_PROGRAM, Uint8Array.of(...transfer, 0), 2), 'other');
    assert.equal(typeOf(STAKE_PROGRAM, Uint8Array.of(5, 0, 0, 0), 2), 'stake.deactivate');
    assert.equal(typeOf(STAKE_PROGRAM, Uint8Array.of(5, 0, 0, 0), 3), 'other');
    assert.equal(typeOf(STAKE_PROGRAM, Uint8Array.of(5, 0, 0), 2), 'other');
  });

  test('a memo is compared by its exact bytes: a byte order mark is kept, and invalid UTF-8 is not text', () => {
    const textOf = (...data: number[]) =>
      decodeInstruction({ programId: MEMO_PROGRAM, accounts: [], data: Uint8Array.from(data) }).data;
    assert.deepEqual(textOf(0xef, 0xbb, 0xbf, 0x61), { type: 'memo', text: '\uFEFFa' });
    assert.deepEqual(textOf(0x61, 0xff), { type: 'memo', text: null });
  });

  test('a Lighthouse instruction counts as a guard only if it asserts', () => {
    const typeOf = (...data: number[]) =>
      decodeInstruction({ programId: LIGHTHOUSE_PROGRAM, accounts, data: Uint8Array.from(data) }).data.type;
    assert.deepEqual(
      [typeOf(), typeOf(0, 9), typeOf(1, 9), typeOf(2, 9), typeOf(17)],
      ['other', 'other', 'other', 'lighthouse.assertion', 'lighthouse.assertion'],
    );
  });

  test('any data can be decoded without an exception, and every instruction has a sentence and a role for each account', () => {
    const program = fc.constantFrom(
      SYSTEM_PROGRAM,
      STAKE_PROGRAM,
      COMPUTE_BUDGET_PROGRAM,
      LIGHTHOUSE_PROGRAM,
      ...MEMO_PROGRAMS,
      named(first),
    );
    const data = fc
      .tuple(fc.nat({ max: 20 }), fc.uint8Array({ maxLength: 120 }))
      .map(([number, rest]) => Uint8Array.of(number, 0, 0, 0, ...rest));
    const address = fc.constantFrom(null, named(first), named(second), ...STAKE_SYSVARS.keys());
    const account = fc.record({ address, signer: fc.boolean(), writable: fc.boolean() });
    fc.assert(
      fc.property(
        program,
        fc.oneof(data, fc.uint8Array({ maxLength: 4 })),
        fc.array(account, { maxLength: 8 }),
        (programId, bytes, some) => {
          const decoded = decodeInstruction({ programId, accounts: some, data: bytes });
          assert.match(decoded.summary, /^[A-Z].*\.$/s);
          assert.equal(decoded.accounts.length, some.length);
          assert.ok(decoded.accounts.every(({ role }) => role.length > 0));
          assert.equal(decoded.program, PROGRAM_NAMES.get(programId) ?? programId);
        },
      ),
      { seed: 3, numRuns: 3000 },
    );
  });
});

test('the addresses are the same as in other implementations', () => {
  assert.deepEqual(
    [SYSTEM_PROGRAM, STAKE_PROGRAM, COMPUTE_BUDGET_PROGRAM].map(String),
    [SystemProgram.programId, StakeProgram.programId, ComputeBudgetProgram.programId].map((id) =>
      id.toBase58(),
    ),
  );
  for (const address of [LIGHTHOUSE_PROGRAM, ...MEMO_PROGRAMS, ...STAKE_SYSVARS.keys()]) {
    assert.equal(encodeBase58(new PublicKey(address).toBytes()), address);
  }
});

test('signatures verified by a precompile cost as much as transaction signatures, and no sum exceeds 64 bits', () => {
  const of = (programId: string, ...data: number[]) =>
    decodeInstruction({ programId: programId as Address, accounts: [], data: Uint8Array.from(data) });
  const precompiles = [
    of('Ed25519SigVerify111111111111111111111111111', 1, 0),
    of('KeccakSecp256k11111111111111111111111111111', 1),
    of('Secp256r1SigVerify1111111111111111111111111', 1, 0),
  ];
  assert.equal(totalOf(1, precompiles), 20_000n);
  assert.equal(totalOf(1, [of('Ed25519SigVerify111111111111111111111111111')]), 5_000n);
  const dearest = of(COMPUTE_BUDGET_PROGRAM, 3, 255, 255, 255, 255, 255, 255, 255, 255);
  const limit = of(COMPUTE_BUDGET_PROGRAM, 2, 0xc0, 0x5c, 0x15, 0);
  assert.equal(feeOf([dearest, limit]), 2n ** 64n - 1n);
  assert.equal(totalOf(1, [dearest, limit]), 2n ** 64n - 1n);
});
