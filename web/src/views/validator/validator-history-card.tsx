// The validator's performance by epoch: yield, credits, skipped slots and stake, and samples of its votes.
import { useMemo, useState } from 'react';
import { LoadError } from '../../api/load-error.tsx';
import { Chart } from '../../chart/chart.tsx';
import { epochTicks } from '../../chart/epoch-ticks.ts';
import { timeText } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { TabStyledChoice } from '../../ui/controls/tabs.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import { type Metric, seriesOf } from './history-series.ts';
import styles from './validator-view.module.css';
import { useHistory } from './validator-view-reads.ts';
import { Warnings } from './validator-warnings.tsx';

const { say } = defineWords('validator', validatorEnglish);

const METRICS = [
  { value: 'apy', label: 'apy' },
  { value: 'credits', label: 'credits' },
  { value: 'skipRate', label: 'skipRate' },
  { value: 'activeStakeSol', label: 'stake' },
  { value: 'votes', label: 'votes' },
] as const;

/**
 * Chart kind by metric. Levels are drawn as lines on an axis scaled to the data, amounts per epoch as bars that
 * start at zero.
 */
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
      title={say('history')}
      note={say(metric === 'votes' ? 'voteSamplesNote' : 'completedEpochs')}
      actions={
        <TabStyledChoice
          label={say('metric')}
          tabs={METRICS.map(({ value, label }) => ({ value, label: say(label) }))}
          value={metric}
          onChange={setMetric}
          compact
        />
      }
    >
      <LoadError resource={history} what={say('theHistory')} />
      {history.pending && <Skeleton height={`${HEIGHT}px`} />}
      {shown !== null && isEmpty && (
        <Empty icon="clock" title={say('notKnownYet')}>
          {shown.time ? say('firstSamples') : say('noKnownMetric', { metric })}
        </Empty>
      )}
      {isZero && (
        <Empty icon="check" title={say('metricValue', { metric: shown.label, value: shown.format(0) })}>
          {say('sameInEveryEpoch')}
        </Empty>
      )}
      {shown !== null && !isEmpty && !isZero && (
        <Chart
          key={metric}
          caption={say(shown.time ? 'bySample' : 'byEpoch', { metric: shown.label })}
          xs={shown.xs}
          series={series}
          time={shown.time}
          height={HEIGHT}
          formatX={shown.time ? second : (epoch) => say('epoch', { epoch })}
          formatY={shown.format}
          axisX={shown.time ? second : (epoch) => (Number.isInteger(epoch) ? String(epoch) : '')}
          axisY={shown.axis}
          fromZero={KINDS[metric] === 'bars'}
          // Without a minimum span, all labels of an axis with equal values would be equal.
          leastSpan={0.05}
          {...(shown.time ? {} : { splitsX: epochTicks(shown.xs) })}
        />
      )}
      {shown !== null && !isEmpty && gaps > 0 && (
        <p className={styles.muted}>{say('gaps', { gaps, total: shown.values.length })}</p>
      )}
      <Warnings notices={data?.notices} />
    </Card>
  );
};
