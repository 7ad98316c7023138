// Selects chart data from the validator's history. Unknown values stay gaps.
import type {
  ValidatorEpoch,
  ValidatorHistoryAnswer,
} from '../../../../client/generated/validator-operations.ts';
import { count, percent, solShort } from '../../text/format-figures.ts';

/** The selectable metrics. */
export type Metric = 'apy' | 'credits' | 'skipRate' | 'activeStakeSol' | 'votes';

/** Data of a chart. */
interface MetricSeries {
  readonly label: string;
  /** Epochs, or Unix seconds if `time`. */
  readonly xs: readonly number[];
  readonly values: readonly (number | null)[];
  readonly time: boolean;
  readonly format: (value: number) => string;
  readonly axis: (value: number) => string;
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const few = (value: number): string => compact.format(value);
const pct = (value: number): string => `${Number(value.toPrecision(3))}%`;

const EPOCHS = {
  apy: { label: 'APY', format: (value: number) => percent(value), axis: pct },
  credits: { label: 'Vote credits', format: (value: number) => count(value), axis: few },
  skipRate: { label: 'Skip rate', format: (value: number) => percent(value), axis: pct },
  activeStakeSol: {
    label: 'Active stake',
    format: (value: number) => `${solShort(Number(value.toFixed(9)))} SOL`,
    axis: few,
  },
} as const;

/** Ascending, without duplicate epochs or seconds. */
export const seriesOf = (
  { epochs, voteSamples }: Pick<ValidatorHistoryAnswer, 'epochs' | 'voteSamples'>,
  metric: Metric,
): MetricSeries => {
  if (metric === 'votes') {
    const bySecond = new Map(
      voteSamples.map(({ timestamp, voteSuccessRate }) => [
        Math.floor(Date.parse(timestamp) / 1000),
        voteSuccessRate,
      ]),
    );
    const xs = [...bySecond.keys()].sort((one, other) => one - other);
    return {
      label: 'Votes that counted',
      xs,
      values: xs.map((second) => bySecond.get(second)!),
      time: true,
      format: (value) => percent(value),
      axis: pct,
    };
  }
  const sorted = [...epochs].sort((one: ValidatorEpoch, other) => one.epoch - other.epoch);
  return {
    ...EPOCHS[metric],
    xs: sorted.map(({ epoch }) => epoch),
    values: sorted.map((one) => one[metric]),
    time: false,
  };
};
