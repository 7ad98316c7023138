// The wallet's SOL, where it is, and the next step.
import type { StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import { useValidator } from '../../../api/shared-reads.ts';
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
import { type SolPlaces, whereSolIs } from './where-sol-is.ts';

const { say } = defineWords('portfolioOverview', portfolioOverviewEnglish);

const partsOf = (places: SolPlaces) => [
  { key: 'wallet', label: say('partWallet'), lamports: places.wallet },
  { key: 'active', label: say('partActive'), lamports: places.active },
  { key: 'activating', label: say('partActivating'), lamports: places.activating },
  { key: 'cooling', label: say('partDeactivating'), lamports: places.cooling },
  { key: 'withdrawable', label: say('partWithdrawable'), lamports: places.withdrawable },
  ...(places.locked > 0n ? [{ key: 'locked', label: say('partLocked'), lamports: places.locked }] : []),
];

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

const Parts = ({ places, notices }: { places: SolPlaces; notices: StakingSummaryAnswer['notices'] }) => {
  const parts = partsOf(places);
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
  // The figure of the Stake and Validator views; the summary's own one may be younger.
  const { totalApy = null, atLeastApy = null } = useValidator().data?.apy ?? data.apy ?? {};
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
  const places = whereSolIs(portfolio.liquidSol, accounts);
  const staked = places.active + places.activating;
  // Deactivating and inactive stake is in stake accounts, but no longer staked.
  const unstaked = places.cooling + places.withdrawable + places.locked;
  const shown = staked > 0n ? staked : unstaked;
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
              <span className={styles.unit}>{say(shown === staked ? 'solStaked' : 'solInAccounts')}</span>
            </p>
            <Earnings data={data} />
          </div>
        </FirstLine>
        <Parts places={places} notices={notes} />
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
