// The review before the wallet signs: first the outcome and its costs, then the check result and the
// instructions.
import { useEffect, useRef, useState } from 'react';
import type { Notice as NoticeData } from '../../../client/generated/shared-types.ts';
import { isAfterFirstTransaction } from '../../../client/staking/pending-transaction.ts';
import type { Prepared } from '../../../client/staking/prepared-transaction.ts';
import { MAX_BUILDS_IN_REVIEW } from '../../../client/staking/staking-states.ts';
import { priorityLevels } from '../../../src/domain/priority-levels.ts';
import { shortAddress } from '../../../src/domain/short-address.ts';
import { describeError } from '../api/describe-error.ts';
import { lastNoticed, readSummary, useEpoch, useSummary, useValidator } from '../api/shared-reads.ts';
import { useStore } from '../state/create-store.ts';
import { showToast } from '../state/toast-store.ts';
import { useNow } from '../state/use-now.ts';
import { countdown } from '../text/format-figures.ts';
import { CheckedBadge } from '../ui/checked-badge.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { AllNotices } from '../ui/notice-list.tsx';
import { Sol } from '../ui/sol.tsx';
import { Row, Rows } from '../ui/stat.tsx';
import { useWallet } from '../wallet/use-wallet.ts';
import { isWalletError } from '../wallet/wallet-error.ts';
import { defineWords } from '../words/define-words.ts';
import { reviewEnglish } from '../words/en/flow/review.ts';
import { CheckResultTable } from './check-result-table.tsx';
import { effectsOf, wordsOf } from './kind-words.ts';
import { Outcome } from './outcome/outcome.tsx';
import { reviewParties } from './outcome/review-parties.ts';
import { PlanRows, PlanTable } from './plan-summary.tsx';
import styles from './review-dialog.module.css';
import { hasNewCritical, needsDecision, nothingElse, noticesWithNews, reviewNotes } from './review-notes.ts';
import { flow, useFlow } from './use-page-flow.ts';

const { say } = defineWords('review', reviewEnglish);

/** Lists the instructions, for users who want to know how it works. */
const Effects = ({ built }: { built: Prepared }) => {
  const { data: validator } = useValidator();
  const effects = effectsOf(built.verdict, validator?.name ?? null, built.record.change?.goal);
  return (
    <details className={styles.details}>
      <summary>
        <span>{say('howItWorks', { count: effects.length })}</span>
        <Icon name="down" size={16} />
      </summary>
      <ol className={styles.effects}>
        {effects.map(({ title, detail }) => (
          <li key={`${title} ${detail}`}>
            <strong>{title}</strong>
            <span>{detail}</span>
          </li>
        ))}
      </ol>
    </details>
  );
};

const Parties = ({ built }: { built: Prepared }) => {
  const { stakeAccountAddress, walletAddress } = built.record;
  const { data: validator } = useValidator();
  const { data } = useSummary(walletAddress);
  const account = data?.accounts.find(({ address }) => address === stakeAccountAddress);
  return (
    <Rows>
      {reviewParties(built, { voteAccount: account?.voteAccount ?? undefined, validator }).map(
        ({ label, text, address }) => (
          <Row key={label} label={label}>
            <span title={address}>{text}</span>
          </Row>
        ),
      )}
    </Rows>
  );
};

/** Returns the amount of an unstake over all accounts; null for other changes. */
const requestedOf = ({ record: { change, amountLamports, part } }: Prepared): bigint | null =>
  change?.goal === 'unstake' && amountLamports !== undefined && part === undefined
    ? BigInt(amountLamports)
    : null;

const Badge = ({ built }: { built: Prepared }) => {
  if (!built.verdict.ok)
    return (
      <Notice tone="bad" title={say('doNotSign')}>
        {say('doNotSignText')}
      </Notice>
    );
  const notes = reviewNotes(built.effects, built.voteAccount);
  const checked = <CheckedBadge>{nothingElse(built.following.length + 1, notes.length > 0)}</CheckedBadge>;
  if (notes.length === 0) return checked;
  return (
    <>
      {checked}
      <Notice tone={needsDecision(built.effects) ? 'warn' : 'info'} title={say('details')}>
        <ul className={styles.notes}>
          {notes.map(({ account, text }) => (
            <li key={`${account} ${text}`}>
              {account !== null && <b title={account}>{shortAddress(account)}: </b>}
              {text}
            </li>
          ))}
        </ul>
      </Notice>
    </>
  );
};

const Problem = () => {
  const { error, renewals, isChanged, record } = useFlow();
  if (error !== undefined) {
    const { title, detail } = describeError(error);
    return (
      <Notice tone={isWalletError(error, 'refused') ? 'warn' : 'bad'} title={title}>
        {detail}
      </Notice>
    );
  }
  if (isChanged)
    return (
      <Notice tone="warn" title={say('changed')}>
        {say('changedText')}
      </Notice>
    );
  return renewals > 0 ? (
    <Notice tone="info" title={say('expiredBefore')}>
      {say(record?.change === undefined ? 'renewedStake' : 'renewedChange')}
    </Notice>
  ) : null;
};

/**
 * Says what a hardware wallet will display. Shown for every wallet, because the page cannot know where the key
 * is.
 */
const HardwareWallet = ({ built }: { built: Prepared }) =>
  [built, ...built.following].every(({ verdict }) => verdict.shownByHardwareWallets) ? null : (
    <Notice tone="info" title={say('hardware')}>
      {say('hardwareText')}
    </Notice>
  );

/** Time after which a wait is reported as long. */
const SLOW_MS = 4_000;

/** Explains a wait: rewards are being paid out, the service is busy, or it has not answered. */
const Waiting = () => {
  const { busyUntilMs, isPayingRewards } = useFlow();
  if (busyUntilMs !== null && isPayingRewards)
    return (
      <Notice tone="info" title={say('paying')}>
        {say('payingText')}
      </Notice>
    );
  return busyUntilMs === null ? <Slow /> : <Busy untilMs={busyUntilMs} />;
};

const Busy = ({ untilMs }: { untilMs: number }) => {
  const nowMs = useNow(500);
  const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
  return (
    <Notice tone="info" title={say('busy')}>
      {seconds === 0 ? say('busyNow') : say('busyFor', { time: countdown(seconds) })}
    </Notice>
  );
};

const Slow = () => {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow ? (
    <Notice tone="warn" title={say('slow')}>
      {say('slowText')}
    </Notice>
  ) : null;
};

/**
 * Counts down the transaction's lifetime in seconds. At its end, rebuilds the transaction if its review is
 * open.
 */
const useLife = (built: Prepared | null, waiting: boolean): number | null => {
  const { builds } = useFlow();
  const nowMs = useNow(built === null ? null : 1_000);
  const left = built === null ? null : Math.max(0, (built.expiresAtMs - nowMs) / 1000);
  const over = left === 0 && waiting;
  useEffect(() => {
    if (over && builds < MAX_BUILDS_IN_REVIEW) void flow.renew();
  }, [over, builds]);
  return left;
};

/** Interval in seconds at which an open review checks for the end of the epoch. */
const EPOCH_SECONDS = 3;

/**
 * Rebuilds the transaction once if an epoch ends while its review is open, because its times and amounts are those of
 * the ended epoch. `isOver`: the shown transaction is from an ended epoch. `renewedIn`: the epoch of the last rebuild.
 */
const useEpochEnd = (built: Prepared | null, waiting: boolean) => {
  const current = useEpoch(EPOCH_SECONDS).data?.currentEpoch ?? 0;
  const isOver = current > (built?.built.epochTiming?.currentEpoch ?? current);
  const [renewedIn, setRenewedIn] = useState(0);
  const isDue = isOver && waiting && renewedIn !== current && !isAfterFirstTransaction(built!.record);
  useEffect(() => {
    if (!isDue) return;
    setRenewedIn(current);
    void flow.renew();
  }, [isDue, current]);
  return { isOver, renewedIn };
};

/** True if a signature delegates stake, which news about the validator may argue against. */
const isDelegating = (built: Prepared): boolean =>
  [built, ...built.following].some(({ verdict }) =>
    verdict.message.instructions.some(({ data }) => data.type === 'stake.delegateStake'),
  );

/** Maximum wait for news before a signature, because some wallets open only right after a click. */
const MAX_NEWS_MS = 2_000;

/**
 * Reads the notices about the validator again before the wallet is asked to sign. If a critical one is new since the
 * review opened, the user sees it first and has to click again.
 */
const useApproval = (built: Prepared | null) => {
  const [isReading, setReading] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const shown = useRef<readonly NoticeData[]>(null);
  if (built !== null) shown.current ??= built.built.notices ?? [];
  const approve = async (): Promise<void> => {
    if (built === null) return;
    if (isDelegating(built)) {
      setReading(true);
      await readSummary(built.record.walletAddress, AbortSignal.timeout(MAX_NEWS_MS)).catch(() => {});
      setReading(false);
      if (flow.state.get().built !== built) return;
      const notices = noticesWithNews(built.built, lastNoticed.get());
      if (hasNewCritical(notices, shown.current!)) {
        shown.current = notices;
        setWarned(true);
        return;
      }
    }
    await flow.approve();
  };
  return { approve, isReading, isWarned };
};

/** Lets the user pay a priority fee. Users can also let their wallet add its own fee. */
const PriorityChoice = ({ built, isBusy }: { built: Prepared; isBusy: boolean }) => {
  const { priority = 'none' } = built.record;
  if (isAfterFirstTransaction(built.record) || typeof priority === 'object') return null;
  return (
    <Row
      label={
        <>
          <label htmlFor="priority">{say('priorityChoice')}</label>
          <span id="priority-hint" className={styles.hint}>
            {say('priorityHint')}
          </span>
        </>
      }
    >
      <select
        aria-describedby="priority-hint"
        id="priority"
        className={styles.priority}
        value={priority}
        disabled={isBusy}
        onChange={({ target }) => void flow.prioritize(priorityLevels[target.selectedIndex]!)}
      >
        {priorityLevels.map((level) => (
          <option key={level} value={level}>
            {say(`priority_${level}`)}
          </option>
        ))}
      </select>
    </Row>
  );
};

/** Lists the fees by purpose. A requested priority fee is shown even if the estimate is 0. */
const Fees = ({ built }: { built: Prepared }) => {
  const { networkFeeLamports } = built.verdict;
  const priorityLamports = BigInt(built.built.priorityFee?.lamports ?? 0);
  const { priority = 'none' } = built.record;
  return (
    <>
      <Row label={say('networkFee')}>
        <Sol amount={networkFeeLamports - priorityLamports} />
      </Row>
      {(priorityLamports > 0n || priority !== 'none') && (
        <Row label={say('priorityFee')}>
          <Sol amount={priorityLamports} />
          {priorityLamports === 0n && <span className={styles.hint}>{say('priorityNotNeeded')}</span>}
        </Row>
      )}
    </>
  );
};

const OpenReview = () => {
  const { step, built, record } = useFlow();
  const { wallet, walletAddress } = useWallet();
  const signing = step === 'signing';
  const left = useLife(built, step === 'review');
  const { isOver, renewedIn } = useEpochEnd(built, step === 'review');
  useSummary(built !== null && isDelegating(built) ? built.record.walletAddress : null);
  const noticed = useStore(lastNoticed);
  // Stake must not be delegated without news about the validator, such as a raised commission.
  const notices =
    built === null
      ? []
      : isDelegating(built)
        ? noticesWithNews(built.built, noticed)
        : (built.built.notices ?? []);
  const { approve, isReading, isWarned } = useApproval(built);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isWarned) content.current?.scrollIntoView();
  }, [isWarned]);
  const otherWallet = record !== null && walletAddress !== record.walletAddress;
  return (
    <Dialog
      title={record === null ? say('review') : wordsOf(record).review}
      onClose={() => {
        showToast({ tone: 'info', title: say(signing ? 'closedWhileSigning' : 'closed') });
        flow.dismiss();
      }}
      footer={
        <>
          <Button onClick={() => flow.dismiss()}>{say('cancel')}</Button>
          <Button
            kind="primary"
            icon="key"
            busy={signing || isReading || step === 'preparing'}
            disabled={built === null || !built.verdict.ok || otherWallet}
            onClick={() => void approve()}
          >
            {signing
              ? say('waitingFor', { wallet: wallet?.name ?? say('yourWallet') })
              : say(step === 'preparing' ? 'building' : isWarned ? 'signAnyway' : 'sign')}
          </Button>
        </>
      }
    >
      {built === null ? (
        <>
          <p role="status">{say('buildingText')}</p>
          <Waiting />
        </>
      ) : (
        <div ref={content} className={styles.content}>
          <Problem />
          <AllNotices notices={notices.filter(({ severity }) => severity === 'critical')} />
          {step === 'preparing' && <Waiting />}
          {signing && left === 0 && (
            <Notice tone="info" title={say('expired')}>
              {say(record?.change === undefined ? 'expiredStake' : 'expiredChange')}
            </Notice>
          )}
          {signing && isOver ? (
            <Notice tone="warn" title={say('epochEnded')}>
              {say('epochEndedSigning')}
            </Notice>
          ) : (
            renewedIn > 0 && (
              <Notice tone="info" title={say('epochEnded')}>
                {say(step === 'preparing' ? 'epochEndedBuilding' : 'epochEndedText', { epoch: renewedIn })}
              </Notice>
            )
          )}
          {otherWallet && (
            <Notice tone="warn" title={say('otherAccount')}>
              {say('otherAccountText', { address: record.walletAddress })}
            </Notice>
          )}
          {record?.part !== undefined && (
            <Notice tone="info" title={say('part', record.part)}>
              {say(record.part.index === 1 ? 'firstPart' : 'laterPart')}
            </Notice>
          )}
          {/* A transaction that failed the check is not described in our own words. */}
          {built.verdict.ok && <Outcome built={built} />}
          {built.verdict.ok && <Parties built={built} />}
          {built.verdict.ok && built.built.plan && (
            <PlanRows plan={built.built.plan} requestedLamports={requestedOf(built)} />
          )}
          <Rows>
            <Fees built={built} />
            <PriorityChoice built={built} isBusy={step !== 'review'} />
            <Row label={say('validFor')}>
              <span role="timer">{step === 'preparing' ? say('renewing') : countdown(left ?? 0)}</span>
            </Row>
          </Rows>
          <Badge built={built} />
          {built.verdict.ok && built.built.plan && (
            <PlanTable plan={built.built.plan} goal={record?.change?.goal} />
          )}
          {built.verdict.ok && <HardwareWallet built={built} />}
          <AllNotices notices={notices.filter(({ severity }) => severity !== 'critical')} />
          {built.verdict.ok && <Effects built={built} />}
          <CheckResultTable checked={built.verdict} />
        </div>
      )}
    </Dialog>
  );
};

/** Renders the dialog once for all views. It is open while a transaction is prepared, reviewed and signed. */
export const ReviewDialog = () => {
  const { step } = useFlow();
  return step === 'preparing' || step === 'review' || step === 'signing' ? <OpenReview /> : null;
};
