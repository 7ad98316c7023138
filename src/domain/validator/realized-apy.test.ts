import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  annualYield,
  type EpochReturn,
  epochsPerYear,
  inflationByEpoch,
  inflationPerEpochOf,
  measureInflation,
  measureTips,
  ratesBeforeCommission,
  tipsPerEpochOf,
  totalApy,
} from './realized-apy.ts';

const SOL = 1_000_000_000n;
const TWO_DAYS = 172_800;
const near = (actual: number | undefined | null, expected: number, share = 1e-9) =>
  assert.ok(
    actual !== null && actual !== undefined && Math.abs(actual - expected) <= share * Math.abs(expected),
    `${actual} is not ${expected}`,
  );
const got = (epoch: bigint, ppb: bigint, effectiveLamports = 1_000n * SOL): EpochReturn => ({
  epoch,
  lamports: (effectiveLamports * ppb) / 1_000_000_000n,
  effectiveLamports,
});

test('inflation compounds over the epochs of a year, and tips are added without compounding', () => {
  const apy = annualYield({ inflationPerEpoch: 0.000354, tipsPerEpoch: 0.00002 }, TWO_DAYS);
  assert.equal(epochsPerYear(TWO_DAYS), 182.5);
  assert.deepEqual(apy, {
    stakingApy: Math.round((1.000354 ** 182.5 - 1) * 1e6) / 1e4,
    jitoMevApy: 0.365,
    totalApy: Math.round((1.000354 ** 182.5 - 1 + 0.00365) * 1e6) / 1e4,
  });
});

test('shorter epochs mean more epochs per year', () => {
  assert.equal(epochsPerYear(86_400), 365);
  near(annualYield({ inflationPerEpoch: 0.000177, tipsPerEpoch: 0 }, 86_400).stakingApy, 6.6729, 1e-4);
});

test('an unknown part is null and makes the total null', () => {
  const onlyInflation = annualYield({ inflationPerEpoch: 0.000354, tipsPerEpoch: null }, TWO_DAYS);
  assert.deepEqual([onlyInflation.jitoMevApy, onlyInflation.totalApy], [null, null]);
  const onlyTips = annualYield({ inflationPerEpoch: null, tipsPerEpoch: 0.00002 }, TWO_DAYS);
  assert.deepEqual(onlyTips, { stakingApy: null, jitoMevApy: 0.365, totalApy: null });
  assert.equal(totalApy(6.5, null), null);
  assert.equal(totalApy(0, 0), 0);
});

test('the total is the exact decimal sum, without binary rounding errors', () => {
  assert.equal(totalApy(6.1, 0.2), 6.3);
  assert.equal(totalApy(0.1, 0.2), 0.3);
});

test('a yield that exceeds the range of doubles is unknown rather than infinite', () => {
  assert.equal(annualYield({ inflationPerEpoch: 0.5, tipsPerEpoch: 0 }, 1).stakingApy, null);
});

test('rates per epoch and annual rates can be converted into each other', () => {
  const { stakingApy, jitoMevApy } = annualYield(
    { inflationPerEpoch: 0.000354, tipsPerEpoch: 0.00002 },
    TWO_DAYS,
  );
  near(inflationPerEpochOf(stakingApy!, TWO_DAYS), 0.000354, 1e-5);
  near(tipsPerEpochOf(jitoMevApy!, TWO_DAYS), 0.00002, 1e-5);
});

test('the rate before commission is computed from the whole payment, and is unknown if the commission is unknown or 100 %', () => {
  const commissions = new Map([
    [10n, 0],
    [11n, 5],
    [12n, 100],
  ]);
  const paid = [got(10n, 400_000n), got(11n, 380_000n), got(12n, 0n), got(13n, 400_000n)];
  assert.deepEqual(
    ratesBeforeCommission(paid, commissions).map(({ epoch, lamports }) => [epoch, lamports]),
    [
      [10n, got(10n, 400_000n).lamports],
      [11n, got(11n, 400_000n).lamports],
    ],
  );
});

test('the inflation of an epoch is the median of its accounts, so later merges and splits do not affect it', () => {
  const merged = { ...got(10n, 354_000n), effectiveLamports: 4_000n * SOL };
  const rate = measureInflation([got(10n, 354_000n), merged, got(10n, 354_000n)]);
  near(rate?.perEpoch, 0.000354);
  assert.deepEqual([rate?.epochCount, rate?.sampleCount], [1, 3]);
});

test('for an even number of accounts, the median is the mean of the middle two', () => {
  near(measureInflation([got(10n, 300_000n), got(10n, 400_000n)])?.perEpoch, 0.00035);
});

test('the mean over several epochs is the constant rate that yields the same final result', () => {
  const rate = measureInflation([got(12n, 400_000n), got(10n, 300_000n), got(11n, 0n)]);
  near((1 + rate!.perEpoch) ** 3, 1.0004 * 1.0003, 1e-12);
  assert.deepEqual([rate?.fromEpoch, rate?.toEpoch, rate?.epochCount], [10n, 12n, 3]);
});

test('an epoch without rewards counts as zero, not as absent', () => {
  near(measureTips([got(10n, 20_000n), got(11n, 0n)])?.perEpoch, 0.00001);
});

test('tips that reach only every second account are averaged over all accounts', () => {
  near(measureTips([got(10n, 20_000n), got(10n, 0n)])?.perEpoch, 0.00001);
});

test('stakes so small that whole lamports distort their rate are left out', () => {
  assert.equal(measureInflation([{ epoch: 1n, lamports: 1n, effectiveLamports: 99_999_999n }]), null);
  assert.equal(measureTips([{ epoch: 1n, lamports: 0n, effectiveLamports: 0n }]), null);
});

test('without samples there is no rate', () => {
  assert.equal(measureInflation([]), null);
  assert.equal(measureTips([]), null);
});

test('each epoch has its own rate, which is the median of its accounts', () => {
  const rates = inflationByEpoch([
    got(10n, 300_000n),
    got(11n, 400_000n),
    got(10n, 100_000n),
    got(10n, 350_000n),
  ]);
  assert.deepEqual(
    [...rates],
    [
      [10n, 0.0003],
      [11n, 0.0004],
    ],
  );
});
