// What the wallet has, where it is, and the one thing to do next.
import type { Portfolio, StakingSummaryAnswer } from '../../../../client/generated/stake-operations.ts';
import type { Resource } from '../../api/use-resource.ts';
import { Card } from '../../ui/card.tsx';
import { duration, lamportsOf, percent, solShort, solText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/use-now.ts';
import { NextStep } from './next-step.tsx';
import styles from './overview-card.module.css';
import { useTiming } from './portfolio-reads.ts';
import { boundaryWords } from './timeline-words.ts';

/** What is cooling down is effective still; in the bar each lamport stands once. */
const partsOf = (portfolio: Portfolio) => {
  const { liquidSol, activeSol, activatingSol, deactivatingSol, withdrawableSol } = portfolio;
  const steady = lamportsOf(activeSol) - lamportsOf(deactivatingSol);
  return [
    { key: 'wallet', label: 'In the wallet', sol: liquidSol, width: lamportsOf(liquidSol) },
    {
      key: 'active',
      label: 'Active',
      sol: activeSol,
      width: steady > 0n ? steady : 0n,
      note: deactivatingSol > 0 ? 'with what cools down' : undefined,
    },
    { key: 'activating', label: 'Activating', sol: activatingSol, width: lamportsOf(activatingSol) },
    { key: 'cooling', label: 'Cooling down', sol: deactivatingSol, width: lamportsOf(deactivatingSol) },
    {
      key: 'withdrawable',
      label: 'Withdrawable now',
      sol: withdrawableSol,
      width: lamportsOf(withdrawableSol),
    },
  ];
};

const Parts = ({ portfolio }: { portfolio: Portfolio }) => {
  const parts = partsOf(portfolio);
  return (
    <div className={styles.parts}>
      <div className={styles.bar} aria-hidden="true">
        {parts
          .filter(({ width }) => width > 0n)
          .map(({ key, width }) => (
            <span key={key} className={styles[key]} style={{ flexGrow: Number(width) }} />
          ))}
      </div>
      <dl className={styles.list}>
        {parts.map(({ key, label, sol, note }) => (
          <div key={key} className={sol === 0 ? styles.none : undefined} data-part={key}>
            <dt>
              <span className={`${styles.swatch} ${styles[key]}`} aria-hidden="true" />
              {label}
            </dt>
            <dd>
              {solShort(sol)} SOL
              {note !== undefined && <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
};

const Earnings = ({ data }: { data: StakingSummaryAnswer }) => {
  const known = data.accounts.map(({ estimatedDailyRewardSol }) => estimatedDailyRewardSol);
  const daily = known.reduce<bigint | null>(
    (sum, sol) => (sum === null || sol === null ? null : sum + lamportsOf(sol)),
    0n,
  );
  const apy = data.apy?.totalApy ?? null;
  if (data.portfolio.activeSol === 0) return null;
  return (
    <p className={styles.earnings}>
      {daily === null
        ? 'What it earns is not known now.'
        : `Earns about ${solText(daily, 6)} SOL a day${apy === null ? '.' : `, ${percent(apy)} a year.`}`}
    </p>
  );
};

/** Why a wait lasts, where the epoch's clock decides it. */
const useWaitWords = (summary: Resource<StakingSummaryAnswer>): string | null => {
  const timing = useTiming(summary);
  const nowMs = useNow(1_000);
  const recommended = summary.data?.recommendedAction;
  if (timing === null || recommended?.action !== 'WAIT' || timing.timing.epochRewardsActive) return null;
  const seconds = (Date.parse(timing.timing.estimatedEpochEnd) - nowMs) / 1000;
  const moves = summary.data!.accounts.some(
    ({ state }) => state === 'activating' || state === 'deactivating',
  );
  return moves
    ? `The epoch ends ${seconds > 0 && seconds < 90 ? `in ${duration(seconds)}` : boundaryWords(timing.timing, nowMs)}.`
    : null;
};

/** `data` is there. */
export const OverviewCard = ({
  summary,
  walletAddress,
  canAct,
}: {
  summary: Resource<StakingSummaryAnswer>;
  walletAddress: string;
  canAct: boolean;
}) => {
  const data = summary.data!;
  const { portfolio, recommendedAction, accounts } = data;
  const waitWords = useWaitWords(summary);
  const isWhole = accounts.some(
    ({ address, withdrawReady }) => address === recommendedAction.stakeAccountAddress && withdrawReady,
  );
  return (
    <Card title="Overview">
      <div className={styles.overview}>
        <div className={styles.total}>
          <p className={styles.figure}>
            <span className={styles.amount} data-total-staked={portfolio.totalStakedSol}>
              {solShort(portfolio.totalStakedSol)}
            </span>
            <span className={styles.unit}>SOL staked</span>
          </p>
          <Earnings data={data} />
        </div>
        <NextStep
          recommended={recommendedAction}
          walletAddress={walletAddress}
          isWhole={isWhole}
          canAct={canAct}
          busy={summary.loading}
          onAgain={summary.refresh}
        >
          {waitWords !== null && <p>{waitWords}</p>}
        </NextStep>
        <Parts portfolio={portfolio} />
      </div>
      {data.warnings.length > 0 && (
        <div className={styles.warnings}>
          {data.warnings.map((warning) => (
            <Notice key={warning}>{warning}</Notice>
          ))}
        </div>
      )}
    </Card>
  );
};
