// Rewards by epoch: stacked inflation and tips, their totals, and a CSV download.
import { useMemo, useState } from 'react';
import type { StakingRewardsAnswer } from '../../../../client/generated/stake-operations.ts';
import { LoadError } from '../../api/load-error.tsx';
import { useEpoch } from '../../api/shared-reads.ts';
import { Chart, type ChartSeries } from '../../chart/chart.tsx';
import { epochTicks } from '../../chart/epoch-ticks.ts';
import { lamportsOf, shortAddress, solShort, solText } from '../../text/format-figures.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Choice } from '../../ui/controls/tabs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { useRewards } from './portfolio-reads.ts';
import { areRewardsAwaited, rewardsByEpoch, totalOf } from './rewards-by-epoch.ts';
import styles from './rewards-panel.module.css';

const BACK = [
  { value: '30', label: '30 epochs' },
  { value: '90', label: '90' },
  { value: '200', label: '200' },
] as const;

const axisSol = (sol: number): string => String(Number(sol.toPrecision(3)));

const Bars = ({ data }: { data: StakingRewardsAnswer }) => {
  const sums = useMemo(() => rewardsByEpoch(data.rewards), [data]);
  const xs = useMemo(() => sums.map(({ epoch }) => epoch), [sums]);
  const series = useMemo(
    (): readonly ChartSeries[] => [
      {
        label: 'Tips',
        values: sums.map(({ tipsSol }) => tipsSol),
        drawn: sums.map(totalOf),
        tone: 'info',
        kind: 'bars',
      },
      {
        label: 'Inflation',
        values: sums.map(({ inflationSol }) => inflationSol),
        tone: 'accent',
        kind: 'bars',
      },
    ],
    [sums],
  );
  const unknown = sums.reduce((count, { unknown: more }) => count + more, 0);
  return (
    <>
      <Chart
        caption="Rewards by epoch, inflation and tips"
        xs={xs}
        series={series}
        formatX={(epoch) => `Epoch ${epoch}`}
        formatY={(sol) => `${solShort(Number(sol.toFixed(9)))} SOL`}
        axisX={(epoch) => (Number.isInteger(epoch) ? String(epoch) : '')}
        axisY={axisSol}
        splitsX={epochTicks(xs)}
        height={124}
      />
      {unknown > 0 && (
        <p className={styles.note} role="status">
          {unknown} {unknown === 1 ? 'figure is' : 'figures are'} unavailable and left out of the totals.
        </p>
      )}
    </>
  );
};

const solOrUnknown = (sol: number | null): string =>
  sol === null ? 'Unknown' : `${solText(lamportsOf(sol))} SOL`;

const Totals = ({ data }: { data: StakingRewardsAnswer }) => {
  const { inflationSol, tipsSol } = data.totals;
  const total = totalOf({ inflationSol, tipsSol });
  return (
    <Stats>
      <Stat label="Total" value={solOrUnknown(total)} note={`epochs ${data.fromEpoch} to ${data.toEpoch}`} />
      <Stat
        label={
          <>
            <span className={`${styles.swatch} ${styles.inflation}`} aria-hidden="true" /> Inflation
          </>
        }
        value={solOrUnknown(inflationSol)}
        note="paid by the cluster"
      />
      <Stat
        label={
          <>
            <span className={`${styles.swatch} ${styles.tips}`} aria-hidden="true" /> Tips
          </>
        }
        value={solOrUnknown(tipsSol)}
        note="passed on by the validator"
      />
    </Stats>
  );
};

/** `hasStake`: true if a first reward is to be expected. */
export const RewardsPanel = ({ walletAddress, hasStake }: { walletAddress: string; hasStake: boolean }) => {
  const [back, setBack] = useState<(typeof BACK)[number]['value']>('30');
  const { data: epoch } = useEpoch();
  const [awaited, setAwaited] = useState(false);
  const rewards = useRewards(walletAddress, Number(back), awaited);
  const { data } = rewards;
  const isLate = hasStake && data !== undefined && epoch !== undefined && areRewardsAwaited(data, epoch);
  if (isLate !== awaited) setAwaited(isLate);
  // Unknown rewards count: the chart shows the gap.
  const hasRewards =
    data?.rewards.some(({ inflationSol, tipsSol }) => inflationSol !== 0 || tipsSol !== 0) === true;
  const csv = `/api/v1/stake/rewards/${walletAddress}?epochs=${back}&format=csv`;
  return (
    <div className={styles.content}>
      <div className={styles.head}>
        {hasRewards ? (
          <Totals data={data} />
        ) : (
          <p className={styles.note}>Paid rewards, from finalized blocks</p>
        )}
        <div className={styles.tools}>
          <Choice label="Period" tabs={BACK} value={back} onChange={setBack} compact />
          {hasRewards && (
            <ButtonLink
              size="s"
              icon="down"
              href={csv}
              download={`holdfast-rewards-${shortAddress(walletAddress).replace('…', '-')}.csv`}
            >
              CSV
            </ButtonLink>
          )}
        </div>
      </div>
      <LoadError resource={rewards} what="Rewards" />
      {rewards.pending && <Skeleton height="200px" />}
      {data !== undefined && !hasRewards && (
        <Empty icon="portfolio" title={hasStake ? 'No rewards yet' : 'No rewards'}>
          {hasStake
            ? 'A stake earns from the epoch after it is delegated and is paid when that epoch ends.'
            : 'No rewards in these epochs.'}
        </Empty>
      )}
      {hasRewards && <Bars data={data} />}
      {data?.warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
    </div>
  );
};
