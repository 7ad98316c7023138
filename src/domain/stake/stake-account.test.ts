import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, getAddressEncoder } from '@solana/kit';
import { getStakeStateAccountEncoder } from '@solana-program/stake';
import {
  CUSTODIAN,
  NOBODY,
  OWNER,
  STAKE_ADDRESS,
  STAKER,
  VOTE_ACCOUNT,
} from '../../../test/support/stake-account-examples.ts';
import { STAKE_PROGRAM } from '../instruction-programs.ts';
import { decodeStakeAccount, EPOCH_ABSENT, lockupInForce, shownLockup } from './stake-account.ts';

const meta = {
  rentExemptReserve: 2_282_880n,
  authorized: { staker: STAKER, withdrawer: OWNER },
  lockup: { unixTimestamp: -5n, epoch: 7n, custodian: CUSTODIAN },
};

const delegatedBytes = (): Uint8Array => {
  const bytes = getStakeStateAccountEncoder().encode({
    state: {
      __kind: 'Stake',
      fields: [
        meta,
        {
          delegation: {
            voterPubkey: VOTE_ACCOUNT,
            stake: 12_345_678_901n,
            activationEpoch: 700n,
            deactivationEpoch: EPOCH_ABSENT,
            reserved: [0, 0, 0, 0, 0, 0, 0, 0],
          },
          creditsObserved: 987_654_321n,
        },
        { bits: 0 },
      ],
    },
  });
  const padded = new Uint8Array(200);
  padded.set(bytes);
  return padded;
};

const read = (data: Uint8Array, owner: Address = STAKE_PROGRAM) =>
  decodeStakeAccount({ address: STAKE_ADDRESS, owner, lamports: 42n, data });

test('a delegated account is decoded exactly as an independent encoder wrote it', () => {
  assert.deepEqual(read(delegatedBytes()), {
    address: STAKE_ADDRESS,
    lamports: 42n,
    kind: 'delegated',
    stakeAuthority: STAKER,
    withdrawAuthority: OWNER,
    lockup: { unixTimestamp: -5n, epoch: 7n, custodian: CUSTODIAN },
    delegation: {
      voteAccount: VOTE_ACCOUNT,
      stakeLamports: 12_345_678_901n,
      activationEpoch: 700n,
      deactivationEpoch: EPOCH_ABSENT,
      creditsObserved: 987_654_321n,
    },
  });
});

test('an account is decoded correctly at any offset of a larger buffer', () => {
  const larger = new Uint8Array(333);
  larger.fill(7);
  larger.set(delegatedBytes(), 101);
  assert.deepEqual(read(larger.subarray(101, 301)), read(delegatedBytes()));
});

test('stale delegation bytes after tag 1 are ignored', () => {
  const bytes = delegatedBytes();
  new DataView(bytes.buffer).setUint32(0, 1, true);
  const account = read(bytes);
  assert.equal(account?.kind, 'initialized');
  assert.equal(account?.delegation, null);
  assert.equal(account?.withdrawAuthority, OWNER);
});

test('a key that holds both authorities is decoded as one address', () => {
  const bytes = delegatedBytes();
  bytes.copyWithin(12, 44, 76);
  const account = read(bytes);
  assert.equal(account?.stakeAuthority, OWNER);
  assert.equal(account?.withdrawAuthority, OWNER);
});

test('authorities that differ in any single byte are distinct', () => {
  for (let at = 12; at < 44; at += 1) {
    const bytes = delegatedBytes();
    bytes.copyWithin(12, 44, 76);
    bytes[at] = bytes[at]! ^ 1;
    const account = read(bytes);
    assert.equal(account?.withdrawAuthority, OWNER, `byte ${at}`);
    assert.deepEqual(
      new Uint8Array(getAddressEncoder().encode(account!.stakeAuthority)),
      bytes.slice(12, 44),
      `byte ${at}`,
    );
  }
});

test('a deactivation epoch is decoded like any other number', () => {
  const bytes = delegatedBytes();
  new DataView(bytes.buffer).setBigUint64(172, 701n, true);
  assert.equal(read(bytes)?.delegation?.deactivationEpoch, 701n);
});

test('an account of another program, of a wrong size, with tag 0 or 3 or without data is not a stake account', () => {
  assert.equal(read(delegatedBytes(), NOBODY), null);
  assert.equal(read(delegatedBytes().subarray(0, 199)), null);
  assert.equal(read(new Uint8Array(201)), null);
  assert.equal(read(new Uint8Array(0)), null);
  for (const tag of [0, 3, 4, 2 ** 16 + 2, 2 ** 32 - 1]) {
    const bytes = delegatedBytes();
    new DataView(bytes.buffer).setUint32(0, tag, true);
    assert.equal(read(bytes), null, `tag ${tag}`);
  }
});

test('a lockup is in force until both its date and its epoch have passed, and zero means no lockup', () => {
  const lockup = { unixTimestamp: 1_000n, epoch: 50n, custodian: CUSTODIAN };
  assert.equal(lockupInForce(lockup, 49n, 2_000n), true);
  assert.equal(lockupInForce(lockup, 50n, 999n), true);
  assert.equal(lockupInForce(lockup, 50n, 1_000n), false);
  assert.equal(lockupInForce({ unixTimestamp: 0n, epoch: 0n, custodian: NOBODY }, 0n, 0n), false);
});

test('a lockup is returned as whole numbers that JSON can represent, even if an outsider made it very large', () => {
  assert.equal(shownLockup({ unixTimestamp: 0n, epoch: 0n, custodian: CUSTODIAN }), null);
  assert.deepEqual(shownLockup({ unixTimestamp: -3n, epoch: 900n, custodian: CUSTODIAN }), {
    custodian: CUSTODIAN,
    unixTimestamp: -3,
    epoch: 900,
  });
  for (const [unixTimestamp, epoch] of [
    [0n, 7n],
    [7n, 0n],
  ] as const)
    assert.deepEqual(shownLockup({ unixTimestamp, epoch, custodian: CUSTODIAN }), {
      custodian: CUSTODIAN,
      unixTimestamp: Number(unixTimestamp),
      epoch: Number(epoch),
    });
  const shown = shownLockup({ unixTimestamp: -(2n ** 63n), epoch: 2n ** 64n - 1n, custodian: CUSTODIAN });
  assert.equal(shown?.epoch, Number.MAX_SAFE_INTEGER);
  assert.equal(shown?.unixTimestamp, -Number.MAX_SAFE_INTEGER);
});
