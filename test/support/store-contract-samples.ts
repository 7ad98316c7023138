// Contract tests, run on every engine, for samples and counters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochSample, VoteSample } from '../../src/store/validator-samples.ts';
import { openTestStore } from './store-fixture.ts';
import type { MakeVenue } from './store-venue.ts';

const QUARTER_MS = 15 * 60 * 1000;
const START_MS = 1_800_000_000_000;

const epochSample = (epoch: number, overrides: Partial<EpochSample> = {}): EpochSample => ({
  epoch: BigInt(epoch),
  activeStakeLamports: 2n ** 60n + 1n,
  credits: 6_900_000n,
  apy: 6.123456789,
  commission: 0,
  skipRate: 1.5,
  clusterSkipRate: 2.25,
  stakeRank: 512,
  validators: 1_300,
  commissionLamports: 2n ** 55n + 1n,
  tipsLamports: 7n,
  blockRewardsLamports: 2n ** 54n + 1n,
  blockRewardsSlot: 345_600_007n,
  leaderSlotsUnread: 4,
  ...overrides,
});

const voteSample = (quarter: number, overrides: Partial<VoteSample> = {}): VoteSample => ({
  timestampMs: START_MS + quarter * QUARTER_MS,
  slot: BigInt(quarter),
  voteSuccessRate: 99.25,
  ...overrides,
});

export const samplesContract = (makeVenue: MakeVenue): void => {
  test('epochs are read back exactly, newest first, when the store is next opened', async (t) => {
    const { location } = await makeVenue(t);
    const { samples } = await openTestStore(t, location);
    await samples.recordEpochs([epochSample(7), epochSample(9), epochSample(8)]);
    const next = await openTestStore(t, location);
    assert.deepEqual(await next.samples.epochs(2), [epochSample(9), epochSample(8)]);
  });

  test('new data about an epoch fills in missing values, and null erases nothing', async (t) => {
    const { samples } = await openTestStore(t, (await makeVenue(t)).location);
    await samples.recordEpochs([{ epoch: 7n, credits: 1n, leaderSlotsUnread: 4 }]);
    await samples.recordEpochs([{ epoch: 7n, apy: 6.5, credits: null, stakeRank: null, tipsLamports: null }]);
    await samples.recordEpochs([{ epoch: 7n, credits: 2n, commission: 0, leaderSlotsUnread: 0 }]);
    const unknown = Object.fromEntries(Object.keys(epochSample(7)).map((name) => [name, null]));
    assert.deepEqual(await samples.epochs(1), [
      { ...unknown, epoch: 7n, credits: 2n, apy: 6.5, commission: 0, leaderSlotsUnread: 0 },
    ]);
  });

  test('only one vote sample is stored per quarter of an hour, from whichever process was first', async (t) => {
    const { samples } = await openTestStore(t, (await makeVenue(t)).location);
    assert.equal(await samples.recordVote(voteSample(1)), true);
    const late = voteSample(1, { timestampMs: START_MS + 2 * QUARTER_MS - 1, voteSuccessRate: 1 });
    assert.equal(await samples.recordVote(late), false);
    assert.equal(await samples.recordVote(voteSample(2)), true);
    assert.deepEqual(await samples.votes(0), [voteSample(1), voteSample(2)]);
    assert.deepEqual(await samples.votes(START_MS + QUARTER_MS), [voteSample(1), voteSample(2)]);
    assert.deepEqual(await samples.votes(START_MS + QUARTER_MS + 1), [voteSample(2)]);
  });

  test('delinquency adds up over the requested epochs, even if several processes add concurrently', async (t) => {
    const { samples } = await openTestStore(t, (await makeVenue(t)).location);
    assert.deepEqual(await samples.delinquency(0n), { samples: 0, delinquent: 0 });
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        samples.recordDelinquency({ epoch: BigInt(index % 2), isDelinquent: index % 8 === 0 }),
      ),
    );
    assert.deepEqual(await samples.delinquency(0n), { samples: 40, delinquent: 5 });
    assert.deepEqual(await samples.delinquency(1n), { samples: 20, delinquent: 0 });
  });

  test('pruning deletes exactly the samples that are too old, even if there are more than one statement can delete', async (t) => {
    const { samples } = await openTestStore(t, (await makeVenue(t)).location);
    for (let quarter = 0; quarter < 1_203; quarter += 1) await samples.recordVote(voteSample(quarter));
    for (const epoch of [1n, 2n, 3n]) await samples.recordDelinquency({ epoch, isDelinquent: true });
    await samples.recordEpochs([epochSample(1)]);
    const retention = { votesBeforeMs: START_MS + 1_200 * QUARTER_MS, delinquencyBeforeEpoch: 3n };
    assert.equal(await samples.forget(retention), 1_202);
    assert.deepEqual(
      await samples.votes(0),
      [1_200, 1_201, 1_202].map((quarter) => voteSample(quarter)),
    );
    assert.deepEqual(await samples.delinquency(0n), { samples: 1, delinquent: 1 });
    assert.equal((await samples.epochs(9)).length, 1, 'epochs are kept forever');
    assert.equal(await samples.forget(retention), 0);
  });

  test('counts add up, across runs and in any order', async (t) => {
    const { location } = await makeVenue(t);
    const store = await openTestStore(t, location);
    const names = ['GET /a', 'GET /b', 'POST /c'];
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        // Updated in two different orders, to check that no two transactions wait for each other.
        store.counters.add(new Map((index % 3 ? names : names.toReversed()).map((name) => [name, 2]))),
      ),
    );
    await store.counters.add(new Map());
    const { counters } = await openTestStore(t, location);
    assert.deepEqual(
      [...(await counters.all())],
      [
        ['GET /a', 60],
        ['GET /b', 60],
        ['POST /c', 60],
      ],
    );
  });
};
