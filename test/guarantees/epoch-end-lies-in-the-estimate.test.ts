// TRUTH-3: an epoch's actual end is within the estimated interval in 95 % of 1,000 simulated epochs with
// drifting slot times.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EpochTiming, epochTiming } from '../../src/domain/epoch-clock.ts';
import { seededRandom } from '../support/seeded-random.ts';

const READ_AT_MS = Date.parse('2026-11-21T00:00:00Z');
const SLOTS_IN_EPOCH = 432_000;
const MINUTE_MS = 60_000;
const SAMPLES = 10;
const TRACES = 1_000;

type Chance = () => number;

const gaussian = (random: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Returns the slot duration for the next minute, in ms. */
type SlotClock = () => number;

/**
 * Simulates a mean slot time between 200 and 420 ms that drifts by 8 % over a day, plus 1 % of noise per
 * minute.
 */
const wandering = (random: Chance): SlotClock => {
  const meanMs = 200 + 220 * random();
  const memory = Math.exp(-1 / (24 * 60));
  let drift = 0.08 * gaussian(random);
  return () => {
    drift = drift * memory + 0.08 * Math.sqrt(1 - memory ** 2) * gaussian(random);
    return meanMs * Math.exp(drift + 0.01 * gaussian(random));
  };
};

/**
 * Simulates a cluster that speeds up or slows down by up to 8 % over a day and returns to normal, as load
 * changes. Minutes vary by 2 %.
 */
const daily = (random: Chance): SlotClock => {
  const meanMs = 200 + 220 * random();
  const swing = 0.08 * random();
  let minute = Math.floor(24 * 60 * random());
  return () => {
    minute += 1;
    return (
      meanMs * (1 + swing * Math.sin((2 * Math.PI * minute) / (24 * 60))) * (1 + 0.02 * gaussian(random))
    );
  };
};

interface Trace {
  readonly timing: EpochTiming;
  readonly trueEndMs: number;
}

/** Simulates one epoch: ten minutes of samples before the estimate, then minute by minute until the end. */
const trace = (slotMs: SlotClock, random: Chance): Trace => {
  const samples = Array.from({ length: SAMPLES }, slotMs);
  const slotIndex = Math.floor(SLOTS_IN_EPOCH * random());
  let trueEndMs = READ_AT_MS;
  for (let left = SLOTS_IN_EPOCH - slotIndex; left > 0; ) {
    const ms = slotMs();
    const slots = Math.min(left, MINUTE_MS / ms);
    trueEndMs += slots * ms;
    left -= slots;
  }
  const timing = epochTiming(
    {
      epoch: 871n,
      slotIndex: BigInt(slotIndex),
      slotsInEpoch: BigInt(SLOTS_IN_EPOCH),
      readAtMs: READ_AT_MS,
      slotDurationMs: samples.reduce((sum, ms) => sum + ms, 0) / samples.length,
      fastestSlotMs: Math.min(...samples),
      slowestSlotMs: Math.max(...samples),
      epochRewardsActive: false,
    },
    READ_AT_MS,
  );
  return { timing, trueEndMs };
};

const isInside = ({ timing, trueEndMs }: Trace): boolean =>
  trueEndMs >= Date.parse(timing.earliestEpochEnd) && trueEndMs <= Date.parse(timing.latestEpochEnd);

/** Returns the interval's width on each side, as a fraction of the remaining time. */
const halfWidth = ({ timing }: Trace): number =>
  (Date.parse(timing.latestEpochEnd) - Date.parse(timing.earliestEpochEnd)) /
  2 /
  (Date.parse(timing.estimatedEpochEnd) - READ_AT_MS);

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const drifts = { wandering, daily };

describe('TRUTH-3', () => {
  for (const [name, drift] of Object.entries(drifts)) {
    const random = seededRandom(20_261_121);
    const traces = Array.from({ length: TRACES }, () => trace(drift(random), random));

    it(`with slot times ${name}, the actual end is within [earliest, latest] in 95 % of ${TRACES} simulated epochs`, () => {
      const inside = traces.filter(isInside).length;
      assert.ok(inside >= 0.95 * TRACES, `${inside} of ${TRACES}`);
    });

    it(`with slot times ${name}, the interval is narrow enough for planning: its median is within 15 % of the remaining time on each side`, () => {
      const width = median(traces.map(halfWidth));
      assert.ok(width < 0.15, `${width}`);
    });
  }
});
