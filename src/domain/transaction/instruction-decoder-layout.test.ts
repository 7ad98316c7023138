// Every field of the instructions that stakes are made of is read from its own bytes, and nothing a byte or an account off is taken for one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import {
  Authorized,
  Lockup,
  PublicKey,
  StakeProgram,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { decodeInstruction } from './instruction-decoder.ts';
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM, STAKE_PROGRAM } from './instruction-programs.ts';
import type { RawInstruction } from './instruction-types.ts';

// Keys whose bytes all differ, so that a read from a neighbouring byte gives another address.
const key = (tag: number) => new PublicKey(Uint8Array.from({ length: 32 }, (_, i) => tag * 32 + i));
const [first, second, third, fourth] = [key(1), key(2), key(3), key(4)] as const;
const named = (publicKey: PublicKey) => publicKey.toBase58() as Address;

/** What the legacy client, an independent implementation, builds. */
const rawOf = ({ programId, keys, data }: TransactionInstruction): RawInstruction<Address> => ({
  programId: named(programId),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: named(pubkey),
    signer: isSigner,
    writable: isWritable,
  })),
  data,
});

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
};

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

  test('of an initialization, its lockup included', () => {
    assert.deepEqual(decodeInstruction(built.initialize!).data, {
      type: 'stake.initialize',
      stakeAccount: named(first),
      staker: named(second),
      withdrawer: named(third),
      lockup: { unixTimestamp: 0x1234_5678n, epoch: 0x0a0b_0c0dn, custodian: named(fourth) },
    });
    assert.deepEqual(rolesOf('initialize'), ['stake account', 'rent sysvar']);
  });

  test('of a delegation in its older form, with three sysvars between', () => {
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

  test('of transfers and nonces every account has its role', () => {
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

describe('one off', () => {
  for (const [name, raw] of Object.entries(built)) {
    const typeOf = (changed: Partial<RawInstruction<Address>>) =>
      decodeInstruction({ ...raw, ...changed }).data.type;

    test(`${name} with a byte more or less, or an account more or less, is nothing known`, () => {
      const outsider = { address: named(key(5)), signer: false, writable: false };
      assert.match(typeOf({}), new RegExp(`\\.${name}$`));
      assert.equal(typeOf({ data: Uint8Array.of(...raw.data, 0) }), 'other');
      assert.equal(typeOf({ data: raw.data.subarray(0, -1) }), 'other');
      assert.equal(typeOf({ accounts: [...raw.accounts, outsider] }), 'other');
      // A withdrawal may lack one account, its custodian.
      assert.equal(typeOf({ accounts: raw.accounts.slice(name === 'withdraw' ? 2 : 1) }), 'other');
    });

    test(`${name} under another number is not ${name}`, () => {
      for (let number = 0; number < 20; number += 1) {
        const type = typeOf({ data: Uint8Array.of(number, ...raw.data.subarray(1)) });
        assert.equal(type.endsWith(`.${name}`), number === raw.data[0], `${number} reads as ${type}`);
      }
    });
  }

  test('heap and size settings shorter than they are by one byte are unknown', () => {
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

  test('without data, or of a program nobody knows, nothing is claimed', () => {
    const nameOf = (programId: Address, ...data: number[]) =>
      decodeInstruction({ programId, accounts: [], data: Uint8Array.from(data) }).name;
    assert.equal(nameOf(COMPUTE_BUDGET_PROGRAM), 'unknown');
    assert.equal(nameOf(LIGHTHOUSE_PROGRAM), 'unknown');
    assert.equal(nameOf(named(first), 5, 0, 0, 0), 'unknown');
    assert.equal(nameOf(STAKE_PROGRAM, 200, 0, 0, 0), 'unknown');
  });
});
