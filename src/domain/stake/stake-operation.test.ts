import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, address, createNoopSigner, type Instruction } from '@solana/kit';
import * as stake from '@solana-program/stake';
import {
  CUSTODIAN,
  OWNER,
  STAKE_ADDRESS,
  STAKER,
  VOTE_ACCOUNT,
} from '../../../test/support/stake-account-examples.ts';
import { NO_LOCKUP } from './stake-account.ts';
import { readStakeOperation, touchedBy } from './stake-operation.ts';

const signer = createNoopSigner(OWNER);
const account = STAKE_ADDRESS;
const other = CUSTODIAN;

const read = ({ accounts = [], data }: Instruction) =>
  readStakeOperation(
    accounts.map((one) => one.address),
    new Uint8Array(data ?? []),
  );

const lockup = { unixTimestamp: 1n, epoch: 2n, custodian: other };

test('every instruction of the official client that changes a delegation, an authority or a lockup is decoded', () => {
  const cases: readonly [Instruction, unknown][] = [
    [
      stake.getInitializeInstruction({
        stake: account,
        arg0: { staker: STAKER, withdrawer: OWNER },
        arg1: lockup,
      }),
      { type: 'initialize', account, staker: STAKER, withdrawer: OWNER, lockup },
    ],
    [
      stake.getInitializeCheckedInstruction({
        stake: account,
        stakeAuthority: STAKER,
        withdrawAuthority: signer,
      }),
      { type: 'initialize', account, staker: STAKER, withdrawer: OWNER, lockup: NO_LOCKUP },
    ],
    [
      stake.getDelegateStakeInstruction({ stake: account, vote: VOTE_ACCOUNT, stakeAuthority: signer }),
      { type: 'delegate', account, voteAccount: VOTE_ACCOUNT },
    ],
    [
      stake.getDeactivateInstruction({ stake: account, stakeAuthority: signer }),
      { type: 'deactivate', account },
    ],
    [
      stake.getDeactivateDelinquentInstruction({
        stake: account,
        delinquentVote: VOTE_ACCOUNT,
        referenceVote: other,
      }),
      { type: 'deactivate', account },
    ],
    [
      stake.getWithdrawInstruction({ stake: account, recipient: OWNER, withdrawAuthority: signer, args: 7n }),
      { type: 'withdraw', account, recipient: OWNER },
    ],
    [
      stake.getSplitInstruction({ stake: account, splitStake: other, stakeAuthority: signer, args: 7n }),
      { type: 'split', account, into: other },
    ],
    [
      stake.getMergeInstruction({ destinationStake: account, sourceStake: other, stakeAuthority: signer }),
      { type: 'merge', account, from: other },
    ],
    [
      stake.getMoveStakeInstruction({
        sourceStake: account,
        destinationStake: other,
        stakeAuthority: signer,
        args: 7n,
      }),
      { type: 'moveStake', account, into: other },
    ],
    [
      stake.getSetLockupInstruction({ stake: account, authority: signer, ...lockup }),
      { type: 'setLockup', account, ...lockup },
    ],
    [
      stake.getSetLockupCheckedInstruction({
        stake: account,
        authority: signer,
        unixTimestamp: null,
        epoch: 9n,
      }),
      { type: 'setLockup', account, unixTimestamp: null, epoch: 9n, custodian: null },
    ],
    [
      stake.getAuthorizeInstruction({
        stake: account,
        authority: signer,
        arg0: STAKER,
        arg1: stake.StakeAuthorize.Withdrawer,
      }),
      { type: 'authorize', account, role: 'withdrawer', newAuthority: STAKER },
    ],
    [
      stake.getAuthorizeInstruction({
        stake: account,
        authority: signer,
        arg0: STAKER,
        arg1: stake.StakeAuthorize.Staker,
      }),
      { type: 'authorize', account, role: 'staker', newAuthority: STAKER },
    ],
    [
      stake.getAuthorizeCheckedInstruction({
        stake: account,
        authority: signer,
        newAuthority: createNoopSigner(STAKER),
        stakeAuthorize: stake.StakeAuthorize.Withdrawer,
      }),
      { type: 'authorize', account, role: 'withdrawer', newAuthority: STAKER },
    ],
  ];
  for (const [instruction, expected] of cases) assert.deepEqual(read(instruction), expected);
});

test('a new authority derived from a seed is decoded like any other', () => {
  const seed = { authoritySeed: 'seed', authorityOwner: other };
  const bySeed = (stakeAuthorize: stake.StakeAuthorize) => [
    stake.getAuthorizeWithSeedInstruction({
      stake: account,
      base: signer,
      newAuthorizedPubkey: STAKER,
      stakeAuthorize,
      ...seed,
    }),
    stake.getAuthorizeCheckedWithSeedInstruction({
      stake: account,
      base: signer,
      newAuthority: createNoopSigner(STAKER),
      stakeAuthorize,
      ...seed,
    }),
  ];
  for (const instruction of bySeed(stake.StakeAuthorize.Withdrawer))
    assert.deepEqual(read(instruction), {
      type: 'authorize',
      account,
      role: 'withdrawer',
      newAuthority: STAKER,
    });
  for (const instruction of bySeed(stake.StakeAuthorize.Staker))
    assert.deepEqual(read(instruction), { type: 'authorize', account, role: 'staker', newAuthority: STAKER });
});

test('data that is truncated anywhere within the fields that the program reads is ignored', () => {
  const whole: readonly (readonly [Instruction, number])[] = [
    [
      stake.getInitializeInstruction({
        stake: account,
        arg0: { staker: STAKER, withdrawer: OWNER },
        arg1: lockup,
      }),
      116,
    ],
    [
      stake.getAuthorizeInstruction({
        stake: account,
        authority: signer,
        arg0: STAKER,
        arg1: stake.StakeAuthorize.Withdrawer,
      }),
      40,
    ],
    [
      stake.getAuthorizeCheckedInstruction({
        stake: account,
        authority: signer,
        newAuthority: createNoopSigner(STAKER),
        stakeAuthorize: stake.StakeAuthorize.Withdrawer,
      }),
      8,
    ],
    // Two optional eight-byte values, each after a presence byte, and an absent custodian.
    [
      stake.getSetLockupInstruction({
        stake: account,
        authority: signer,
        unixTimestamp: -9n,
        epoch: 2n,
        custodian: null,
      }),
      23,
    ],
  ];
  for (const [instruction, needed] of whole) {
    const data = new Uint8Array(instruction.data ?? []);
    assert.ok(read({ ...instruction, data: data.subarray(0, needed) }), 'whole');
    for (let length = 0; length < needed; length += 1)
      assert.equal(read({ ...instruction, data: data.subarray(0, length) }), null, `${length} of ${needed}`);
  }
});

test('a lockup may be set to a time before 1970, and its time or epoch may be left unchanged', () => {
  const set = (unixTimestamp: bigint | null, epoch: bigint | null) =>
    read(
      stake.getSetLockupInstruction({
        stake: account,
        authority: signer,
        unixTimestamp,
        epoch,
        custodian: null,
      }),
    );
  for (const [unixTimestamp, epoch] of [
    [-9n, 2n ** 64n - 1n],
    [null, 2n ** 64n - 1n],
    [-9n, null],
    [null, null],
  ] as const)
    assert.deepEqual(set(unixTimestamp, epoch), {
      type: 'setLockup',
      account,
      unixTimestamp,
      epoch,
      custodian: null,
    });
});

test('an instruction with a missing account is ignored', () => {
  for (const number of [2, 3, 7, 16])
    assert.equal(readStakeOperation([account], new Uint8Array([number, 0, 0, 0])), null, String(number));
  const withdrawer = new Uint8Array([9, 0, 0, 0, 1, 0, 0, 0]);
  for (const number of [9, 10, 11]) {
    withdrawer[0] = number;
    assert.equal(readStakeOperation([account, other], withdrawer), null, String(number));
  }
});

test('instructions that change no delegation, authority or lockup are ignored, as are invalid bytes', () => {
  const lamports = stake.getMoveLamportsInstruction({
    sourceStake: account,
    destinationStake: other,
    stakeAuthority: signer,
    args: 7n,
  });
  for (const instruction of [lamports, stake.getGetMinimumDelegationInstruction()])
    assert.equal(read(instruction), null);
  for (let number = 0; number < 20; number += 1)
    for (const length of [0, 3, 4, 8]) {
      const data = new Uint8Array(length).fill(number, 0, 1);
      assert.doesNotThrow(() => readStakeOperation([], data));
      assert.doesNotThrow(() => readStakeOperation([account], data));
    }
  assert.equal(readStakeOperation([], new Uint8Array([5, 0, 0, 0])), null);
  assert.equal(readStakeOperation([account], new Uint8Array([2, 0, 0, 0])), null);
  assert.equal(readStakeOperation([account], new Uint8Array([0, 0, 0, 0])), null);
});

test('a split, merge or move touches both accounts', () => {
  const into = address(other) as Address;
  assert.deepEqual(touchedBy({ type: 'split', account, into }), [account, into]);
  assert.deepEqual(touchedBy({ type: 'moveStake', account, into }), [account, into]);
  assert.deepEqual(touchedBy({ type: 'merge', account, from: into }), [account, into]);
  assert.deepEqual(touchedBy({ type: 'deactivate', account }), [account]);
});
