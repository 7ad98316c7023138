// APY-1: the 80 % interval of the yield contains the actual yield of the next 30 epochs for 76 to 84 % of
// 1,000 simulated validators with drifting rates, bursts of tips and missed epochs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type InflationSchedule, scheduledShare } from '../../src/domain/validator/inflation-schedule.ts';
import {
  HORIZON_EPOCHS,
  type MeasuredEpoch,
  scoreIntervals,
  yieldInterval,
} from '../../src/domain/validator/yield-interval.ts';
import { seededRandom } from '../support/seeded-random.ts';

const VALIDATORS = 1_000;
const SCHEDULE: InflationSchedule = { rate: 0.0364, terminalRate: 0.015, taper: 0.15 };

type Chance = () => number;

const gaussian = (random: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const between = (random: Chance, low: number, high: number): number => low + (high - low) * random();

interface Life {
  /** Yield of every epoch in percent per year, recorded or not. */
  readonly apys: readonly number[];
  readonly measured: readonly MeasuredEpoch[];
  readonly expected: (epoch: number) => number;
}

/**
 * Simulates a validator up to `now` and for one horizon after it. The inflation part falls according to the
 * schedule, drifts with the staked share of the supply and varies with the validator's credits. Tips follow the
 * network's load, which persists for days, and some epochs pay several times as much. In missed epochs, the
 * validator earns half or nothing. The service records most epochs.
 */
const simulate = (random: Chance, now: number): Life => {
  const yearly = random() < 0.5 ? 365 : 182;
  const inflationApy = between(random, 5, 7);
  const drift = between(random, 0.0005, 0.003);
  const creditNoise = between(random, 0.001, 0.01);
  const tipApy = between(random, 0.1, 1.2);
  const memory = between(random, 0.7, 0.95);
  const loadNoise = between(random, 0.1, 0.5);
  const burstChance = between(random, 0, 0.06);
  const missChance = random() < 0.4 ? 0 : between(random, 0, 0.03);
  const expected = (epoch: number) => inflationApy * scheduledShare(SCHEDULE, (epoch - now) / yearly);
  let staked = 0;
  let load = loadNoise * gaussian(random);
  const apys = Array.from({ length: now + HORIZON_EPOCHS }, (_, epoch) => {
    staked += drift * gaussian(random);
    load = memory * load + Math.sqrt(1 - memory ** 2) * loadNoise * gaussian(random);
    const inflation = expected(epoch) * Math.exp(staked) * (1 - Math.abs(creditNoise * gaussian(random)));
    const burst = random() < burstChance ? between(random, 3, 8) : 1;
    const present = random() < missChance ? (random() < 0.5 ? 0 : 0.5) : 1;
    return present * (inflation + tipApy * Math.exp(load) * burst);
  });
  const measured = apys.flatMap((apy, epoch) =>
    random() < 0.03 && epoch < now - 12 ? [] : [{ epoch, apy, commission: 5 }],
  );
  return { apys, measured, expected };
};

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Returns the percentage of simulated validators whose interval contained the actual yield. Their histories
 * have between `shortest` and `longest` epochs.
 */
const coverage = (seed: number, shortest: number, longest: number) => {
  const random = seededRandom(seed);
  const widths: number[] = [];
  const held = Array.from({ length: VALIDATORS }, () => {
    const now = Math.floor(between(random, shortest, longest + 1));
    const { apys, measured, expected } = simulate(random, now);
    const interval = yieldInterval(measured, now, 5, expected)!;
    widths.push(interval.highApy - interval.lowApy);
    const realised = meanOf(apys.slice(now));
    return realised >= interval.lowApy && realised <= interval.highApy;
  }).filter(Boolean).length;
  const median = widths.toSorted((a, b) => a - b)[VALIDATORS / 2]!;
  return { percent: (100 * held) / VALIDATORS, width: median };
};

describe('APY-1', () => {
  for (const seed of [1, 2, 3]) {
    it(`the 80 % interval contains the actual yield for 76 to 84 % of ${VALIDATORS} validators with 10 to 150 epochs, seed ${seed}`, (t) => {
      const { percent, width } = coverage(seed, 10, 150);
      t.diagnostic(`${percent} % held, median width ${width.toFixed(2)} percentage points`);
      assert.ok(percent >= 76 && percent <= 84, `${percent} %`);
    });
  }

  it('intervals contain the actual yield for 70 to 88 % of short histories and of long ones, so neither group hides bad results of the other', (t) => {
    for (const [shortest, longest] of [
      [10, 19],
      [20, 39],
      [40, 150],
    ] as const) {
      const { percent, width } = coverage(7, shortest, longest);
      t.diagnostic(`${shortest} to ${longest} epochs: ${percent} % held, median width ${width.toFixed(2)}`);
      assert.ok(percent >= 70 && percent <= 88, `${shortest} to ${longest}: ${percent} %`);
    }
  });

  it('the service’s own score of past intervals equals their actual coverage', (t) => {
    const random = seededRandom(11);
    const totals = { said: 0, held: 0 };
    for (let validator = 0; validator < 200; validator += 1) {
      const { measured, expected } = simulate(random, 150);
      const { said, held } = scoreIntervals(measured, 150, expected);
      totals.said += said;
      totals.held += held;
    }
    const percent = (100 * totals.held) / totals.said;
    t.diagnostic(`${totals.held} of ${totals.said} held, ${percent.toFixed(1)} %`);
    assert.ok(totals.said > 20_000);
    assert.ok(percent >= 74 && percent <= 86, `${percent} %`);
  });
});
