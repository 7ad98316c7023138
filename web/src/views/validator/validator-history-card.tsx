// The validator's performance by epoch: yield, credits, skipped slots and stake, and samples of its votes.
import { useMemo, useState } from 'react';
import { LoadError } from '../../api/load-error.tsx';
import { Chart } from '../../chart/chart.tsx';
import { epochTicks } from '../../chart/epoch-ticks.ts';
import { timeText } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/controls/tabs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Metric, seriesOf } from './history-series.ts';
import { useHistory } from './validator-reads.ts';
import styles from './validator-view.module.css';
import { Warnings } from './warnings.tsx';

const METRICS: readonly { readonly value: Metric; readonly label: string }[] = [
  { value: 'apy', label: 'APY' },
  { value: 'credits', label: 'Credits' },
  { value: 'skipRate', label: 'Skip rate' },
  { value: 'activeStakeSol', label: 'Stake' },
  { value: 'votes', label: 'Votes' },
];

/** Levels are drawn as lines on an axis scaled to the data, amounts per epoch as bars that start at zero. */
const KINDS = {
  apy: 'line',
  credits: 'bars',
  skipRate: 'bars',
  activeStakeSol: 'line',
  votes: 'area',
} as const;

const HEIGHT = 240;

const second = (at: number): string => timeText(new Date(at * 1000).toISOString());

/** Epochs with unknown values are gaps, counted below the chart. */
export const HistoryCard = () => {
  const history = useHistory();
  const [metric, setMetric] = useState<Metric>('apy');
  const { data } = history;
  const shown = useMemo(() => (data === undefined ? null : seriesOf(data, metric)), [data, metric]);
  const series = useMemo(
    () =>
      shown === null
        ? []
        : [
            {
              label: shown.label,
              values: shown.values,
              tone: metric === 'skipRate' ? ('warn' as const) : ('accent' as const),
              kind: KINDS[metric],
            },
          ],
    [shown, metric],
  );
  const gaps = shown?.values.filter((value) => value === null).length ?? 0;
  const isEmpty = shown !== null && shown.values.length - gaps < (shown.time ? 2 : 1);
  const isZero = shown !== null && !isEmpty && shown.values.every((value) => value === null || value === 0);
  return (
    <Card
      title="History"
      note={metric === 'votes' ? 'Samples taken by this service' : 'Completed epochs'}
      actions={<Choice label="Metric" tabs={METRICS} value={metric} onChange={setMetric} compact />}
    >
      <LoadError resource={history} what="The history" />
      {history.pending && <Skeleton height={`${HEIGHT}px`} />}
      {shown !== null && isEmpty && (
        <Empty icon="clock" title="Not known yet">
          {shown.time
            ? 'The first vote samples are being taken.'
            : `No completed epoch has a known ${shown.label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())} yet. It is not filled in.`}
        </Empty>
      )}
      {isZero && (
        <Empty icon="check" title={`${shown.label}: ${shown.format(0)}`}>
          The same in every known epoch.
        </Empty>
      )}
      {shown !== null && !isEmpty && !isZero && (
        <Chart
          key={metric}
          caption={shown.time ? `${shown.label}, by sample` : `${shown.label} by epoch`}
          xs={shown.xs}
          series={series}
          time={shown.time}
          height={HEIGHT}
          formatX={shown.time ? second : (epoch) => `Epoch ${epoch}`}
          formatY={shown.format}
          axisX={shown.time ? second : (epoch) => (Number.isInteger(epoch) ? String(epoch) : '')}
          axisY={shown.axis}
          fromZero={KINDS[metric] === 'bars'}
          {...(shown.time ? {} : { splitsX: epochTicks(shown.xs) })}
        />
      )}
      {shown !== null && !isEmpty && gaps > 0 && (
        <p className={styles.muted}>
          Not known for {gaps} of {shown.values.length} epochs, shown as gaps.
        </p>
      )}
      <Warnings warnings={data?.warnings} />
    </Card>
  );
};
