// Cards about the validator itself: income, rank, vote latency, and skip rate compared with the cluster's, now
// and by epoch.
import { useMemo } from 'react';
import { LoadError } from '../../api/load-error.tsx';
import { Chart } from '../../chart/chart.tsx';
import { epochTicks, rowsByEpoch } from '../../chart/epoch-ticks.ts';
import { count, percent, yearlyYield } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Sol } from '../../ui/sol.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import styles from '../console.module.css';
import type { OwnValidator } from '../operator-api.ts';
import { useOwnValidator } from '../operator-reads.ts';
import { type ShortColumn, ShortTable } from '../short-table.tsx';
import { completePart, INCOME_PARTS, incomeNote, incomeOf, missingIncome } from './own-income.ts';
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

const columnsAt = (currentEpoch: number): readonly ShortColumn<OwnEpoch>[] => [
  { key: 'epoch', title: 'Epoch', cell: ({ epoch }) => `Epoch ${epoch}`, place: 'subject' },
  ...(['commissionSol', 'tipsSol'] as const).map((key) => ({
    key,
    title: INCOME_PARTS.find((part) => part.key === key)!.title,
    // Commission and tips are paid after the epoch.
    cell: (row: OwnEpoch) =>
      row.epoch === currentEpoch && row[key] === null ? 'After its end' : <Income amount={row[key]} />,
    numeric: true,
    isEmpty: (row: OwnEpoch) => row[key] === null,
  })),
  {
    key: 'blocks',
    title: 'Block rewards',
    cell: (row) => <BlockRewards {...row} />,
    numeric: true,
    isEmpty: ({ blockRewardsSol }) => blockRewardsSol === null,
  },
  { key: 'rank', title: 'Rank by stake', cell: rankText, numeric: true },
  {
    key: 'skip',
    title: 'Skip rate',
    cell: ({ skipRate }) => rateText(skipRate),
    numeric: true,
    isEmpty: ({ skipRate }) => skipRate === null,
  },
  {
    key: 'cluster',
    title: 'Cluster skip rate',
    cell: ({ clusterSkipRate }) => rateText(clusterSkipRate),
    numeric: true,
    isEmpty: ({ clusterSkipRate }) => clusterSkipRate === null,
  },
];

const Yield = ({ apy }: Pick<OwnValidator, 'apy'>) => {
  const interval = apy?.interval ?? null;
  const asOf = apy?.notices.find(({ code }) => code === 'YIELD_AS_OF');
  return (
    <Stat
      label="Your stakers' APY"
      value={apy === null ? UNKNOWN : yearlyYield(apy)}
      note={
        asOf !== undefined
          ? asOf.text
          : interval === null
            ? apy?.intervalMissing?.text
            : `80% interval ${percent(interval.lowApy)} to ${percent(interval.highApy)}; ${apy!.pastIntervals.held} of ${apy!.pastIntervals.said} earlier intervals held`
      }
    />
  );
};

const Figures = ({ own, currentEpoch }: { own: OwnValidator; currentEpoch: number }) => {
  const [now] = own.epochs;
  const ended = own.epochs.find(({ epoch }) => epoch < currentEpoch);
  const income = ended && incomeOf(ended);
  return (
    <Stats>
      <Stat
        label={ended ? `Your income in epoch ${ended.epoch}` : 'Your income per epoch'}
        value={
          income === undefined || income.isUnknown ? (
            UNKNOWN
          ) : (
            <>
              {income.unknown.length > 0 && 'at least '}
              <Income amount={income.lamports} />
            </>
          )
        }
        note={income === undefined ? 'after the first epoch' : incomeNote(income, own)}
      />
      <Stat
        label="Rank by stake"
        value={now ? rankText(now) : UNKNOWN}
        note="among validators with stake; 1 is the largest"
      />
      <Stat
        label="Skip rate"
        value={rateText(now?.skipRate ?? null)}
        note={`cluster ${rateText(now?.clusterSkipRate ?? null).toLowerCase()}`}
      />
      <Yield apy={own.apy} />
      <Stat label="Vote latency" value={latencyText(own.voteLatencySlots)} note="average of the last votes" />
    </Stats>
  );
};

const sumOf = (row: OwnEpoch, parts: readonly (typeof INCOME_PARTS)[number][]): number =>
  parts.reduce((sum, { key }) => sum + (completePart(row, key) ?? 0), 0);

/** `epochs` must be ended epochs. */
const IncomeChart = ({ epochs, own }: { epochs: readonly OwnEpoch[]; own: OwnValidator }) => {
  const { xs, series } = useMemo(() => {
    const { xs, rows } = rowsByEpoch(epochs);
    return {
      xs,
      series: INCOME_PARTS.map(({ key, title, tone }, at) => ({
        label: title,
        values: rows.map((row) => (row ? completePart(row, key) : null)),
        drawn: rows.map((row) => (row ? sumOf(row, INCOME_PARTS.slice(0, at + 1)) : null)),
        tone,
        kind: 'bars' as const,
      })).toReversed(),
    };
  }, [epochs]);
  const missing = missingIncome(epochs, own);
  return (
    <Card title="Your income" note="SOL by epoch, before the costs of voting">
      {missing !== null ? (
        <Empty icon="clock" title={missing.title}>
          {missing.text}
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

/** Renders the chart of the rank, with the best rank at the top. */
const RankChart = ({ epochs }: { epochs: readonly OwnEpoch[] }) => {
  const { xs, series, validators } = useMemo(() => {
    const { xs, rows } = rowsByEpoch(epochs);
    const values = rows.map((row) => row?.stakeRank ?? null);
    return {
      validators: Math.max(...epochs.map((row) => row.validators ?? row.stakeRank ?? 0)),
      xs,
      series: [{ label: 'Rank', values, drawn: values.map((rank) => rank && -rank), kind: 'step' }] as const,
    };
  }, [epochs]);
  return (
    <Card title="Rank by stake" note="among validators with stake, by epoch">
      {series[0].values.filter((rank) => rank !== null).length < 2 ? (
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
          axisY={(rank) =>
            Number.isInteger(rank) && rank < 0 && -rank <= validators ? rankFormat(rank) : ''
          }
          splitsX={epochTicks(xs)}
          fromZero={false}
          leastSpan={0.05}
          height={CHART_HEIGHT}
        />
      )}
    </Card>
  );
};

/** Returns the notices as a text for the operator. */
const noteOf = (notices: OwnValidator['notices']): string | undefined =>
  notices
    .map(({ code, text }) =>
      code === 'NO_MEV_PROVIDER'
        ? 'Tips are unknown, because no provider of MEV statistics is set (HOLDFAST_JITO_URL).'
        : text,
    )
    .join(' ') || undefined;

/** While the chain cannot be read, the newest recorded epoch may still be running. */
const runningEpoch = (given: number | undefined, data: OwnValidator | undefined): number =>
  given ?? data?.epochs[0]?.epoch ?? 0;

/** Income, rank and skip rate by epoch. */
export const OwnEpochsCard = ({ currentEpoch }: { currentEpoch: number | undefined }) => {
  const { data } = useOwnValidator();
  return (
    data !== undefined &&
    data.epochs.length > 0 && (
      <Card title="Your validator by epoch" note="Recorded every 15 minutes" flush>
        <ShortTable
          caption="Income, rank and skip rate by epoch"
          columns={columnsAt(runningEpoch(currentEpoch, data))}
          rows={data.epochs}
          rowKey={({ epoch }) => String(epoch)}
        />
      </Card>
    )
  );
};

/** `currentEpoch` marks the epoch whose income is not complete; undefined while the chain cannot be read. */
export const OwnValidatorCards = ({ currentEpoch: given }: { currentEpoch: number | undefined }) => {
  const own = useOwnValidator();
  const { data } = own;
  const currentEpoch = runningEpoch(given, data);
  const ended = useMemo(
    () => data?.epochs.filter(({ epoch }) => epoch < currentEpoch) ?? [],
    [data, currentEpoch],
  );
  return (
    <>
      <LoadError resource={own} what="The validator's record" />
      {own.pending && <SkeletonText what="Loading your validator's history" />}
      {data !== undefined && (
        <>
          <Card title="Your validator" note={noteOf(data.notices)}>
            <Figures own={data} currentEpoch={currentEpoch} />
          </Card>
          <div className={styles.pair}>
            <IncomeChart epochs={ended} own={data} />
            <RankChart epochs={data.epochs} />
          </div>
        </>
      )}
    </>
  );
};
