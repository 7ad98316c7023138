// The overview card: the wallet's SOL, where it is, and the next step.
import type { StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import { useValidator } from '../../../api/shared-reads.ts';
import type { Resource } from '../../../api/use-resource.ts';
import { alertAbove, useUnsaid } from '../../../state/alert-above.ts';
import { useStore } from '../../../state/create-store.ts';
import { useNow } from '../../../state/use-now.ts';
import { lamportsOf, solShort, yearlyYield } from '../../../text/format-figures.ts';
import { shownApy, yieldContents } from '../../../text/yearly-yield.ts';
import { Card } from '../../../ui/card.tsx';
import { criticalNotice, Notices } from '../../../ui/notice-list.tsx';
import { Sol } from '../../../ui/sol.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioOverviewEnglish } from '../../../words/en/portfolio/overview.ts';
import { MIN_IDLE_LAMPORTS } from '../accounts/idle-sol.ts';
import { boundaryWords } from '../accounts/timeline-words.ts';
import { readyElsewhere } from '../migrate/migrate-steps.ts';
import { useAllAccounts, useTiming } from '../portfolio-reads.ts';
import { FirstLine } from './first-line.tsx';
import { MoveStep, NextStep } from './next-step.tsx';
import styles from './overview-card.module.css';
import { inAccountsLamports, type SolPlaces, whereSolIs } from './where-sol-is.ts';

const { say } = defineWords('portfolioOverview', portfolioOverviewEnglish);

const partsOf = (places: SolPlaces, isIdleOnly: boolean) => [
  { key: 'wallet', label: say('partWallet'), lamports: places.wallet },
  { key: 'active', label: say('partActive'), lamports: places.active },
  { key: 'activating', label: say('partActivating'), lamports: places.activating },
  { key: 'cooling', label: say('partDeactivating'), lamports: places.cooling },
  {
    key: 'withdrawable',
    label: say(isIdleOnly ? 'partIdle' : 'partWithdrawable'),
    lamports: places.withdrawable,
  },
  { key: 'rent', label: say('partRent'), lamports: places.rent },
  { key: 'locked', label: say('partLocked'), lamports: places.locked },
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

const Parts = ({
  places,
  accounts,
  notices,
}: {
  places: SolPlaces;
  accounts: StakingSummaryAnswer['accounts'];
  notices: StakingSummaryAnswer['notices'];
}) => {
  const parts = partsOf(places, !accounts.some(({ withdrawReady }) => withdrawReady));
  const shown = parts.filter(({ key, lamports }) => lamports > 0n || key === 'wallet');
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
          {shown.map(({ key, label, lamports }) => (
            <div key={key} data-part={key}>
              <dt>
                <span className={`${styles.swatch} ${styles[key]}`} aria-hidden="true" />
                {label}
              </dt>
              <dd>
                <Sol amount={lamports} />
              </dd>
            </div>
          ))}
        </dl>
        <Notes notices={notices} />
      </div>
    </div>
  );
};

const Earnings = ({ data }: { data: StakingSummaryAnswer }) => {
  const isStaying = data.accounts.some(
    ({ role, state }) => role === 'owner' && (state === 'active' || state === 'activating'),
  );
  // Uses the yield of the Stake and Validator views, because the summary's own yield may be newer.
  const apy = useValidator().data?.apy ?? data.apy;
  // With a critical notice, the notice describes the rewards.
  if (data.portfolio.activeSol === 0 || criticalNotice(data.notices) !== undefined) return null;
  const earns = (): string => {
    if (!isStaying) return say('earnsUntilEnd');
    if (apy === undefined || shownApy(apy) === null) return say('earningsUnavailable');
    return say(apy.totalApy === null ? 'earnsYearlyNoTips' : 'earnsYearly', { yearly: yearlyYield(apy) });
  };
  return (
    <p className={styles.earnings} title={apy && yieldContents(apy)}>
      {earns()}
    </p>
  );
};

/** Says which event ends a wait, and when. Null if the wait does not end with this epoch. */
const useWaitWords = (
  summary: Resource<StakingSummaryAnswer>,
  { cooling, activating }: SolPlaces,
): string | null => {
  const timing = useTiming(summary)?.timing;
  const nowMs = useNow(1_000);
  const { recommendedAction, accounts } = summary.data!;
  if (timing === undefined || recommendedAction.action !== 'WAIT' || timing.epochRewardsActive) return null;
  const when = boundaryWords(timing, nowMs);
  const isReadyNext = accounts.every(
    ({ state, withdrawableAtEpoch }) =>
      state !== 'deactivating' || withdrawableAtEpoch === timing.currentEpoch + 1,
  );
  if (cooling > 0n) {
    // The rent arrives together with the stake.
    const leaving = accounts.filter(({ role, state }) => role === 'owner' && state === 'deactivating');
    const amount = solShort(leaving.reduce((sum, { lamports }) => sum + BigInt(lamports), 0n));
    return isReadyNext ? say('readyAt', { amount, when }) : null;
  }
  return activating > 0n ? say('earnsAt', { amount: solShort(activating), when }) : null;
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
  /** True if the card may offer a new stake. */
  canOffer: boolean;
}) => {
  const data = summary.data!;
  const { portfolio, recommendedAction, accounts } = data;
  // If there is an alert above the view, it explains what to do.
  const { code: above } = useStore(alertAbove);
  const isAlerted =
    above !== null && (recommendedAction.action === 'HOLD' || recommendedAction.action === 'STAKE');
  const isOffer = recommendedAction.action === 'STAKE' || recommendedAction.action === 'FUND';
  const urgent = useUnsaid(data.notices).filter(({ severity }) => severity !== 'info');
  const critical = data.notices.filter(({ severity }) => severity === 'critical');
  const notes = data.notices.filter(({ severity }) => severity === 'info');
  const places = whereSolIs(portfolio.liquidSol, accounts);
  const waitWords = useWaitWords(summary, places);
  const isWhole = accounts.some(
    ({ address, withdrawReady }) => address === recommendedAction.stakeAccountAddress && withdrawReady,
  );
  const isDust =
    recommendedAction.action === 'WITHDRAW' &&
    lamportsOf(recommendedAction.amountSol ?? 0) < MIN_IDLE_LAMPORTS &&
    !isWhole &&
    recommendedAction.all !== true;
  // `BringLine` reads the same accounts.
  const all = useAllAccounts(walletAddress, canAct, Number.POSITIVE_INFINITY);
  const ready =
    canOffer &&
    above === null &&
    critical.length === 0 &&
    (recommendedAction.action !== 'WITHDRAW' || isDust) &&
    data.epochTiming?.epochRewardsActive !== true
      ? readyElsewhere(all.data?.accounts ?? [], data.validatorVoteAccount)
      : null;
  const noStep = isAlerted || isDust || (isOffer && !canOffer);
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
                <Sol amount={inAccountsLamports(places)} unit={false} />
              </span>
              <span className={styles.unit}>{say('solInAccounts')}</span>
            </p>
            <Earnings data={data} />
          </div>
        </FirstLine>
        <Parts places={places} accounts={accounts} notices={notes} />
        {ready !== null && ready.lamports > 0n ? (
          <MoveStep walletAddress={walletAddress} {...ready} />
        ) : (
          !noStep && (
            <NextStep
              recommended={recommendedAction}
              walletAddress={walletAddress}
              isWhole={isWhole}
              isFailing={critical.some(({ code }) => code !== 'FOREIGN_STAKE_AUTHORITY')}
              canAct={canAct}
              waitWords={waitWords}
            />
          )
        )}
      </div>
    </Card>
  );
};
