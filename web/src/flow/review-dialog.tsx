// The review before the wallet signs: the outcome and its costs first, then the check result, and how it works.
import { useEffect, useState } from 'react';
import type { Prepared } from '../../../client/staking/check-built.ts';
import { MOST_BUILDS_IN_REVIEW } from '../../../client/staking/staking-states.ts';
import { describeError } from '../api/describe-error.ts';
import { useValidator } from '../api/shared-reads.ts';
import { useNow } from '../state/use-now.ts';
import { countdown, shortAddress, solText } from '../text/format-figures.ts';
import { CheckedBadge } from '../ui/checked-badge.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { Notices } from '../ui/notices.tsx';
import { Row, Rows } from '../ui/stat.tsx';
import { useWallet } from '../wallet/use-wallet.ts';
import { isWalletError } from '../wallet/wallet-error.ts';
import { effectsOf, wordsOf } from './kind-words.ts';
import { Outcome } from './outcome.tsx';
import { PlanRows, PlanTable } from './plan-summary.tsx';
import styles from './review-dialog.module.css';
import { reviewNotes } from './review-notes.ts';
import { flow, useFlow } from './use-page-flow.ts';
import { VerdictTable } from './verdict-table.tsx';

/** The instructions, for users who want to know how it works. */
const Effects = ({ built }: { built: Prepared }) => {
  const { data: validator } = useValidator();
  const effects = effectsOf(built.verdict, validator?.name ?? null, built.record.change?.goal);
  return (
    <details className={styles.details}>
      <summary>
        <span>
          How it works: {effects.length} {effects.length === 1 ? 'step' : 'steps'}
        </span>
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

/** The amount of an unstake over all accounts; null for other changes. */
const requestedOf = ({ record: { change, amountLamports, part } }: Prepared): bigint | null =>
  change?.goal === 'unstake' && amountLamports !== undefined && part === undefined
    ? BigInt(amountLamports)
    : null;

const Badge = ({ built }: { built: Prepared }) => {
  if (!built.verdict.ok)
    return (
      <Notice tone="bad" title="Do not sign this">
        This transaction does not do what you asked for, so it was not passed to your wallet.
      </Notice>
    );
  const notes = reviewNotes(built.effects, built.voteAccount);
  if (notes.length === 0) return <CheckedBadge>This is all the transaction does.</CheckedBadge>;
  return (
    <>
      <CheckedBadge>Nothing else happens, but the transaction does not show everything.</CheckedBadge>
      <Notice tone="warn" title="Compare this with your own records before you sign">
        <ul className={styles.notes}>
          {notes.map(({ account, text }) => (
            <li key={`${account} ${text}`}>
              {account !== null && <strong title={account}>{shortAddress(account)}: </strong>}
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
      <Notice tone="warn" title="The transaction changed">
        Your accounts changed since you approved it. Review it again before you sign.
      </Notice>
    );
  return renewals > 0 ? (
    <Notice tone="info" title="The transaction expired before your wallet signed">
      {record?.change === undefined
        ? 'Here is a new one for the same stake account. It cannot happen twice.'
        : 'Here is a new one. Only one of the two can take effect.'}
    </Notice>
  ) : null;
};

/** Shown for every wallet, because the page cannot know whether the key is on a hardware wallet. */
const HardwareWallet = ({ built }: { built: Prepared }) =>
  [built, ...built.following].every(({ verdict }) => verdict.shownByHardwareWallets) ? null : (
    <Notice tone="info" title="A hardware wallet cannot show this in clear">
      If your key is on a Ledger, it shows only a hash and needs blind signing for this transaction. The steps
      below were read from the transaction by this page.
    </Notice>
  );

/** After this time the wait is reported as long. */
const SLOW_MS = 4_000;

/** Explains a wait: the service is busy, or the cluster is slow. */
const Waiting = () => {
  const { busyUntilMs } = useFlow();
  return busyUntilMs === null ? <Slow /> : <Busy untilMs={busyUntilMs} />;
};

const Busy = ({ untilMs }: { untilMs: number }) => {
  const nowMs = useNow(500);
  const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
  return (
    <Notice tone="info" title="Busy right now">
      {seconds === 0 ? 'Trying again…' : `Trying again in ${countdown(seconds)}.`} Nothing is signed yet.
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
    <Notice tone="warn" title="The cluster is responding slowly">
      Nothing is signed yet. You can wait, or cancel and try again later.
    </Notice>
  ) : null;
};

/** Countdown in seconds. When it ends, the transaction is rebuilt if its review is open. */
const useLife = (built: Prepared | null, waiting: boolean): number | null => {
  const { builds } = useFlow();
  const nowMs = useNow(built === null ? null : 1_000);
  const left = built === null ? null : Math.max(0, (built.expiresAtMs - nowMs) / 1000);
  const over = left === 0 && waiting;
  useEffect(() => {
    if (over && builds < MOST_BUILDS_IN_REVIEW) void flow.renew();
  }, [over, builds]);
  return left;
};

const OpenReview = () => {
  const { step, built, record } = useFlow();
  const { wallet, walletAddress } = useWallet();
  const signing = step === 'signing';
  const left = useLife(built, step === 'review');
  const otherWallet = record !== null && walletAddress !== record.walletAddress;
  return (
    <Dialog
      title={record === null ? 'Review' : wordsOf(record).review}
      onClose={() => flow.dismiss()}
      footer={
        <>
          <Button onClick={() => flow.dismiss()}>Cancel</Button>
          <Button
            kind="primary"
            icon="key"
            busy={signing || step === 'preparing'}
            disabled={built === null || !built.verdict.ok || otherWallet}
            onClick={() => void flow.approve()}
          >
            {signing
              ? `Waiting for ${wallet?.name ?? 'your wallet'}…`
              : step === 'preparing'
                ? 'Building…'
                : 'Sign in wallet'}
          </Button>
        </>
      }
    >
      {built === null ? (
        <>
          <p role="status">Building and checking the transaction…</p>
          <Waiting />
        </>
      ) : (
        <div className={styles.content}>
          <Problem />
          {step === 'preparing' && <Waiting />}
          {signing && left === 0 && (
            <Notice tone="info" title="The transaction expired">
              Respond in your wallet anyway. You will then be asked to sign a new transaction for the same
              {record?.change === undefined ? ' account' : ' change'}.
            </Notice>
          )}
          {otherWallet && (
            <Notice tone="warn" title="Another account is connected">
              This is for {record.walletAddress}. Connect it to continue.
            </Notice>
          )}
          {record?.part !== undefined && (
            <Notice tone="info" title={`Transaction ${record.part.index} of ${record.part.of}`}>
              {record.part.index === 1
                ? 'The table shows what all of them do. Your wallet asks for each, one after the other.'
                : 'You approved what all of them do. This one is next.'}
            </Notice>
          )}
          {/* A transaction that failed the check is not described in our words. */}
          {built.verdict.ok && <Outcome built={built} />}
          {built.verdict.ok && built.built.plan && (
            <PlanRows plan={built.built.plan} requestedLamports={requestedOf(built)} />
          )}
          <Rows>
            <Row label="Network fee">{solText(built.verdict.networkFeeLamports)} SOL</Row>
            <Row label="Valid for">
              <span role="timer">{step === 'preparing' ? 'renewing…' : countdown(left ?? 0)}</span>
            </Row>
          </Rows>
          <Badge built={built} />
          {built.verdict.ok && built.built.plan && (
            <PlanTable plan={built.built.plan} goal={record?.change?.goal} />
          )}
          {built.verdict.ok && <HardwareWallet built={built} />}
          <Notices notices={built.built.notices ?? []} />
          {built.verdict.ok && <Effects built={built} />}
          <VerdictTable checked={built.verdict} />
        </div>
      )}
    </Dialog>
  );
};

/** Rendered once on the page, for all views; shown while a transaction is prepared, reviewed and signed. */
export const ReviewDialog = () => {
  const { step } = useFlow();
  return step === 'preparing' || step === 'review' || step === 'signing' ? <OpenReview /> : null;
};
