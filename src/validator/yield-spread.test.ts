import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MeasuredEpoch } from '../domain/validator/yield-interval.ts';
import type { EpochSample } from '../store/validator-samples.ts';
import { withMeasured } from './measured-epochs.ts';
import * as spread from './yield-spread.ts';

const UNKNOWN: Omit<EpochSample, 'epoch' | 'apy' | 'commission'> = {
  activeStakeLamports: null,
  credits: null,
  skipRate: null,
  clusterSkipRate: null,
  stakeRank: null,
  validators: null,
  commissionLamports: null,
  tipsLamports: null,
  blockRewardsLamports: null,
  blockRewardsSlot: null,
  leaderSlotsUnread: null,
};
const apyOf = (epoch: number): number => 6.5 + (epoch % 3) * 0.1;

/** Epochs before 100, newest first, as the store lists them. */
const samples = (count: number, commissionOf: (epoch: number) => number | null = () => 5): EpochSample[] =>
  Array.from({ length: count }, (_, index) => {
    const epoch = 99 - index;
    return { ...UNKNOWN, epoch: BigInt(epoch), apy: apyOf(epoch), commission: commissionOf(epoch) };
  });

const yieldSpread = (
  recorded: EpochSample[] | null,
  { measured = [], ...now }: Parameters<typeof spread.yieldSpread>[1] & { measured?: MeasuredEpoch[] },
) => spread.yieldSpread(recorded && withMeasured(recorded, measured), now);

const NOW = {
  apy: { stakingApy: 6, jitoMevApy: 0.6, totalApy: 6.6 },
  epoch: 100n,
  secondsPerEpoch: 86_400,
  commission: 5,
  schedule: null,
};

test('ten measured epochs yield an interval around their mean, and nine yield the reason why there is none', () => {
  const { interval, missing } = yieldSpread(samples(10), NOW);
  assert.equal(missing, null);
  assert.deepEqual([interval?.fromEpoch, interval?.toEpoch, interval?.epochCount], [90, 99, 10]);
  assert.ok(interval!.lowApy < 6.59 && interval!.highApy > 6.59 && interval!.lowApy > 6);
  const few = yieldSpread(samples(9), NOW);
  assert.equal(few.interval, null);
  assert.deepEqual(
    [few.missing?.code, few.missing?.params],
    ['INTERVAL_NEEDS_EPOCHS', { needed: 10, measured: 9 }],
  );
});

test('an outage lowers the lower end of the interval but does not raise the upper end', () => {
  const undisturbed = yieldSpread(samples(13), NOW).interval!;
  const outages = samples(13).map((one, index) => (index < 3 ? { ...one, apy: 0 } : one));
  const disturbed = yieldSpread(outages, NOW).interval!;
  assert.equal(disturbed.epochCount, 13);
  assert.ok(disturbed.lowApy < undisturbed.lowApy - 3);
  assert.ok(disturbed.highApy < undisturbed.highApy + 0.1, `${disturbed.highApy} ${undisturbed.highApy}`);
});

test('epochs are ignored if they are unmeasured, unfinished, more than 60 epochs old, or had a different commission', () => {
  const unmeasured = samples(30).map((one, index) => (index % 2 === 0 ? { ...one, apy: null } : one));
  assert.equal(yieldSpread(unmeasured, NOW).interval?.epochCount, 15);
  const running = { ...samples(1)[0]!, epoch: 100n, apy: 99 };
  assert.deepEqual(
    yieldSpread([running, ...samples(20)], NOW).interval,
    yieldSpread(samples(20), NOW).interval,
  );
  assert.equal(yieldSpread(samples(90), NOW).interval?.epochCount, 60);
  const raised = samples(30, (epoch) => (epoch < 91 ? 0 : 5));
  assert.deepEqual(yieldSpread(raised, NOW).missing?.params, { needed: 10, measured: 9 });
  assert.equal(yieldSpread(raised, { ...NOW, commission: 0 }).interval?.epochCount, 21);
  assert.equal(
    yieldSpread(
      samples(30, () => null),
      NOW,
    ).interval?.epochCount,
    30,
  );
});

test('the expected decline in inflation between the measured and the coming epochs is deducted', () => {
  const schedule = { rate: 0.0364, terminalRate: 0.015, taper: 0.15 };
  const constant = yieldSpread(samples(60), NOW).interval!;
  const falling = yieldSpread(samples(60), { ...NOW, schedule }).interval!;
  // The middle of the window is 30 days ago, and the middle of the horizon is 15 days ahead. In these 45 days,
  // an inflation of 6 % falls at a rate of 15 % per year.
  const fall = 6 * (0.85 ** (-30 / 365) - 0.85 ** (15 / 365));
  const middle = ({ lowApy, highApy }: typeof constant) => (lowApy + highApy) / 2;
  assert.ok(Math.abs(middle(constant) - middle(falling) - fall) < 0.005, `${middle(falling)}`);
});

test('without a known yield or without recorded epochs there is no interval, and each case has its own reason', () => {
  const unknown = { stakingApy: 6, jitoMevApy: null, totalApy: null };
  assert.equal(yieldSpread(samples(30), { ...NOW, apy: unknown }).missing?.code, 'INTERVAL_NEEDS_YIELD');
  assert.equal(yieldSpread(samples(30), { ...NOW, epoch: null }).missing?.code, 'INTERVAL_NEEDS_YIELD');
  assert.equal(yieldSpread(null, NOW).missing?.code, 'INTERVAL_NEEDS_RECORD');
});

test('the score only counts past epochs whose whole horizon has ended without a change of commission', () => {
  assert.deepEqual(yieldSpread(samples(39), NOW).past, { said: 0, held: 0 });
  assert.deepEqual(yieldSpread(samples(40), NOW).past, { said: 1, held: 1 });
  assert.deepEqual(yieldSpread(samples(60), NOW).past, { said: 21, held: 20 });
  assert.deepEqual(
    yieldSpread(
      samples(60, (epoch) => (epoch < 75 ? 5 : 7)),
      NOW,
    ).past,
    { said: 0, held: 0 },
  );
});

test('an interval counts as missed if the yield of the following epochs is outside it', () => {
  const fallen = samples(60).map((one) => (one.epoch >= 70n ? { ...one, apy: 3 } : one));
  const { said, held } = yieldSpread(fallen, NOW).past;
  assert.equal(said, 21);
  assert.ok(held < 5, `${held}`);
});
