// Computes the interval of the yield from the recorded epochs, and how often past intervals were correct.
import { type Notice, notice } from '../domain/notice.ts';
import { type InflationSchedule, scheduledShare } from '../domain/validator/inflation-schedule.ts';
import { type Apy, epochsPerYear } from '../domain/validator/realized-apy.ts';
import {
  comparableEpochs,
  type IntervalScore,
  type MeasuredEpoch,
  NEEDED_EPOCHS,
  scoreIntervals,
  type YieldInterval,
  yieldInterval,
} from '../domain/validator/yield-interval.ts';

/** The interval, or the reason why there is none. */
export interface YieldSpread {
  readonly interval: YieldInterval | null;
  /** Null if and only if there is an interval. */
  readonly missing: Notice | null;
  readonly past: IntervalScore;
}

/** Known values of the current yield. */
interface YieldNow {
  readonly apy: Apy;
  readonly epoch: bigint | null;
  readonly secondsPerEpoch: number | null;
  readonly commission: number | null;
  readonly schedule: InflationSchedule | null;
}

const NO_YIELD = notice(
  'INTERVAL_NEEDS_YIELD',
  'The total yield cannot be read from the chain right now, so there is no interval for it.',
);
const NO_RECORD = notice(
  'INTERVAL_NEEDS_RECORD',
  'This service’s record of epochs is currently unavailable, so there is no interval.',
);

/** Returns the interval or the reason why there is none. `measured` is null if the record cannot be read. */
export const yieldSpread = (
  measured: readonly MeasuredEpoch[] | null,
  { apy, epoch, secondsPerEpoch, commission, schedule }: YieldNow,
): YieldSpread => {
  const nothing = { interval: null, past: { said: 0, held: 0 } };
  if (measured === null) return { ...nothing, missing: NO_RECORD };
  if (epoch === null || secondsPerEpoch === null) return { ...nothing, missing: NO_YIELD };
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
          'Needs {needed} epochs with measured rewards and tips at the current commission; {measured} so far.',
          { needed: NEEDED_EPOCHS, measured: comparableEpochs(measured, current, commission).length },
        )
      : null;
  return { interval, missing, past };
};
