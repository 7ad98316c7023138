// The validator itself: income, rank, vote latency, and skip rate compared with the cluster's, now and by
// epoch.
import { useMemo } from 'react';
import { LoadError } from '../../api/load-error.tsx';
import { Chart } from '../../chart/chart.tsx';
import { epochTicks } from '../../chart/epoch-ticks.ts';
import { count, percent } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Sol } from '../../ui/sol.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from '../console.module.css';
import type { OwnValidator } from '../operator-api.ts';
import { useOwnValidator } from '../operator-reads.ts';
import { completePart, INCOME_PARTS, incomeOf } from './own-income.ts';
import { CHART_HEIGHT, epochFormats } from './stake-charts.tsx';

type OwnEpoch = OwnValidator['epochs'][number];

const UNKNOWN = 'Unknown';

const rankText = ({ stakeRank, validators }: OwnEpoch): string =>
  stakeRank === null ? UNKNOWN : `${count(stakeRank)} of ${count(validators)}`;
const latencyText = (slots: number | null): string =>
  slots === null ? UNKNOWN : slots === 1 ? '1 slot' : `${slots} slots`;
const rateText = (rate: number | null): string => (rate === null ? UNKNOWN : percent(rate));

const Income = ({ amount }: { amount: number | bigint | null }) =>
  amount === null ? UNKNOWN : <Sol amount={amount} />;

const BlockRewards = ({ blockRewardsSol, leaderSlotsUnread }: OwnEpoch) => (
  <>
    <Income amount={blockRewardsSol} />
    {blockRewardsSol !== null && leaderSlotsUnread !== 0 && ' so far'}
  </>
);

const columnsAt = (currentEpoch: number): readonly Column<OwnEpoch>[] => [
  { key: 'epoch', title: 'Epoch', cell: ({ epoch }) => epoch, numeric: true },
  ...(['commissionSol', 'tipsSol'] as const).map((key) => ({
    key,
    title: INCOME_PARTS.find((part) => part.key === key)!.title,
    // Both are paid after the epoch.
    cell: (row: OwnEpoch) =>
      row.epoch === currentEpoch && row[key] === null ? 'After its end' : <Income amount={row[key]} />,
    numeric: true,
  })),
  { key: 'blocks', title: 'Block rewards', cell: (row) => <BlockRewards {...row} />, numeric: true },
  { key: 'rank', title: 'Rank by stake', cell: rankText, numeric: true },
  { key: 'skip', title: 'Skip rate', cell: ({ skipRate }) => rateText(skipRate), numeric: true },
  {
    key: 'cluster',
    title: 'Cluster',
    cell: ({ clusterSkipRate }) => rateText(clusterSkipRate),
    numeric: true,
  },
];

const Figures = ({ own, currentEpoch }: { own: OwnValidator; currentEpoch: number }) => {
  const [now] = own.epochs;
  const ended = own.epochs.find(({ epoch }) => epoch < currentEpoch);
  const income = ended && incomeOf(ended);
  return (
    <Stats>
      <Stat
        label={ended ? `Your income in epoch ${ended.epoch}` : 'Your income per epoch'}
        value={<Income amount={income?.lamports ?? null} />}
        note={
          income === undefined
            ? 'after the first epoch'
            : income.unknown.length > 0
              ? `unknown: ${income.unknown.join(', ')}`
              : undefined
        }
      />
      <Stat label="Rank by stake" value={now ? rankText(now) : UNKNOWN} />
      <Stat
        label="Skip rate"
        value={rateText(now?.skipRate ?? null)}
        note={`cluster ${rateText(now?.clusterSkipRate ?? null).toLowerCase()}`}
      />
      <Stat label="Vote latency" value={latencyText(own.voteLatencySlots)} note="average of the last votes" />
    </Stats>
  );
};

const sumOf = (row: OwnEpoch, parts: readonly (typeof INCOME_PARTS)[number][]): number =>
  parts.reduce((sum, { key }) => sum + (completePart(row, key) ?? 0), 0);

/** `epochs` must be ended epochs in ascending order. */
const IncomeChart = ({ epochs }: { epochs: readonly OwnEpoch[] }) => {
  const { xs, series } = useMemo(
    () => ({
      xs: epochs.map(({ epoch }) => epoch),
      series: INCOME_PARTS.map(({ key, title, tone }, at) => ({
        label: title,
        values: epochs.map((row) => completePart(row, key)),
        drawn: epochs.map((row) => sumOf(row, INCOME_PARTS.slice(0, at + 1))),
        tone,
        kind: 'bars' as const,
      })).toReversed(),
    }),
    [epochs],
  );
  return (
    <Card title="Your income" note="SOL by epoch, before the costs of voting">
      {epochs.every((row) => incomeOf(row).lamports === null) ? (
        <Empty icon="clock" title="No income recorded yet">
          It is recorded after the end of each epoch.
        </Empty>
      ) : (
        <Chart
          {...epochFormats}
          caption="Own income by epoch"
          xs={xs}
          series={series}
          splitsX={epochTicks(xs)}
          height={CHART_HEIGHT}
        />
      )}
    </Card>
  );
};

const rankFormat = (rank: number): string => count(Math.abs(Math.round(rank)));

/** `epochs` must be ascending. The best rank is at the top. */
const RankChart = ({ epochs }: { epochs: readonly OwnEpoch[] }) => {
  const { xs, series } = useMemo(() => {
    const known = epochs.filter(({ stakeRank }) => stakeRank !== null);
    return {
      xs: known.map(({ epoch }) => epoch),
      series: [
        {
          label: 'Rank',
          values: known.map(({ stakeRank }) => stakeRank),
          drawn: known.map(({ stakeRank }) => -stakeRank!),
          kind: 'line',
        },
      ] as const,
    };
  }, [epochs]);
  return (
    <Card title="Rank by stake" note="among all validators, by epoch">
      {xs.length < 2 ? (
        <Empty icon="clock" title="Only one epoch so far">
          The chart begins with the second one.
        </Empty>
      ) : (
        <Chart
          caption="Rank by stake by epoch"
          xs={xs}
          series={series}
          formatX={epochFormats.formatX}
          axisX={epochFormats.axisX}
          formatY={rankFormat}
          splitsX={epochTicks(xs)}
          fromZero={false}
          height={CHART_HEIGHT}
        />
      )}
    </Card>
  );
};

/** `currentEpoch` marks the epoch whose income is not complete. */
export const OwnValidatorCards = ({ currentEpoch }: { currentEpoch: number }) => {
  const own = useOwnValidator();
  const { data } = own;
  const ascending = useMemo(() => data?.epochs.toReversed() ?? [], [data]);
  const ended = useMemo(
    () => ascending.filter(({ epoch }) => epoch < currentEpoch),
    [ascending, currentEpoch],
  );
  return (
    <>
      <LoadError resource={own} what="The validator's record" />
      {own.pending && <SkeletonText what="Loading your validator's history" />}
      {data !== undefined && (
        <>
          <Card title="Your validator" note={data.warnings.join(' ') || undefined}>
            <Figures own={data} currentEpoch={currentEpoch} />
          </Card>
          <div className={styles.pair}>
            <IncomeChart epochs={ended} />
            <RankChart epochs={ascending} />
          </div>
          {data.epochs.length > 0 && (
            <Card title="Your validator by epoch" note="Recorded every 15 minutes" flush>
              <Table
                caption="Income, rank and skip rate by epoch"
                columns={columnsAt(currentEpoch)}
                rows={data.epochs}
                rowKey={({ epoch }) => String(epoch)}
              />
            </Card>
          )}
        </>
      )}
    </>
  );
};
