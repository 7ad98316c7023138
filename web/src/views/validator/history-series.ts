// Selects chart data from the validator's history. Unknown values become gaps.
import type {
  ValidatorEpoch,
  ValidatorHistoryAnswer,
} from '../../../../client/generated/validator-operations.ts';
import { axisNumber, count, percent, solShort } from '../../text/format-figures.ts';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import { locale } from '../../words/language.ts';

const { say } = defineWords('validator', validatorEnglish);

/** Selectable metrics. */
export type Metric = 'apy' | 'credits' | 'skipRate' | 'activeStakeSol' | 'votes';

interface MetricSeries {
  readonly label: string;
  /** Positions: epochs, or Unix seconds if `time`. */
  readonly xs: readonly number[];
  readonly values: readonly (number | null)[];
  readonly time: boolean;
  readonly format: (value: number) => string;
  readonly axis: (value: number) => string;
}

const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const few = (value: number): string => compact.format(value);
const pct = (value: number): string => say('percent', { value: axisNumber(value) });

const EPOCHS = {
  apy: { label: 'apy', format: (value: number) => percent(value), axis: pct },
  credits: { label: 'voteCredits', format: (value: number) => count(value), axis: few },
  skipRate: { label: 'skipRate', format: (value: number) => percent(value), axis: pct },
  activeStakeSol: {
    label: 'activeStake',
    format: (value: number) => `${solShort(Number(value.toFixed(9)))} SOL`,
    axis: few,
  },
} as const;

/** Returns the data sorted ascending, without duplicate epochs or seconds. */
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
      label: say('votesCounted'),
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
    label: say(EPOCHS[metric].label),
    xs: sorted.map(({ epoch }) => epoch),
    values: sorted.map((one) => one[metric]),
    time: false,
  };
};
