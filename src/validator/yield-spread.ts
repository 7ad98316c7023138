// Reads the interval of the yield from the recorded epochs, and how often past intervals held.
import { type Notice, notice } from '../domain/notice.ts';
import { type Apy, epochsPerYear } from '../domain/validator/apy.ts';
import { type InflationSchedule, scheduledShare } from '../domain/validator/inflation-schedule.ts';
import {
  comparableEpochs,
  type IntervalScore,
  type MeasuredEpoch,
  NEEDED_EPOCHS,
  scoreIntervals,
  type YieldInterval,
  yieldInterval,
} from '../domain/validator/yield-interval.ts';
import type { EpochSample } from '../store/validator-samples.ts';

/** The interval, or the reason why there is none. */
export interface YieldSpread {
  readonly interval: YieldInterval | null;
  /** Null exactly if there is an interval. */
  readonly missing: Notice | null;
  readonly past: IntervalScore;
}

/** Known facts about the current yield. */
interface YieldNow {
  /** Epochs that the current yield is measured from, which the record may not have yet. */
  readonly measured?: readonly MeasuredEpoch[];
  readonly apy: Apy;
  readonly epoch: bigint | null;
  readonly secondsPerEpoch: number | null;
  readonly commission: number | null;
  readonly schedule: InflationSchedule | null;
}

const NO_YIELD = notice(
  'INTERVAL_NEEDS_YIELD',
  'The total yield is currently unknown, so there is no interval for it.',
);
const NO_RECORD = notice(
  'INTERVAL_NEEDS_RECORD',
  'This service’s record of epochs is currently unavailable, so there is no interval.',
);

/** Returns the measured epochs, each once. */
const measuredOf = (
  samples: readonly EpochSample[],
  measured: readonly MeasuredEpoch[],
): readonly MeasuredEpoch[] => {
  const recorded = samples.flatMap(({ epoch, apy, commission }) =>
    apy === null ? [] : [{ epoch: Number(epoch), apy, commission }],
  );
  return [...new Map([...recorded, ...measured].map((one) => [one.epoch, one])).values()];
};

/** Returns the interval. `samples` is null if the record cannot be read. */
export const yieldSpread = (
  samples: readonly EpochSample[] | null,
  { measured: latest = [], apy, epoch, secondsPerEpoch, commission, schedule }: YieldNow,
): YieldSpread => {
  const nothing = { interval: null, past: { said: 0, held: 0 } };
  if (samples === null) return { ...nothing, missing: NO_RECORD };
  if (epoch === null || secondsPerEpoch === null) return { ...nothing, missing: NO_YIELD };
  const measured = measuredOf(samples, latest);
  const current = Number(epoch);
  const expected = (at: number): number =>
    (apy.stakingApy ?? 0) * scheduledShare(schedule, (at - current) / epochsPerYear(secondsPerEpoch));
  const past = scoreIntervals(measured, current, expected);
  if (apy.totalApy === null) return { interval: null, missing: NO_YIELD, past };
  const interval = yieldInterval(measured, current, commission, expected);
  const missing =
    interval === null
      ? notice(
          'INTERVAL_NEEDS_EPOCHS',
          'An interval needs {needed} epochs at the current commission whose rewards and tips were both measured; so far there are {measured}.',
          { needed: NEEDED_EPOCHS, measured: comparableEpochs(measured, current, commission).length },
        )
      : null;
  return { interval, missing, past };
};
