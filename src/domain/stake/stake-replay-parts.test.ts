// The effects of splits, merges, moved stake, lockups and other validators on an account's history, and the
// cases in which they are unknown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import {
  CUSTODIAN,
  delegatedStake,
  initializedStake,
  NOBODY,
  OWNER,
  SOL,
  STAKE_ADDRESS,
  STAKER,
  steadyHistory,
  VOTE_ACCOUNT,
} from '../../../test/support/stake-account-examples.ts';
import { factsOfPeriod } from './detect-stake-events.ts';
import { EPOCH_ABSENT, type Lockup } from './stake-account.ts';
import type { StakeOperation } from './stake-operation.ts';
import { type AccountStep, type ReplayInput, replayPeriods, stateAfterHistory } from './stake-replay.ts';

const account = STAKE_ADDRESS;
const parent = CUSTODIAN;
const anotherVote = NOBODY as Address;
const NO_LOCKUP = { unixTimestamp: 0n, epoch: 0n, custodian: NOBODY as Address };

/** Builds steps with one slot each, starting at slot 40 of their epoch. */
const stepsOf = (
  ...steps: readonly (readonly [epoch: bigint, ...StakeOperation[]])[]
): readonly AccountStep[] =>
  steps.map(([epoch, ...operations], index) => {
    const slot = epoch * 100n + 40n + BigInt(index);
    return { slot, epoch, seconds: slot, operations, lamportsAfter: 5n * SOL };
  });

const replay = (input: Partial<ReplayInput>) =>
  replayPeriods({
    address: account,
    voteAccount: VOTE_ACCOUNT,
    assumedWithdrawer: OWNER,
    start: null,
    delegatedEpoch: null,
    isWhole: true,
    steps: [],
    end: null,
    history: steadyHistory(0n, 20n),
    ...input,
  });
const periodsOf = (input: Partial<ReplayInput>) => {
  const replayed = replay(input);
  assert.ok(replayed.ok, replayed.ok ? '' : replayed.reason);
  return replayed.periods;
};

const split: StakeOperation = { type: 'split', account: parent, into: account };
const delegate: StakeOperation = { type: 'delegate', account, voteAccount: VOTE_ACCOUNT };
const deactivate: StakeOperation = { type: 'deactivate', account };
const made: StakeOperation = {
  type: 'initialize',
  account,
  staker: OWNER,
  withdrawer: OWNER,
  lockup: NO_LOCKUP,
};
const closed: StakeOperation = { type: 'withdraw', account, recipient: OWNER };
const fromParent = (
  activationEpoch: bigint,
  voteAccount = VOTE_ACCOUNT,
  deactivationEpoch = EPOCH_ABSENT,
) => ({
  exists: true,
  staker: null,
  withdrawer: STAKER,
  lockup: null as Lockup | null,
  delegation: { voteAccount, activationEpoch, deactivationEpoch },
});

describe('a part split off a stake', () => {
  test('has the epochs of the current account and was never delegated itself', () => {
    const steps = stepsOf([12n, split]);
    const [period, ...more] = periodsOf({ steps, end: delegatedStake() });
    assert.equal(more.length, 0);
    assert.equal(period?.activationEpoch, 10n);
    assert.equal(period?.delegated, false);
    assert.deepEqual([period?.since?.slot, period?.since?.epoch, period?.until], [1_240n, 12n, null]);
    assert.equal(periodsOf({ steps, end: delegatedStake(), isWhole: false })[0]?.delegated, null);
  });

  test('belongs to the account’s withdraw authority, not to the one assumed so far', () => {
    const end = delegatedStake({ withdrawAuthority: STAKER, delegation: { deactivationEpoch: 14n } });
    const [period] = periodsOf({ steps: stepsOf([12n, split]), end });
    assert.equal(period?.withdrawer, STAKER);
    assert.deepEqual(period?.deactivations, [{ epoch: 14n, slot: 1_240n, seconds: 1_240n }]);
    assert.equal(period?.lamports, end.lamports);
  });

  test('has an unknown past once it is closed, unless its source account was read', () => {
    const steps = stepsOf([12n, split], [13n, deactivate], [15n, closed]).map((step, index) =>
      index === 2 ? { ...step, lamportsAfter: 0n } : step,
    );
    assert.deepEqual(replay({ steps }), { ok: false, reason: 'unknownSource' });
    const lockup = { unixTimestamp: 7n, epoch: 8n, custodian: CUSTODIAN };
    const sourceStates = new Map([[split, { ...fromParent(10n), lockup }]]);
    const [period] = periodsOf({ steps, sourceStates });
    assert.equal(period?.activationEpoch, 10n);
    assert.equal(period?.withdrawer, STAKER);
    assert.deepEqual(period?.lockup, lockup);
    assert.deepEqual(period?.deactivations, [{ epoch: 13n, slot: 1_341n, seconds: 1_341n }]);
    assert.equal(period?.until?.slot, 1_542n);
  });

  test('has no period if it was split off another validator’s stake or off an undelegated account', () => {
    const steps = stepsOf([12n, split]);
    const elsewhere = delegatedStake({ delegation: { voteAccount: anotherVote } });
    assert.deepEqual(periodsOf({ steps, end: elsewhere }), []);
    const sourceStates = new Map([[split, fromParent(10n, anotherVote)]]);
    assert.deepEqual(
      periodsOf({ steps, sourceStates, end: { ...elsewhere, withdrawAuthority: STAKER } }),
      [],
    );
    const undelegated = new Map([[split, { ...fromParent(10n), delegation: null }]]);
    const end = initializedStake({ withdrawAuthority: STAKER });
    assert.deepEqual(periodsOf({ steps, sourceStates: undelegated, end }), []);
  });

  test('is unchanged by a split that takes stake out of it', () => {
    const away: StakeOperation = { type: 'split', account, into: parent };
    const start = delegatedStake();
    const [period, ...more] = periodsOf({
      start,
      steps: stepsOf([12n, away]),
      end: start,
      delegatedEpoch: 10n,
    });
    assert.equal(more.length, 0);
    assert.deepEqual([period?.since, period?.until, period?.delegated], [null, null, true]);
  });

  test('is unchanged if the slot of its split is read twice', () => {
    const start = delegatedStake();
    const periods = periodsOf({ start, steps: stepsOf([12n, split]), end: start, delegatedEpoch: 10n });
    assert.deepEqual(
      periods.map(({ activationEpoch, since, until }) => [activationEpoch, since, until]),
      [[10n, null, null]],
    );
  });
});

const movedIn: StakeOperation = { type: 'moveStake', account: parent, into: account };

describe('merges and moved stake', () => {
  test('a merge ends the period of the source account but not that of the destination account', () => {
    const start = delegatedStake();
    const steps = stepsOf([12n, { type: 'merge', account: parent, from: account }]);
    const [ended] = periodsOf({ start, steps });
    assert.equal(ended?.until?.slot, 1_240n);
    const [goesOn] = periodsOf({
      start,
      steps: stepsOf([12n, { type: 'merge', account, from: parent }]),
      end: start,
    });
    assert.equal(goesOn?.until, null);
  });

  test('an account that was merged into another, active or still activating, does not count as deactivated', () => {
    const steps = stepsOf([12n, { type: 'merge', account: parent, from: account }]);
    const now = { epoch: 14n, seconds: 0n, history: steadyHistory(0n, 20n) };
    for (const activationEpoch of [10n, 12n]) {
      const start = delegatedStake({ delegation: { activationEpoch } });
      const facts = periodsOf({ start, steps, delegatedEpoch: activationEpoch }).flatMap((period) =>
        factsOfPeriod(account, period, now),
      );
      assert.deepEqual(
        facts.map(({ type }) => type),
        activationEpoch === 10n ? ['stake_activated'] : [],
      );
    }
  });

  test('an account that was merged into another after an undo in the slot of its last read does not count as activated again', () => {
    const undone: StakeOperation = { type: 'delegate', account, voteAccount: VOTE_ACCOUNT };
    const steps = stepsOf([12n, undone], [13n, { type: 'merge', account: parent, from: account }]);
    const periods = periodsOf({ start: delegatedStake(), steps });
    assert.deepEqual(
      periods.map(({ activationEpoch, until }) => [activationEpoch, until?.epoch]),
      [[10n, 13n]],
    );
  });

  test('the period of an account ends when its entire stake is moved away', () => {
    const start = delegatedStake();
    const steps = stepsOf([12n, { type: 'moveStake', account, into: parent }]);
    const [emptied] = periodsOf({ start, steps, end: initializedStake() });
    assert.equal(emptied?.until?.slot, 1_240n);
    const [some] = periodsOf({ start, steps, end: start });
    assert.equal(some?.until, null);
  });

  test('a new delegation proves that all earlier stake had been moved away, so that stake does not count as deactivated', () => {
    const moveAway: StakeOperation = { type: 'moveStake', account, into: parent };
    const steps = stepsOf([10n, made, delegate], [12n, moveAway], [12n, delegate], [12n, deactivate, closed]);
    const gone = steps.map((step, index) => (index === 3 ? { ...step, lamportsAfter: 0n } : step));
    assert.deepEqual(
      periodsOf({ steps: gone }).map(({ activationEpoch, deactivations }) => [
        activationEpoch,
        deactivations.map(({ epoch }) => epoch),
      ]),
      [
        [10n, []],
        [12n, []],
      ],
    );
  });

  test('stake moved into an account keeps its epochs only if the account held no stake', () => {
    const steps = stepsOf([12n, movedIn]);
    const sourceStates = new Map([[movedIn, fromParent(9n)]]);
    const end = delegatedStake({ delegation: { activationEpoch: 9n } });
    const [period] = periodsOf({ start: initializedStake(), steps, sourceStates, end });
    assert.deepEqual([period?.activationEpoch, period?.since?.slot], [9n, 1_240n]);
    // The account keeps its own authorities.
    assert.equal(period?.withdrawer, OWNER);
    const own = delegatedStake();
    const [goesOn, ...more] = periodsOf({ start: own, steps, sourceStates, end: own });
    assert.equal(more.length, 0);
    assert.equal(goesOn?.activationEpoch, 10n);
  });

  test('stake moved into an inactive account starts a new period and does not count as an undone deactivation', () => {
    const start = delegatedStake({ delegation: { deactivationEpoch: 11n } });
    const steps = stepsOf([14n, movedIn]);
    const sourceStates = new Map([[movedIn, fromParent(10n)]]);
    const periods = periodsOf({ start, steps, sourceStates, end: delegatedStake() });
    assert.deepEqual(
      periods.map(({ since, until }) => [since?.slot ?? null, until?.slot ?? null]),
      [
        [null, 1_440n],
        [1_440n, null],
      ],
    );
    assert.deepEqual(
      periods.map(({ deactivations }) => deactivations.map(({ epoch }) => epoch)),
      [[11n], []],
    );
  });
});

test('if an inactive account received stake and was deactivated again immediately, both deactivations are recorded', () => {
  const start = delegatedStake({ delegation: { deactivationEpoch: 11n } });
  const steps = stepsOf([14n, movedIn, deactivate]);
  const sourceStates = new Map([[movedIn, fromParent(10n)]]);
  const end = delegatedStake({ delegation: { deactivationEpoch: 14n } });
  const periods = periodsOf({ start, steps, sourceStates, end });
  assert.deepEqual(
    periods.map(({ deactivations, until }) => [deactivations.map(({ epoch }) => epoch), until?.epoch]),
    [
      [[11n], 14n],
      [[14n], undefined],
    ],
  );
});

describe('validators and lockups', () => {
  test('a delegation to another validator ends our period, and a delegation back to us starts a new one', () => {
    const elsewhere: StakeOperation = { type: 'delegate', account, voteAccount: anotherVote };
    const start = delegatedStake({ delegation: { deactivationEpoch: 11n } });
    const steps = stepsOf([13n, elsewhere], [14n, deactivate], [16n, delegate]);
    const end = delegatedStake({ delegation: { activationEpoch: 16n } });
    const replayed = replay({ start, steps, end, delegatedEpoch: 10n });
    assert.ok(replayed.ok);
    assert.deepEqual(
      replayed.periods.map(({ activationEpoch, since, until }) => [
        activationEpoch,
        since?.slot,
        until?.slot,
      ]),
      [
        [10n, undefined, 1_340n],
        [16n, 1_642n, undefined],
      ],
    );
    assert.equal(replayed.delegatedEpoch, 16n);
    assert.deepEqual(
      replay({ start, steps, end: { ...end, delegation: { ...end.delegation!, voteAccount: anotherVote } } }),
      {
        ok: false,
        reason: 'differs',
      },
    );
  });

  test('a lockup can be set in parts, and its slot is kept for determining readiness', () => {
    const lock = (unixTimestamp: bigint | null, epoch: bigint | null): StakeOperation => ({
      type: 'setLockup',
      account,
      unixTimestamp,
      epoch,
      custodian: null,
    });
    const steps = stepsOf(
      [12n, made, delegate],
      [13n, lock(5n, null)],
      [14n, lock(null, 6n)],
      [15n, deactivate],
    );
    const gone = [...steps, { ...steps[3]!, slot: 1_700n, epoch: 17n, operations: [], lamportsAfter: 0n }];
    const [period] = periodsOf({ steps: gone });
    assert.deepEqual(period?.lockup, { unixTimestamp: 5n, epoch: 6n, custodian: NOBODY });
    assert.equal(period?.lockupSlot, 1_442n);
    assert.equal(period?.delegated, true);
    const delegation = { activationEpoch: 12n, deactivationEpoch: 15n };
    const lockup = { unixTimestamp: 5n, epoch: 6n, custodian: NOBODY as Address };
    assert.deepEqual(periodsOf({ steps, end: delegatedStake({ lockup, delegation }) })[0]?.lockup, lockup);
    const another = delegatedStake({ lockup: { ...lockup, epoch: 99n }, delegation });
    assert.deepEqual(
      replay({ steps, end: another }),
      { ok: false, reason: 'differs' },
      'a lockup that no operation explains means that the history is still incomplete',
    );
  });
});

describe('the last known delegation of an account', () => {
  const whole = {
    address: account,
    voteAccount: VOTE_ACCOUNT,
    assumedWithdrawer: OWNER,
    history: steadyHistory(0n, 20n),
  };

  test('has the account’s own epochs, or is null', () => {
    const steps = stepsOf([12n, made, delegate], [14n, deactivate]);
    assert.deepEqual(stateAfterHistory({ ...whole, steps }), {
      exists: true,
      staker: OWNER,
      withdrawer: OWNER,
      lockup: NO_LOCKUP,
      delegation: { voteAccount: VOTE_ACCOUNT, activationEpoch: 12n, deactivationEpoch: 14n },
    });
    assert.equal(stateAfterHistory({ ...whole, steps: stepsOf([12n, made]) })?.delegation, null);
  });

  test('is unknown if its epochs come from another account, and null if all stake was moved away', () => {
    assert.equal(stateAfterHistory({ ...whole, steps: stepsOf([12n, split]) }), null);
    const sourceStates = new Map([[split, fromParent(10n)]]);
    assert.deepEqual(
      stateAfterHistory({ ...whole, steps: stepsOf([12n, split]), sourceStates }),
      fromParent(10n),
    );
    const steps = stepsOf([12n, made, delegate], [14n, { type: 'moveStake', account, into: parent }]);
    assert.equal(stateAfterHistory({ ...whole, steps })?.delegation?.activationEpoch, 12n);
    assert.equal(
      stateAfterHistory({ ...whole, steps, emptying: new Set(steps[1]!.operations) })?.delegation,
      null,
    );
  });
});
