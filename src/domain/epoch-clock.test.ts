import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../kernel/app-error.ts';
import { type EpochPositionLike, epochTiming, estimateEpochStart, secondsPerEpoch } from './epoch-clock.ts';
import { refuseDuringEpochRewards } from './rewards-freeze.ts';

const READ_AT = Date.parse('2026-11-21T00:00:00Z');
const position: EpochPositionLike = {
  epoch: 871n,
  slotIndex: 108_000n,
  slotsInEpoch: 432_000n,
  readAtMs: READ_AT,
  slotDurationMs: 250,
  fastestSlotMs: 200,
  slowestSlotMs: 300,
  epochRewardsActive: false,
};

test('the end of the epoch is estimated from the remaining slots and the measured slot duration, and is within its bounds', () => {
  // The epoch has 22.5 hours left.
  const margin = 0.03 + 0.015 * Math.sqrt(22.5);
  assert.deepEqual(epochTiming(position, READ_AT), {
    currentEpoch: 871,
    estimatedSecondsRemaining: 81_000,
    estimatedEpochEnd: '2026-11-21T22:30:00.000Z',
    progressPct: 25,
    slotIndex: 108_000,
    slotsInEpoch: 432_000,
    slotsRemaining: 324_000,
    slotDurationMs: 250,
    earliestEpochEnd: new Date(READ_AT + 323_996 * 200 * (1 - margin)).toISOString(),
    latestEpochEnd: new Date(READ_AT + 324_004 * 300 * (1 + margin)).toISOString(),
    epochRewardsActive: false,
  });
});

test('the time since the position was read is subtracted, and an epoch that must have ended since then ends now', () => {
  const later = epochTiming(position, READ_AT + 60_000);
  assert.equal(later.estimatedSecondsRemaining, 80_940);
  assert.equal(later.estimatedEpochEnd, '2026-11-21T22:30:00.000Z');
  const stale = epochTiming(position, Date.parse('2027-01-01T00:00:00Z'));
  assert.equal(stale.estimatedSecondsRemaining, 0);
  for (const end of [stale.estimatedEpochEnd, stale.earliestEpochEnd, stale.latestEpochEnd]) {
    assert.equal(end, '2027-01-01T00:00:00.000Z');
  }
});

test('the estimate stays within its bounds even if samples contradict their own mean', () => {
  const odd = epochTiming({ ...position, fastestSlotMs: 280, slowestSlotMs: 210 }, READ_AT);
  assert.ok(odd.earliestEpochEnd < odd.estimatedEpochEnd && odd.estimatedEpochEnd < odd.latestEpochEnd);
});

test('the first and the last slot of an epoch have the correct percentages', () => {
  assert.equal(epochTiming({ ...position, slotIndex: 0n }, READ_AT).progressPct, 0);
  assert.equal(epochTiming({ ...position, slotIndex: 431_999n }, READ_AT).progressPct, 99.99);
  assert.equal(epochTiming({ ...position, slotIndex: 143_999n }, READ_AT).progressPct, 33.33);
});

test('an epoch that has already begun starts now, the next one at the end of the current epoch, and each later one a whole epoch after that', () => {
  assert.deepEqual(estimateEpochStart(position, 871n, READ_AT), {
    secondsRemaining: 0,
    at: '2026-11-21T00:00:00.000Z',
  });
  assert.deepEqual(estimateEpochStart(position, 3n, READ_AT), {
    secondsRemaining: 0,
    at: '2026-11-21T00:00:00.000Z',
  });
  assert.equal(estimateEpochStart(position, 872n, READ_AT).at, '2026-11-21T22:30:00.000Z');
  assert.equal(secondsPerEpoch(position), 108_000);
  assert.equal(estimateEpochStart(position, 874n, READ_AT).secondsRemaining, 81_000 + 2 * 108_000);
});

test('an epoch too far in the future starts at the latest date that every parser accepts', () => {
  assert.equal(estimateEpochStart(position, 2n ** 63n, READ_AT).at, '9999-12-31T23:59:59.999Z');
});

test('a request while rewards are being paid is refused with a retry time', () => {
  refuseDuringEpochRewards(false);
  assert.throws(
    () => refuseDuringEpochRewards(true),
    (error) =>
      error instanceof AppError && error.code === 'EPOCH_REWARDS_ACTIVE' && error.retryAfterSeconds === 20,
  );
});

test('dates, seconds and percentages are valid for 32-slot epochs, the shortest in Agave, and for any slot duration', () => {
  for (const slotDurationMs of [0.05, 1, 400, 5_000])
    for (const slotIndex of [0n, 15n, 31n]) {
      const short = { ...position, slotIndex, slotsInEpoch: 32n, slotDurationMs };
      const times = { fastestSlotMs: slotDurationMs, slowestSlotMs: slotDurationMs };
      const timing = epochTiming({ ...short, ...times }, READ_AT);
      assert.ok(timing.progressPct >= 0 && timing.progressPct < 100);
      assert.ok(timing.estimatedSecondsRemaining <= 160);
      for (const date of [timing.earliestEpochEnd, timing.estimatedEpochEnd, timing.latestEpochEnd])
        assert.ok(Date.parse(date) >= READ_AT, `${date} of ${slotDurationMs} ms`);
      const { at, secondsRemaining } = estimateEpochStart({ ...short, ...times }, 1_000n, READ_AT);
      assert.ok(Date.parse(at) > READ_AT && Number.isFinite(secondsRemaining));
    }
});
