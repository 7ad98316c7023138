// Tests that rewards summed by epoch are exact and complete, and that an unknown value is never shown as zero.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { EpochReward } from '../../../../client/generated/stake-operations.ts';
import {
  areRewardsAwaited,
  paidBalances,
  rewardsByEpoch,
  runningTotals,
  totalOf,
} from './rewards-by-epoch.ts';

const reward = (epoch: number, inflationSol: number | null, tipsSol: number | null): EpochReward => ({
  epoch,
  inflationSol,
  tipsSol,
  paidAt: null,
  stakeAccountAddress: 'S',
  balanceBeforeSol: null,
  balanceAfterSol: null,
  commissionPct: null,
  unknownReason: null,
});

it('accounts are added up to the lamport, oldest epoch first, and an epoch without rewards is 0', () => {
  assert.deepEqual(
    rewardsByEpoch([reward(7, 0.1, 0.000000001), reward(7, 0.2, 0.000000002), reward(5, 1, 0)]),
    [
      { epoch: 5, inflationSol: 1, tipsSol: 0, unknown: 0 },
      { epoch: 6, inflationSol: 0, tipsSol: 0, unknown: 0 },
      { epoch: 7, inflationSol: 0.3, tipsSol: 0.000000003, unknown: 0 },
    ],
  );
});

it('unknown values are counted but not summed, and the sum is unknown if all are unknown', () => {
  assert.deepEqual(rewardsByEpoch([reward(7, 0.1, null), reward(7, null, null)]), [
    { epoch: 7, inflationSol: 0.1, tipsSol: null, unknown: 3 },
  ]);
});

it('the height of a bar is the sum of both parts, and the bar is missing if both are unknown', () => {
  assert.equal(totalOf({ inflationSol: 0.1, tipsSol: 0.2 }), 0.3);
  assert.equal(totalOf({ inflationSol: 0.1, tipsSol: null }), 0.1);
  assert.equal(totalOf({ inflationSol: null, tipsSol: null }), null);
});

it('the running total adds every known reward to the lamport', () => {
  const rewards = [reward(7, 0.2, null), reward(6, null, null), reward(5, 0.1, 0.000000001)];
  assert.deepEqual(runningTotals(rewardsByEpoch(rewards)), [0.100000001, 0.100000001, 0.300000001]);
});

it('the stake is the balance of the paid accounts, and a gap if a payment is unknown or missing', () => {
  const paid = (epoch: number, balanceAfterSol: number) => ({ ...reward(epoch, 0.1, 0), balanceAfterSol });
  const rewards = [
    reward(5, 0, 0),
    paid(6, 2.1),
    reward(6, 0, 0),
    paid(7, 2.2),
    paid(7, 3.000000001),
    paid(9, 2.3),
    reward(9, null, null),
  ];
  assert.deepEqual(paidBalances(rewards, rewardsByEpoch(rewards)), [2.1, 5.200000001, null, null]);
});

it('without rewards there are no epochs', () => {
  for (const none of [[], [reward(5, 0, 0)]]) assert.deepEqual(rewardsByEpoch(none), []);
});

it('the first epoch is the first with a reward, not the one in which the stake was activating', () => {
  const epochs = rewardsByEpoch([reward(5, 0, 0), reward(6, null, 0), reward(7, 0, 0)]);
  assert.deepEqual(
    epochs.map(({ epoch }) => epoch),
    [6, 7],
  );
});

it('the last epoch is requested again while its payment may still arrive, and not for the rest of the epoch', () => {
  const young = { currentEpoch: 8, progressPct: 1 };
  const awaited = (rewards: EpochReward[], toEpoch = 7, epoch = young) =>
    areRewardsAwaited({ rewards, toEpoch }, epoch);
  assert.equal(awaited([reward(7, 0.1, 0)]), false);
  assert.equal(awaited([reward(7, 0, 0)]), false);
  assert.equal(awaited([reward(7, 0.1, 0), reward(7, null, null)]), true);
  assert.equal(awaited([reward(6, 0.1, 0)]), true);
  assert.equal(awaited([reward(6, 0.1, 0)], 6), true);
  assert.equal(awaited([], 6, { currentEpoch: 8, progressPct: 5 }), false);
});
