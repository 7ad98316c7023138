// Computes how far the yield of the coming epochs may deviate from the measured one: a prediction interval
// from the recorded epochs, and how often past intervals were correct. See docs/adr/0026.

/** An ended epoch with a measured yield. */
export interface MeasuredEpoch {
  readonly epoch: number;
  /** Percent per year, from inflation and tips. */
  readonly apy: number;
  /** Percent; null if unknown. */
  readonly commission: number | null;
}

/** Interval for the mean yield of the next `HORIZON_EPOCHS` epochs, in percent per year. */
export interface YieldInterval {
  readonly lowApy: number;
  readonly highApy: number;
  /** First and last measured epoch that the interval is computed from, and their number. */
  readonly fromEpoch: number;
  readonly toEpoch: number;
  readonly epochCount: number;
}

/** Number of intervals that have been compared with the yield of the epochs after them. */
export interface IntervalScore {
  readonly said: number;
  /** Number of those intervals that contained the realized yield. */
  readonly held: number;
}

/** Share of the intervals that should contain the realized yield, in percent. */
export const CONFIDENCE_PCT = 80;
/** Number of coming epochs whose mean yield the interval covers. */
export const HORIZON_EPOCHS = 30;
/** Minimum number of measured epochs for an interval. */
export const NEEDED_EPOCHS = 10;
/** Number of past epochs considered. */
const WINDOW_EPOCHS = 60;
/** Neighboring epochs are similar, so the spread is computed from means over this many epochs. */
const BLOCK_EPOCHS = 5;
/** Minimum number of measured epochs in a horizon for its interval to be scored. */
const SCORED_EPOCHS = 20;

/** Quantiles of Student's t with 1 to 11 degrees of freedom that leave 10 % above them. */
const STUDENT_T = [3.078, 1.886, 1.638, 1.533, 1.476, 1.44, 1.415, 1.397, 1.383, 1.372, 1.363];
/**
 * Allows for the slow drift that does not show in the spread within a window. Calibrated with the simulation of
 * guarantee APY-1.
 */
const DRIFT_FACTOR = 1.6;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Computes half the width of the interval around the mean of `values`, which are in chronological order. */
const halfWidth = (values: readonly number[]): number => {
  const count = values.length;
  const block = Math.min(BLOCK_EPOCHS, Math.floor(count / 3));
  const middle = mean(values);
  const blocks = Array.from({ length: count - block + 1 }, (_, at) => mean(values.slice(at, at + block)));
  const variance = block * mean(blocks.map((one) => (one - middle) ** 2));
  const degrees = Math.max(1, Math.floor(count / BLOCK_EPOCHS) - 1);
  const quantile = STUDENT_T[Math.min(degrees, STUDENT_T.length) - 1]!;
  return DRIFT_FACTOR * quantile * Math.sqrt(variance * (1 / count + 1 / HORIZON_EPOCHS));
};

/**
 * Leaves out epochs with less than half of the median yield. Outages make a low yield likelier, but not a high
 * one: with them, ten epochs of 6.5 % and three of 0 % would have an upper end of 11.5 %.
 */
const withoutOutages = (values: readonly number[]): readonly number[] => {
  const median = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return values.filter((value) => value >= median / 2);
};

/** Rounds a percentage to four decimals. */
const rounded = (percent: number): number => Math.round(percent * 10_000) / 10_000;

/**
 * Selects the ended epochs that are relevant for `epoch`: recent epochs with this commission, oldest first.
 */
export const comparableEpochs = (
  measured: readonly MeasuredEpoch[],
  epoch: number,
  commission: number | null,
): readonly MeasuredEpoch[] =>
  measured
    .filter((one) => one.epoch < epoch && one.epoch >= epoch - WINDOW_EPOCHS)
    .filter((one) => one.commission === null || commission === null || one.commission === commission)
    .toSorted((a, b) => a.epoch - b.epoch);

/**
 * Computes the interval that applies from `epoch` onwards; null with fewer than `NEEDED_EPOCHS` comparable
 * epochs. `expectedInflationApy` is the part of an epoch's yield, in percent, that the inflation schedule
 * determines. Its decline between a measured epoch and the coming ones is deducted.
 */
export const yieldInterval = (
  measured: readonly MeasuredEpoch[],
  epoch: number,
  commission: number | null,
  expectedInflationApy: (epoch: number) => number,
): YieldInterval | null => {
  const window = comparableEpochs(measured, epoch, commission);
  if (window.length < NEEDED_EPOCHS) return null;
  const coming = expectedInflationApy(epoch + HORIZON_EPOCHS / 2);
  const values = window.map((one) => one.apy - expectedInflationApy(one.epoch) + coming);
  const [low, high] = [mean(values) - halfWidth(values), mean(values) + halfWidth(values)];
  const undisturbed = withoutOutages(values);
  const highUndisturbed =
    undisturbed.length < NEEDED_EPOCHS / 2 ? high : mean(undisturbed) + halfWidth(undisturbed);
  return {
    lowApy: rounded(Math.max(0, low)),
    highApy: rounded(Math.min(high, highUndisturbed)),
    fromEpoch: window[0]!.epoch,
    toEpoch: window.at(-1)!.epoch,
    epochCount: window.length,
  };
};

/**
 * Compares the interval at every past epoch with the yield of the epochs after it. Each interval is computed
 * only from the epochs before it. Skips horizons with too few measured epochs or with a change of commission.
 */
export const scoreIntervals = (
  measured: readonly MeasuredEpoch[],
  currentEpoch: number,
  expectedInflationApy: (epoch: number) => number,
): IntervalScore => {
  const ended = measured.filter(({ epoch }) => epoch < currentEpoch).toSorted((a, b) => a.epoch - b.epoch);
  const results = ended.flatMap(({ epoch }, index) => {
    const from = epoch + 1;
    if (from + HORIZON_EPOCHS > currentEpoch) return [];
    const { commission } = ended[index]!;
    const interval = yieldInterval(ended, from, commission, expectedInflationApy);
    const horizon = ended.filter((one) => one.epoch >= from && one.epoch < from + HORIZON_EPOCHS);
    const isChanged = horizon.some((one) => one.commission !== null && one.commission !== commission);
    if (interval === null || horizon.length < SCORED_EPOCHS || isChanged) return [];
    const realised = mean(horizon.map(({ apy }) => apy));
    return [realised >= interval.lowApy && realised <= interval.highApy];
  });
  return { said: results.length, held: results.filter(Boolean).length };
};
