// Tests that the main figures of a portfolio are computed from the service's responses, and unknown figures are
// not made up.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import type { EpochReward } from '../../../../../client/generated/stake-operations.ts';
import { boundedTime } from '../../../text/epoch-boundary.ts';
import {
  type EarningAccount,
  earnedFigure,
  epochsToRead,
  measuredYieldFigure,
  nextPaymentFigure,
} from './first-line-words.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const TWO_DAYS = 172_800;
const timing: EpochTiming = {
  currentEpoch: 100,
  estimatedSecondsRemaining: 7_800,
  progressPct: 50,
  slotIndex: 216_000,
  slotsInEpoch: 432_000,
  slotsRemaining: 216_000,
  slotDurationMs: 400,
  epochRewardsActive: false,
  estimatedEpochEnd: '2026-11-24T14:10:00Z',
  earliestEpochEnd: '2026-11-24T13:55:00Z',
  latestEpochEnd: '2026-11-24T14:30:00Z',
};
const account = (more: Partial<EarningAccount> = {}): EarningAccount => ({
  address: 'a',
  role: 'owner',
  activationEpoch: 90,
  deactivationEpoch: null,
  activeSol: 100,
  activatingSol: 0,
  rentReserveSol: 0,
  estimatedDailyRewardSol: 0.02,
  ...more,
});
const reward = (epoch: number, more: Partial<EpochReward> = {}): EpochReward => ({
  epoch,
  paidAt: null,
  stakeAccountAddress: 'a',
  commissionPct: 0,
  unknownReason: null,
  inflationSol: 0.04,
  tipsSol: 0.01,
  balanceBeforeSol: 100,
  balanceAfterSol: 100.05,
  ...more,
});
const earned = (rewards: readonly EpochReward[], totals: object = {}, [fromEpoch, toEpoch] = [0, 99]) =>
  earnedFigure({
    rewards,
    fromEpoch: fromEpoch!,
    toEpoch: toEpoch!,
    totals: { inflationSol: 0.08, tipsSol: 0.02, unknownInflation: 0, unknownTips: 0, ...totals },
  });

it('the first line goes back as far as the oldest stake, in the same ranges as the rewards card', () => {
  const back = (activationEpoch: number | null) => epochsToRead([account({ activationEpoch })], 500);
  assert.deepEqual([null, 499, 470, 469, 300, 3].map(back), [30, 30, 30, 90, 200, 200]);
});

it('earnings are shown as a sum with its first epoch, and a missing part makes it a lower bound', () => {
  assert.deepEqual(earned([reward(91), reward(92)]), {
    value: '0.1 SOL',
    note: 'since epoch 91',
  });
  assert.match(earned([reward(91)], { unknownTips: 1 }).value, /^at least 0\.1 SOL$/);
  const small = { inflationSol: 0.000011, tipsSol: 0.000000093 };
  assert.equal(earned([reward(91)], small).value, '0.000011093 SOL', 'to the lamport, like the rewards card');
  assert.equal(earned([reward(91)], { inflationSol: null, tipsSol: null }).value, 'Unknown');
  assert.equal(earned([]).note, 'No rewards yet');
  const none = reward(90, { inflationSol: 0, tipsSol: 0 });
  assert.equal(earned([none, reward(91)]).note, 'since epoch 91', 'nothing was earned while activating');
  assert.equal(earned([none]).note, 'No rewards yet');
});

it('if the range may omit older payments, the text names the range instead of its first epoch', () => {
  const note = (from: number, to: number, epochs: readonly number[]) =>
    earned(
      epochs.map((epoch) => reward(epoch)),
      {},
      [from, to],
    ).note;
  assert.equal(note(808, 837, [808, 837]), 'in the last 30 epochs');
  assert.equal(note(808, 837, [837]), 'in the last 30 epochs', 'closed accounts may have earned before');
  assert.equal(note(808, 837, []), 'in the last 30 epochs');
  assert.equal(note(638, 837, [638, 837]), 'in the last 200 epochs');
  assert.equal(note(638, 837, [808, 837]), 'since epoch 808');
  assert.equal(
    earned([reward(808)], { unknownTips: 1 }, [808, 837]).note,
    'in the last 30 epochs, some figures unavailable',
  );
});

it('the measured yield is the payments divided by the stake, including epochs without payment', () => {
  const measured = (rewards: readonly EpochReward[], seconds: number | null = TWO_DAYS) =>
    measuredYieldFigure({ rewards }, [account()], seconds);
  // With epochs of two days, 0.04 % an epoch compounds to 7.57 % in 182.5 epochs, and 0.01 % of tips adds 1.825
  // %.
  assert.deepEqual(measured([reward(91), reward(92)]), { value: '9.40%', note: 'per year, over 2 epochs' });
  const missed = reward(92, { inflationSol: 0, tipsSol: 0, balanceBeforeSol: null, balanceAfterSol: null });
  const [half] = /[\d.]+/.exec(measured([reward(91), missed]).value)!;
  assert.ok(Math.abs(Number(half) - 4.63) < 0.03, half);
  assert.equal(measured([reward(91, { tipsSol: null })]).note, 'per year, over 1 epoch, excluding tips');
  assert.deepEqual(measured([reward(91)], null), { value: '0.0500%', note: 'per epoch, over 1 epoch' });
  assert.equal(measured([]).value, 'Unknown');
  const halfIsRent = measuredYieldFigure({ rewards: [reward(91)] }, [account({ rentReserveSol: 50 })], null);
  assert.match(halfIsRent.value, /^0\.1000%/, 'rent earns nothing');
  const after = reward(93, { inflationSol: 0, tipsSol: 0 });
  assert.deepEqual(
    measuredYieldFigure(
      { rewards: [reward(91), reward(92), after] },
      [account({ deactivationEpoch: 92 })],
      TWO_DAYS,
    ),
    { value: '9.40%', note: 'per year, over 2 epochs' },
    'an epoch without active stake does not count toward the measured yield',
  );
  const warmUp = reward(90, { inflationSol: 0, tipsSol: 0, balanceBeforeSol: null, balanceAfterSol: null });
  assert.equal(measured([warmUp, reward(91), reward(92)]).value, '9.40%', 'its first epoch earns nothing');
  assert.equal(measured([reward(91, { inflationSol: null })]).value, 'Unknown');
});

it("the next payment is that of a whole epoch, with the bounds of the epoch's end", () => {
  const when = boundedTime(
    timing.estimatedEpochEnd,
    [timing.earliestEpochEnd, timing.latestEpochEnd],
    NOW_MS,
  );
  const next = (accounts: readonly EarningAccount[], known: EpochTiming | null = timing) =>
    nextPaymentFigure(accounts, known, NOW_MS);
  assert.deepEqual(next([account(), account()]), { value: 'about 0.08 SOL', note: when });
  assert.deepEqual(next([account(), account({ estimatedDailyRewardSol: null })]), {
    value: 'Unknown',
    note: when,
  });
  assert.equal(next([account({ role: 'staker' })]).value, 'None');
  assert.equal(next([account({ activeSol: 0, activatingSol: 5 })]).value, 'After next epoch');
  assert.equal(next([account()], null).value, 'Unknown');
  assert.equal(next([account()], { ...timing, epochRewardsActive: true }).value, 'Being paid now');
});
