// A card with the progress of a transaction from the signature to its last effect. It survives a reload.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import { StoppedHalfway } from '../../../client/staking/staking-errors.ts';
import { BUSY_AFTER_MS } from '../../../client/staking/staking-states.ts';
import { formatSol } from '../../../src/domain/lamports.ts';
import { describeError } from '../api/describe-error.ts';
import { useIsAway } from '../api/service-connection.ts';
import { useEpoch, useSummary } from '../api/shared-reads.ts';
import { navigate } from '../shell/page-router.ts';
import { useNow } from '../state/use-now.ts';
import { foreignText } from '../text/foreign-text.ts';
import { countdown, exactSol } from '../text/format-figures.ts';
import { verifierText } from '../text/notice-text.ts';
import { Address } from '../ui/address.tsx';
import { Card } from '../ui/card.tsx';
import { Button, type ButtonKind, ButtonLink } from '../ui/controls/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Stepper } from '../ui/stepper.tsx';
import { isWalletError } from '../wallet/wallet-error.ts';
import { defineWords } from '../words/define-words.ts';
import { flowEnglish } from '../words/en/flow/flow.ts';
import styles from './flow-card.module.css';
import { ServiceRestarted } from './flow-state.ts';
import { flowSteps, isEnded, isOvertaken, type StepFacts, whatWasSent } from './flow-steps.ts';
import { wordsOf } from './kind-words.ts';
import { DoneLine } from './outcome/done-line.tsx';
import { doneTitle, movedLamports } from './outcome/done-words.ts';
import { StakedActions, StakedFacts, StakedTitle } from './outcome/staked-outcome.tsx';
import { stakedAnnouncement } from './outcome/staked-words.ts';
import { flow, useFlow } from './use-page-flow.ts';

const { say } = defineWords('flow', flowEnglish);

/**
 * Time in ms after a confirmation during which a read may still come from a node or an index that is behind.
 */
const SETTLE_MS = 60_000;

/**
 * Returns the data that the steps need in addition to the flow's state, such as the account as read since the
 * confirmation.
 */
const useFacts = (): StepFacts => {
  const state = useFlow();
  const { record } = state;
  const followed = state.step === 'confirmed' && record !== null;
  const { data, at } = useSummary(followed ? record.walletAddress : null);
  const { data: epoch } = useEpoch();
  const nowMs = useNow(followed || state.step === 'submitting' ? 1_000 : null);
  const isFresh = data !== undefined && (at ?? 0) >= (record?.confirmedAtMs ?? 0);
  const account = isFresh
    ? (data.accounts.find(({ address }) => address === record?.stakeAccountAddress) ?? null)
    : undefined;
  return {
    flow: state,
    account,
    isSettled: (at ?? 0) >= (record?.confirmedAtMs ?? 0) + SETTLE_MS,
    secondsToExpiry: record?.expiresAtMs === undefined ? undefined : (record.expiresAtMs - nowMs) / 1000,
    secondsToEpochEnd: epoch && (Date.parse(epoch.estimatedEpochEnd) - nowMs) / 1000,
    isAway: useIsAway(),
  };
};

const problemOf = (error: unknown): { readonly title: string; readonly detail: string } => {
  if (error instanceof ServiceRestarted)
    return { title: say('restarted'), detail: say(error.isSigned ? 'restartedSigned' : 'restartedText') };
  if (!(error instanceof StoppedHalfway)) return describeError(error);
  const { count, cause } = error;
  const why = cause === undefined ? '' : `${describeError(cause).detail} `;
  return { title: say('halfway'), detail: say('halfwayText', { count, why }) };
};

const Problem = ({ error }: { error: unknown }) => {
  const { title, detail } = problemOf(error);
  const sent = whatWasSent(useFlow());
  return (
    <Notice tone="bad" title={sent === 'nothingSent' ? say('notSent', { title }) : title}>
      {detail} {sent !== null && say(sent)}
    </Notice>
  );
};

/**
 * Explains a long wait for the confirmation: the network is busy, or the service has not confirmed that it has the
 * transaction. Rendered while a signed transaction is not confirmed yet.
 */
const LongWait = ({
  secondsToExpiry,
  isDelivered,
}: {
  secondsToExpiry: number | undefined;
  isDelivered: boolean;
}) => {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), BUSY_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong || secondsToExpiry === undefined || secondsToExpiry <= 0) return null;
  return (
    <Notice tone="warn" title={say(isDelivered ? 'busyNetwork' : 'noAnswer')}>
      {say(isDelivered ? 'busyNetworkText' : 'noAnswerText', { time: countdown(secondsToExpiry) })}
    </Notice>
  );
};

const isStaked = ({ step, record }: StepFacts['flow']): boolean =>
  step === 'confirmed' && record?.kind === 'stake';

const Ends = ({ facts, after }: { facts: StepFacts; after: ReactNode }) => {
  const { step, record, error } = useFlow();
  // No retry is offered, because a new request would apply the whole amount again.
  if (step === 'failed' && error instanceof StoppedHalfway)
    return (
      <Button kind="primary" onClick={() => flow.dismiss()}>
        {say('done')}
      </Button>
    );
  if (step === 'failed')
    return (
      <>
        {isHoldfastError(error, 'STAKE_NOT_ACTIVATING') ? (
          // A retry would fail again: the stake stays active.
          <Button
            kind="primary"
            icon="stake"
            onClick={() => {
              const { amountLamports } = record ?? {};
              flow.dismiss();
              navigate(amountLamports === undefined ? '/' : `/?amount=${formatSol(BigInt(amountLamports))}`);
            }}
          >
            {say('stakeNew')}
          </Button>
        ) : (
          // A retry of an undo that is too late would fail again. The account itself offers to stake again.
          !isHoldfastError(error, 'UNDO_TOO_LATE') && (
            <Button kind="primary" icon="refresh" onClick={() => void flow.renew()}>
              {say(isWalletError(error) ? 'checkAgain' : 'tryAgain')}
            </Button>
          )
        )}
        <Button onClick={() => flow.dismiss()}>{say('dismiss')}</Button>
      </>
    );
  if (step === 'paused')
    return (
      <>
        <Button kind="primary" onClick={() => void flow.renew()}>
          {say('continue')}
        </Button>
        <Button onClick={() => flow.dismiss()}>{say('dismiss')}</Button>
      </>
    );
  const explorer = record?.explorerUrl !== undefined && (
    <ButtonLink
      kind="quiet"
      icon="external"
      href={record.explorerUrl}
      target="_blank"
      rel="noopener noreferrer"
    >
      {say('explorer')}
    </ButtonLink>
  );
  const done = (kind: ButtonKind): ReactNode => (
    <Button kind={kind} onClick={() => flow.dismiss()}>
      {say('done')}
    </Button>
  );
  if (record !== null && isStaked(facts.flow))
    return (
      <StakedActions walletAddress={record.walletAddress}>
        {explorer}
        {done('quiet')}
      </StakedActions>
    );
  return (
    <>
      {step === 'confirmed' && done(isEnded(facts) ? 'primary' : 'secondary')}
      {after}
      {explorer}
    </>
  );
};

/**
 * Keeps the keyboard focus on the transaction: the button that started it may disappear when this card appears,
 * and the card's buttons disappear with the card. A flow resumed after a reload does not move the focus.
 */
const KeptFocus = ({ className, children }: { className?: string | undefined; children: ReactNode }) => {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement) === true)
        document.querySelector('h1')?.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    if (flow.state.get().built !== null && document.activeElement === document.body)
      ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={className} ref={ref} tabIndex={-1}>
      {children}
    </div>
  );
};

/**
 * `after` contains buttons next to "Done", e.g. a link to the portfolio. `folds` shrinks the card to one line
 * once the transaction is confirmed, for views that show the accounts themselves.
 */
export const FlowCard = ({ after, folds = false }: { after?: ReactNode; folds?: boolean }) => {
  const { step, record, built, error, added, acknowledged } = useFlow();
  const facts = useFacts();
  const steps = flowSteps(facts);
  const current = steps.find(({ state }) => state === 'current' || state === 'failed') ?? steps.at(-1);
  if (record === null)
    return step === 'failed' ? (
      <Card title={say(error instanceof ServiceRestarted ? 'noLongerValid' : 'notStarted')}>
        <div className={styles.content}>
          <Problem error={error} />
          <div className={styles.actions}>
            <Button onClick={() => flow.dismiss()}>{say('back')}</Button>
          </div>
        </div>
      </Card>
    ) : null;
  if (folds && step === 'confirmed' && added.length === 0)
    return (
      <KeptFocus>
        <DoneLine facts={facts} />
      </KeptFocus>
    );
  const { amountLamports, part } = record;
  const moved = amountLamports === undefined ? null : movedLamports(record, built);
  const title = say('title', {
    doing: wordsOf(record).doing,
    isWhole: String(moved !== null),
    amount: moved === null ? '' : exactSol(moved),
    isPart: String(part !== undefined),
    index: part?.index ?? '',
    of: part?.of ?? '',
  });
  const staked = isStaked(facts.flow) ? doneTitle(record, built) : null;
  return (
    <Card
      title={staked === null ? title : <StakedTitle>{staked}</StakedTitle>}
      note={
        record.stakeAccountAddress && (
          <Address address={record.stakeAccountAddress} what={say('stakeAccount')} />
        )
      }
    >
      <KeptFocus className={styles.content}>
        {step === 'failed' && <Problem error={error} />}
        {step === 'submitting' && record.signature !== undefined && (
          <LongWait
            key={record.signature}
            secondsToExpiry={facts.secondsToExpiry}
            isDelivered={acknowledged || record.signedTransaction === undefined}
          />
        )}
        {step === 'paused' ? (
          <Notice tone="info" title={say('paused')}>
            {say(record.change === undefined ? 'pausedText' : 'pausedPlanText')}
          </Notice>
        ) : staked !== null ? (
          isOvertaken(facts) ? (
            <p>{say('changedSinceText')}</p>
          ) : (
            <StakedFacts record={record} isEarning={isEnded(facts)} />
          )
        ) : (
          <Stepper label={say('progress')} steps={steps} />
        )}
        {added.length > 0 && (
          <Notice tone="info" title={say('walletChanged')}>
            {added
              .map(({ program, name, summarySentences }) =>
                foreignText(`${program} ${name}: ${verifierText(summarySentences)}`),
              )
              .join(' ')}
          </Notice>
        )}
        <p role="status" className="visually-hidden" data-progress={current?.key}>
          {step === 'paused'
            ? ''
            : staked !== null && !isOvertaken(facts)
              ? stakedAnnouncement(staked, isEnded(facts))
              : say('stepState', { title: current?.title ?? '', state: current?.state ?? '' })}
        </p>
        <div className={styles.actions}>
          <Ends facts={facts} after={after} />
        </div>
      </KeptFocus>
    </Card>
  );
};
