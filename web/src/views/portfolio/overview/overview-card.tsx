// The wallet's SOL, where it is, and the next step.
import type { Portfolio, StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import type { Resource } from '../../../api/use-resource.ts';
import { useForeignControl } from '../../../shell/foreign-control.ts';
import { stakeAlert } from '../../../shell/stake-alert.ts';
import { useNow } from '../../../state/use-now.ts';
import { durationText, lamportsOf, solShort, solText, yearlyYield } from '../../../text/format-figures.ts';
import { Card } from '../../../ui/card.tsx';
import { criticalNotice, Notices } from '../../../ui/notices.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioOverviewEnglish } from '../../../words/en/portfolio/overview.ts';
import { boundaryWords } from '../accounts/timeline-words.ts';
import { useTiming } from '../portfolio-reads.ts';
import { FirstLine } from './first-line.tsx';
import { NextStep } from './next-step.tsx';
import styles from './overview-card.module.css';

const { say } = defineWords('portfolioOverview', portfolioOverviewEnglish);

/** Deactivating stake is still effective, so each lamport only counts in one part. */
const partsOf = (portfolio: Portfolio) => {
  const { liquidSol, activeSol, activatingSol, deactivatingSol, withdrawableSol } = portfolio;
  const steady = lamportsOf(activeSol) - lamportsOf(deactivatingSol);
  return [
    { key: 'wallet', label: say('partWallet'), lamports: lamportsOf(liquidSol) },
    { key: 'active', label: say('partActive'), lamports: steady > 0n ? steady : 0n },
    { key: 'activating', label: say('partActivating'), lamports: lamportsOf(activatingSol) },
    { key: 'cooling', label: say('partDeactivating'), lamports: lamportsOf(deactivatingSol) },
    { key: 'withdrawable', label: say('partWithdrawable'), lamports: lamportsOf(withdrawableSol) },
  ];
};

/** Several notices take one line until they are expanded. */
const Notes = ({ notices }: { notices: StakingSummaryAnswer['notices'] }) =>
  notices.length === 0 ? null : (
    <details className={styles.notes}>
      <summary>{say('notes', { count: notices.length })}</summary>
      <div className={styles.warnings}>
        <Notices notices={notices} />
      </div>
    </details>
  );

const Parts = ({ portfolio, notices }: Pick<StakingSummaryAnswer, 'portfolio' | 'notices'>) => {
  const parts = partsOf(portfolio);
  return (
    <div className={styles.parts}>
      <div className={styles.bar} aria-hidden="true">
        {parts
          .filter(({ lamports }) => lamports > 0n)
          .map(({ key, lamports }) => (
            <span key={key} className={styles[key]} style={{ flexGrow: Number(lamports) }} />
          ))}
      </div>
      <div className={styles.legend}>
        <dl className={styles.list}>
          {parts.map(({ key, label, lamports }) => (
            <div key={key} className={lamports === 0n ? styles.none : undefined} data-part={key}>
              <dt>
                <span className={`${styles.swatch} ${styles[key]}`} aria-hidden="true" />
                {label}
              </dt>
              <dd>{say('amountSol', { amount: solShort(lamports) })}</dd>
            </div>
          ))}
        </dl>
        <Notes notices={notices} />
      </div>
    </div>
  );
};

/** Counts the wallet's accounts with active or activating stake. */
const stakedAccounts = ({ accounts }: StakingSummaryAnswer) =>
  accounts.filter(({ role, state }) => role === 'owner' && state !== 'inactive' && state !== 'initialized');

const Earnings = ({ data }: { data: StakingSummaryAnswer }) => {
  const staked = stakedAccounts(data);
  const staying = staked.filter(({ state }) => state !== 'deactivating');
  const daily = staying.reduce<bigint | null>(
    (sum, { estimatedDailyRewardSol: sol }) => (sum === null || sol === null ? null : sum + lamportsOf(sol)),
    0n,
  );
  const { totalApy = null, atLeastApy = null } = data.apy ?? {};
  // The notice describes the rewards in this case.
  if (data.portfolio.activeSol === 0 || criticalNotice(data.notices) !== undefined) return null;
  const earns = (): string => {
    if (staying.length === 0) return say('earnsUntilEnd');
    if (daily === null) return say('earningsUnavailable');
    const amount = solText(daily, 6);
    if (atLeastApy === null) return say('earnsDaily', { amount });
    const yearly = yearlyYield({ totalApy, atLeastApy });
    return say(totalApy === null ? 'earnsYearlyNoTips' : 'earnsYearly', { amount, yearly });
  };
  return <p className={styles.earnings}>{earns()}</p>;
};

/** Explains a wait that depends on the epoch. */
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
    ? seconds > 0 && seconds < 90
      ? say('epochEndsIn', { duration: durationText(seconds) })
      : say('epochEnds', { when: boundaryWords(timing.timing, nowMs) })
    : null;
};

/** Requires `data`. */
export const OverviewCard = ({
  summary,
  walletAddress,
  canAct,
  canOffer,
}: {
  summary: Resource<StakingSummaryAnswer>;
  walletAddress: string;
  canAct: boolean;
  /** True if a stake may be offered. */
  canOffer: boolean;
}) => {
  const data = summary.data!;
  const { portfolio, recommendedAction, accounts } = data;
  const waitWords = useWaitWords(summary);
  // An alert above the view explains what to do.
  const above = canAct ? stakeAlert(data)?.text : undefined;
  const isAlerted =
    (useForeignControl() !== null && ['STAKE', 'HOLD'].includes(recommendedAction.action)) ||
    (above !== undefined && recommendedAction.action === 'HOLD');
  const isOffer = recommendedAction.action === 'STAKE' || recommendedAction.action === 'FUND';
  const noStep = isAlerted || (isOffer && !canOffer);
  const urgent = data.notices.filter(({ severity, text }) => severity !== 'info' && text !== above);
  const critical = data.notices.filter(({ severity }) => severity === 'critical');
  const notes = data.notices.filter(({ severity }) => severity === 'info');
  const staked = stakedAccounts(data).reduce((sum, { lamports }) => sum + BigInt(lamports), 0n);
  // Inactive stake is in stake accounts, but no longer staked.
  const inAccounts = lamportsOf(portfolio.totalStakedSol);
  const shown = staked > 0n ? staked : inAccounts;
  const isWhole = accounts.some(
    ({ address, withdrawReady }) => address === recommendedAction.stakeAccountAddress && withdrawReady,
  );
  return (
    <Card label={say('overview')}>
      {urgent.length > 0 && (
        <div className={styles.warnings}>
          <Notices notices={urgent} />
        </div>
      )}
      <div className={styles.overview}>
        <FirstLine summary={summary} walletAddress={walletAddress}>
          <div className={styles.total}>
            <p className={styles.figure}>
              <span className={styles.amount} data-total-staked={portfolio.totalStakedSol}>
                {solShort(shown)}
              </span>
              <span className={styles.unit}>
                {say(staked > 0n || inAccounts === 0n ? 'solStaked' : 'solInAccounts')}
              </span>
            </p>
            <Earnings data={data} />
          </div>
        </FirstLine>
        <Parts portfolio={portfolio} notices={notes} />
        {!noStep && (
          <NextStep
            recommended={recommendedAction}
            walletAddress={walletAddress}
            isWhole={isWhole}
            isFailing={critical.some(({ code }) => code !== 'FOREIGN_STAKE_AUTHORITY')}
            canAct={canAct}
            busy={summary.loading}
            onAgain={summary.refresh}
          >
            {waitWords !== null && <p>{waitWords}</p>}
          </NextStep>
        )}
      </div>
    </Card>
  );
};
