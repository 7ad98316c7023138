// The rewards as a chart: by epoch with inflation and tips, their running total, or the stake that earned
// them.
import { useMemo } from 'react';
import type { StakingRewardsAnswer } from '../../../../client/generated/stake-operations.ts';
import { Chart, type ChartSeries } from '../../chart/chart.tsx';
import { epochTicks } from '../../chart/epoch-ticks.ts';
import { exactSol } from '../../text/format-figures.ts';
import { Empty } from '../../ui/empty-state.tsx';
import { defineWords } from '../../words/define-words.ts';
import { rewardsEnglish } from '../../words/en/portfolio/rewards.ts';
import { paidBalances, rewardsByEpoch, runningTotals, totalOf } from './rewards-by-epoch.ts';

const { say } = defineWords('rewards', rewardsEnglish);

/** Selectable charts, with the ids of their names and captions. */
export const CHARTS = {
  epoch: { name: 'perEpoch', caption: 'perEpochCaption' },
  total: { name: 'total', caption: 'totalCaption' },
  stake: { name: 'stake', caption: 'stakeCaption' },
} as const;

export type ChartName = keyof typeof CHARTS;

const seriesOf = (
  rewards: StakingRewardsAnswer['rewards'],
  sums: ReturnType<typeof rewardsByEpoch>,
  name: ChartName,
): readonly ChartSeries[] => {
  switch (name) {
    case 'epoch':
      return [
        {
          label: say('tips'),
          values: sums.map(({ tipsSol }) => tipsSol),
          drawn: sums.map(totalOf),
          tone: 'info',
          kind: 'bars',
        },
        {
          label: say('inflation'),
          values: sums.map(({ inflationSol }) => inflationSol),
          tone: 'accent',
          kind: 'bars',
        },
      ];
    case 'total':
      return [{ label: say('total'), values: runningTotals(sums), kind: 'line' }];
    case 'stake':
      return [{ label: say('stake'), values: paidBalances(rewards, sums), kind: 'line' }];
  }
};

const solOf = (sol: number): string => exactSol(Number(sol.toFixed(9)));

/** Requires a response with rewards. */
export const RewardsChart = ({ data, name }: { data: StakingRewardsAnswer; name: ChartName }) => {
  const sums = useMemo(() => rewardsByEpoch(data.rewards), [data]);
  const xs = useMemo(() => sums.map(({ epoch }) => epoch), [sums]);
  const series = useMemo(() => seriesOf(data.rewards, sums, name), [data, sums, name]);
  if (series.every(({ values }) => values.every((value) => value === null)))
    return (
      <Empty icon="clock" title={say('notKnownYet')}>
        {say('notKnownYetWhy')}
      </Empty>
    );
  return (
    <Chart
      key={name}
      caption={say(CHARTS[name].caption)}
      xs={xs}
      series={series}
      formatX={(epoch) => say('epoch', { epoch })}
      formatY={(sol) => say('sol', { amount: solOf(sol) })}
      axisX={(epoch) => (Number.isInteger(epoch) ? String(epoch) : '')}
      axisY={solOf}
      splitsX={epochTicks(xs)}
      fromZero={name !== 'stake'}
      height={124}
    />
  );
};
