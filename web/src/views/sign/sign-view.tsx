// The Sign view: shows a request that a program created through this service, so the owner of the wallet can
// review and sign it.
import type { ReactNode } from 'react';
import type { ReadSignLinkAnswer } from '../../../../client/generated/transactions-operations.ts';
import { isHoldfastError } from '../../../../client/holdfast-error.ts';
import type { TransactionRecord } from '../../../../client/staking/pending-transaction.ts';
import type { StakingRequest } from '../../../../client/staking/staking-request.ts';
import type { GoalName } from '../../../../src/domain/plan/plan-goals.ts';
import { shortAddress } from '../../../../src/domain/short-address.ts';
import { api } from '../../api/holdfast.ts';
import { LoadError } from '../../api/load-error.tsx';
import { WALLET_KEYS } from '../../api/shared-reads.ts';
import { useResource } from '../../api/use-resource.ts';
import { FlowCard } from '../../flow/flow-card.tsx';
import { useFlowShown } from '../../flow/flow-shown.ts';
import { flow, useFlow } from '../../flow/use-page-flow.ts';
import { LinkButton } from '../../shell/link.tsx';
import { dateText, exactSol, solText, timeText } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { openConnectDialog } from '../../wallet/wallet-button.tsx';
import { defineWords } from '../../words/define-words.ts';
import { signEnglish } from '../../words/en/sign.ts';
import { titleOf } from '../portfolio/transaction-words.ts';
import { type LinkedRequest, linkOfQuery, requestOfLink } from './linked-request.ts';
import styles from './sign-view.module.css';

const { say } = defineWords('sign', signEnglish);

const Ended = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => (
  <Card>
    <Empty
      icon="link"
      title={title}
      action={
        action ?? (
          <LinkButton kind="primary" href="/portfolio">
            {say('openPortfolio')}
          </LinkButton>
        )
      }
    >
      {children}
    </Empty>
  </Card>
);

const Invalid = () => <Ended title={say('invalid')}>{say('invalidText')}</Ended>;

const Expired = () => <Ended title={say('expired')}>{say('expiredText')}</Ended>;

const VERBS = {
  stake: 'stake',
  unstake: 'unstake',
  withdraw: 'withdraw',
  restake: 'stakeAgain',
} as const satisfies Record<Exclude<StakingRequest['kind'], 'rearrange'>, keyof typeof signEnglish>;

const GOAL_VERBS = {
  unstake: 'unstake',
  'withdraw-amount': 'unstake',
  undo: 'undoUnstake',
  restake: 'stakeAgain',
  'top-up': 'addStake',
  tidy: 'tidyUp',
  sweep: 'sweep',
  migrate: 'bringStake',
  rescue: 'takeBack',
  'withdraw-all': 'withdrawAll',
} as const satisfies Record<GoalName, keyof typeof signEnglish>;

const verbOf = (request: StakingRequest): string =>
  say(request.kind === 'rearrange' ? GOAL_VERBS[request.goal] : VERBS[request.kind]);

/** Names the request with its amount. */
const titleOfRequest = (request: StakingRequest): string => {
  const lamports = 'amountLamports' in request ? request.amountLamports : undefined;
  return lamports === undefined
    ? verbOf(request)
    : say('amountTitle', { verb: verbOf(request), amount: solText(lamports) });
};

const Used = ({
  data: { state, explorerUrl, submittedAt, acts },
  request,
}: {
  data: ReadSignLinkAnswer;
  request: StakingRequest;
}) => (
  <Ended
    title={say(state === 'pending' ? 'pending' : 'done')}
    action={
      <div className={styles.actions}>
        <LinkButton kind="primary" href="/portfolio">
          {say('openPortfolio')}
        </LinkButton>
        {explorerUrl !== null && (
          <ButtonLink icon="external" href={explorerUrl} target="_blank" rel="noopener noreferrer">
            {say('explorer')}
          </ButtonLink>
        )}
      </div>
    }
  >
    {say('usedText', {
      done: acts.length === 0 ? 'none' : titleOf({ acts }, exactSol),
      time: dateText(submittedAt!),
      asked: titleOfRequest(request),
    })}
  </Ended>
);

const Open = ({
  linked: { request, idempotencyKey },
  expiresAt,
}: {
  linked: LinkedRequest;
  expiresAt: string;
}) => {
  const { walletAddress } = useWallet();
  const { step } = useFlow();
  const { walletAddress: owner } = request;
  const account = 'stakeAccountAddress' in request ? request.stakeAccountAddress : undefined;
  const isOther = walletAddress !== null && walletAddress !== owner;
  return (
    <Card title={titleOfRequest(request)}>
      <div className={styles.request}>
        <Rows>
          <Row label={say('wallet')}>
            <Address address={owner} what={say('walletAddress')} />
          </Row>
          {account !== undefined && (
            <Row label={say('stakeAccountLabel')}>
              <Address address={account} what={say('stakeAccount')} />
            </Row>
          )}
          <Row label={say('signUntil')}>{timeText(expiresAt)}</Row>
        </Rows>
        <Notice tone="info" title={say('requested')}>
          {say('requestedText')}
        </Notice>
        {isOther ? (
          <Notice
            tone="warn"
            title={say('otherWallet')}
            actions={
              <Button size="s" onClick={openConnectDialog}>
                {say('switchWallet')}
              </Button>
            }
          >
            {say('otherWalletText', {
              connected: shortAddress(walletAddress),
              owner: shortAddress(owner),
            })}
          </Notice>
        ) : (
          <div className={styles.actions}>
            {walletAddress === null ? (
              <Button kind="primary" icon="wallet" onClick={openConnectDialog}>
                {say('connectWallet')}
              </Button>
            ) : (
              <Button
                kind="primary"
                busy={step === 'preparing'}
                onClick={() => void flow.begin(request, idempotencyKey)}
              >
                {say('review')}
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  );
};

/** True if the flow carries out the link's request, and not another one with the same key. */
const isOfLink = (record: TransactionRecord, { request, idempotencyKey }: LinkedRequest): boolean =>
  record.idempotencyKey === idempotencyKey &&
  record.kind === request.kind &&
  record.amountLamports === ('amountLamports' in request ? request.amountLamports?.toString() : undefined);

/** True if the transaction landed before the page was opened, so it must not look like a new success. */
const isEarlier = ({ confirmedAtMs = Number.POSITIVE_INFINITY, part }: TransactionRecord): boolean =>
  confirmedAtMs < performance.timeOrigin && (part === undefined || part.index === part.of);

const Linked = ({ text, linked }: { text: string; linked: LinkedRequest }) => {
  // Refreshed together with the wallet once the transaction landed.
  const checked = useResource(`${WALLET_KEYS}sign-link/${text}`, (signal) =>
    api.readSignLink({ request: text }, { signal }),
  );
  const { data, error } = checked;
  const { record } = useFlow();
  const isShown = useFlowShown();
  // An altered link can have the key of a request that was signed here.
  if (isHoldfastError(error, 'SIGN_LINK_INVALID')) return <Invalid />;
  // Without a record, the service could not be asked for the transaction.
  if (isShown && (record === null || (isOfLink(record, linked) && !isEarlier(record))))
    return (
      <FlowCard
        after={
          <LinkButton href="/portfolio" kind="secondary">
            {say('portfolio')}
          </LinkButton>
        }
      />
    );
  if (isHoldfastError(error, 'SIGN_LINK_EXPIRED')) return <Expired />;
  if (data === undefined)
    return error === undefined ? (
      <Card>
        <SkeletonText lines={4} what={say('checkingLink')} />
      </Card>
    ) : (
      <LoadError resource={checked} what={say('thisLink')} />
    );
  if (data.state !== 'open') return <Used data={data} request={linked.request} />;
  return <Open linked={linked} expiresAt={data.expiresAt} />;
};

/** `/sign?request=…` */
export const SignView = () => {
  const text = linkOfQuery(location.search);
  const linked = text === null ? null : requestOfLink(text);
  return (
    <>
      <ViewHeading title={say('reviewRequest')} />
      <div className={styles.content}>
        {text === null || linked === null ? <Invalid /> : <Linked text={text} linked={linked} />}
      </div>
    </>
  );
};
