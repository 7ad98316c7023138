// Contract tests, run on every engine, for settled rewards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettledReward } from '../../src/store/settled-rewards.ts';
import { openTestStore } from './store-fixture.ts';
import type { MakeVenue } from './store-venue.ts';

const reward = (epoch: number, overrides: Partial<SettledReward> = {}): SettledReward => ({
  stakeAccountAddress: 'account',
  epoch: BigInt(epoch),
  wallet: 'wallet',
  inflationLamports: 2n ** 60n + 1n,
  tipsLamports: 7n,
  postBalanceLamports: 2n ** 61n,
  commissionPct: 5.25,
  effectiveSlot: 432_000n,
  paidAtMs: 1_800_000_000_000,
  ...overrides,
});

export const settledRewardsContract = (makeVenue: MakeVenue): void => {
  test('settled rewards are read back exactly, by account and epoch, when the store is next opened', async (t) => {
    const { location } = await makeVenue(t);
    const { settledRewards } = await openTestStore(t, location);
    const other = reward(3, { stakeAccountAddress: 'other', wallet: 'another' });
    const many = Array.from({ length: 250 }, (_, i) => reward(i + 10));
    await settledRewards.record([...many, other, reward(9)]);
    const next = (await openTestStore(t, location)).settledRewards;
    assert.deepEqual(await next.find(['account'], 257n), [reward(257), reward(258), reward(259)]);
    assert.deepEqual(await next.find(['other', 'nobody'], 0n), [other]);
    assert.deepEqual(await next.find([], 0n), []);
    assert.deepEqual([await next.accountsOf('wallet'), await next.accountsOf('nobody')], [['account'], []]);
  });

  test('new data about a reward fills in missing values, and null erases nothing', async (t) => {
    const { settledRewards } = await openTestStore(t, (await makeVenue(t)).location);
    const unknown = {
      inflationLamports: null,
      tipsLamports: null,
      postBalanceLamports: null,
      commissionPct: null,
      effectiveSlot: null,
      paidAtMs: null,
    };
    await settledRewards.record([reward(7, { tipsLamports: null })]);
    await settledRewards.record([reward(7, { ...unknown, tipsLamports: 0n, wallet: 'another' })]);
    assert.deepEqual(await settledRewards.find(['account'], 7n), [reward(7, { tipsLamports: 0n })]);
  });
};
