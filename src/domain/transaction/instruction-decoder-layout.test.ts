// Every field of a stake instruction is read from its own bytes, and data that is off by a byte or an account
// is never decoded as that instruction.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import {
  Authorized,
  Lockup,
  PublicKey,
  StakeAuthorizationLayout,
  StakeProgram,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM, STAKE_PROGRAM } from '../instruction-programs.ts';
import type { RawInstruction } from '../instruction-types.ts';
import { decodeInstruction } from './instruction-decoder.ts';

// Keys whose bytes all differ, so reading at a wrong offset yields another address.
const key = (tag: number) => new PublicKey(Uint8Array.from({ length: 32 }, (_, i) => tag * 32 + i));
const [first, second, third, fourth] = [key(1), key(2), key(3), key(4)] as const;
const named = (publicKey: PublicKey) => publicKey.toBase58() as Address;

/** Decodes an instruction built by the legacy client, an independent implementation. */
const rawOf = ({ programId, keys, data }: TransactionInstruction): RawInstruction<Address> => ({
  programId: named(programId),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: named(pubkey),
    signer: isSigner,
    writable: isWritable,
  })),
  data,
});

/** Builds an instruction with a number, lamports and three accounts. */
const moved = (number: number): RawInstruction<Address> => {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(number);
  data.writeBigUInt64LE(BigInt(LAMPORTS), 4);
  const accounts = [first, third, second].map((one, index) => ({
    address: named(one),
    signer: index === 2,
    writable: index < 2,
  }));
  return { programId: STAKE_PROGRAM, accounts, data };
};

const LAMPORTS = 0x0102_0304_0506_07;
const built: Readonly<Record<string, RawInstruction<Address>>> = {
  createAccount: rawOf(
    SystemProgram.createAccount({
      fromPubkey: first,
      newAccountPubkey: second,
      lamports: LAMPORTS,
      space: 200,
      programId: third,
    }),
  ),
  transfer: rawOf(SystemProgram.transfer({ fromPubkey: first, toPubkey: second, lamports: LAMPORTS })),
  advanceNonceAccount: rawOf(SystemProgram.nonceAdvance({ noncePubkey: first, authorizedPubkey: second })),
  initialize: rawOf(
    StakeProgram.initialize({
      stakePubkey: first,
      authorized: new Authorized(second, third),
      lockup: new Lockup(0x1234_5678, 0x0a0b_0c0d, fourth),
    }),
  ),
  delegateStake: rawOf(
    StakeProgram.delegate({ stakePubkey: first, authorizedPubkey: second, votePubkey: third })
      .instructions[0]!,
  ),
  withdraw: rawOf(
    StakeProgram.withdraw({
      stakePubkey: first,
      authorizedPubkey: second,
      toPubkey: third,
      lamports: LAMPORTS,
      custodianPubkey: fourth,
    }).instructions[0]!,
  ),
  deactivate: rawOf(
    StakeProgram.deactivate({ stakePubkey: first, authorizedPubkey: second }).instructions[0]!,
  ),
  split: rawOf(
    StakeProgram.split(
      { stakePubkey: first, authorizedPubkey: second, splitStakePubkey: third, lamports: LAMPORTS },
      0,
    ).instructions.at(-1)!,
  ),
  merge: rawOf(
    StakeProgram.merge({ stakePubkey: first, sourceStakePubKey: third, authorizedPubkey: second })
      .instructions[0]!,
  ),
  authorize: rawOf(
    StakeProgram.authorize({
      stakePubkey: first,
      authorizedPubkey: second,
      newAuthorizedPubkey: third,
      stakeAuthorizationType: StakeAuthorizationLayout.Staker,
      custodianPubkey: fourth,
    }).instructions[0]!,
  ),
  // The legacy client predates these two instructions.
  moveStake: moved(16),
  moveLamports: moved(17),
};
/** Number of additional accounts to remove, because custodians are optional and sysvars do not count. */
const OPTIONAL: Readonly<Record<string, number>> = { withdraw: 1, authorize: 2 };

const rolesOf = (name: string) => decodeInstruction(built[name]!).accounts.map(({ role }) => role);

describe('fields', () => {
  test('of a new account', () => {
    assert.deepEqual(decodeInstruction(built.createAccount!).data, {
      type: 'system.createAccount',
      from: named(first),
      newAccount: named(second),
      lamports: BigInt(LAMPORTS),
      space: 200n,
      owner: named(third),
    });
    assert.deepEqual(rolesOf('createAccount'), ['funding account', 'new account']);
  });

  test('of an initialization, including its lockup', () => {
    assert.deepEqual(decodeInstruction(built.initialize!).data, {
      type: 'stake.initialize',
      stakeAccount: named(first),
      staker: named(second),
      withdrawer: named(third),
      lockup: { unixTimestamp: 0x1234_5678n, epoch: 0x0a0b_0c0dn, custodian: named(fourth) },
    });
    assert.deepEqual(rolesOf('initialize'), ['stake account', 'rent sysvar']);
  });

  test('of a delegation in its older form, with three sysvars in between', () => {
    assert.deepEqual(decodeInstruction(built.delegateStake!).data, {
      type: 'stake.delegateStake',
      stakeAccount: named(first),
      voteAccount: named(third),
      stakeAuthority: named(second),
    });
    assert.deepEqual(rolesOf('delegateStake'), [
      'stake account',
      'vote account',
      'clock sysvar',
      'stake history sysvar',
      'stake config',
      'stake authority',
    ]);
  });

  for (const name of ['split', 'moveStake', 'moveLamports'])
    test(`of a ${name}: source, target and amount`, () => {
      assert.deepEqual(decodeInstruction(built[name]!).data, {
        type: `stake.${name}`,
        stakeAccount: named(first),
        into: named(third),
        stakeAuthority: named(second),
        lamports: BigInt(LAMPORTS),
      });
      assert.deepEqual(rolesOf(name), ['stake account', 'receiving stake account', 'stake authority']);
    });

  test('of a merge in its older form, with two sysvars in between', () => {
    assert.deepEqual(decodeInstruction(built.merge!).data, {
      type: 'stake.merge',
      stakeAccount: named(first),
      from: named(third),
      stakeAuthority: named(second),
    });
    assert.deepEqual(rolesOf('merge'), [
      'stake account',
      'merged stake account',
      'clock sysvar',
      'stake history sysvar',
      'stake authority',
    ]);
  });

  test('of a new authority, including its role', () => {
    const fields = {
      type: 'stake.authorize',
      stakeAccount: named(first),
      authority: named(second),
      custodian: named(fourth),
      newAuthority: named(third),
    };
    const { data } = built.authorize!;
    const withRole = (role: number) =>
      decodeInstruction({ ...built.authorize!, data: Uint8Array.of(...data.subarray(0, 36), role, 0, 0, 0) });
    assert.deepEqual(withRole(0).data, { ...fields, role: 'staker' });
    assert.deepEqual(withRole(1).data, { ...fields, role: 'withdrawer' });
    assert.equal(withRole(2).data.type, 'other');
  });

  test('of transfers and nonces, with a role for every account', () => {
    assert.deepEqual(rolesOf('transfer'), ['sender', 'recipient']);
    assert.deepEqual(rolesOf('advanceNonceAccount'), [
      'nonce account',
      'recent blockhashes sysvar',
      'nonce authority',
    ]);
    assert.deepEqual(
      rolesOf('withdraw').filter((role) => !role.includes('sysvar')),
      ['stake account', 'recipient', 'withdraw authority', 'lockup custodian'],
    );
  });
});

describe('off by one', () => {
  for (const [name, raw] of Object.entries(built)) {
    const typeOf = (changed: Partial<RawInstruction<Address>>) =>
      decodeInstruction({ ...raw, ...changed }).data.type;

    test(`${name} with a byte or an account too many or too few is unknown`, () => {
      const outsider = { address: named(key(5)), signer: false, writable: false };
      assert.match(typeOf({}), new RegExp(`\\.${name}$`));
      assert.equal(typeOf({ data: Uint8Array.of(...raw.data, 0) }), 'other');
      assert.equal(typeOf({ data: raw.data.subarray(0, -1) }), 'other');
      assert.equal(typeOf({ accounts: [...raw.accounts, outsider] }), 'other');
      assert.equal(typeOf({ accounts: raw.accounts.slice(1 + (OPTIONAL[name] ?? 0)) }), 'other');
    });

    test(`${name} is not decoded from a different instruction number`, () => {
      for (let number = 0; number < 20; number += 1) {
        const type = typeOf({ data: Uint8Array.of(number, ...raw.data.subarray(1)) });
        assert.equal(type.endsWith(`.${name}`), number === raw.data[0], `${number} was decoded as ${type}`);
      }
    });
  }

  test('heap and size settings one byte too short are unknown', () => {
    for (const number of [1, 4]) {
      const nameOf = (length: number) =>
        decodeInstruction({
          programId: COMPUTE_BUDGET_PROGRAM,
          accounts: [],
          data: Uint8Array.of(number, 0, 0, 0, 0).subarray(0, length),
        }).name;
      assert.notEqual(nameOf(5), 'unknown');
      assert.equal(nameOf(4), 'unknown');
    }
  });

  test('an instruction without data or of an unknown program is not decoded', () => {
    const nameOf = (programId: Address, ...data: number[]) =>
      decodeInstruction({ programId, accounts: [], data: Uint8Array.from(data) }).name;
    assert.equal(nameOf(COMPUTE_BUDGET_PROGRAM), 'unknown');
    assert.equal(nameOf(LIGHTHOUSE_PROGRAM), 'unknown');
    assert.equal(nameOf(named(first), 5, 0, 0, 0), 'unknown');
    assert.equal(nameOf(STAKE_PROGRAM, 200, 0, 0, 0), 'unknown');
  });
});
