// The Sign view: shows a request that a program created through this service, so the owner of the wallet can
// review and sign it.
import type { ReactNode } from 'react';
import { isHoldfastError } from '../../../../client/holdfast-error.ts';
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
import { solText, timeText } from '../../text/format-figures.ts';
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

const Used = ({ isPending, explorerUrl }: { isPending: boolean; explorerUrl: string | null }) => (
  <Ended
    title={say(isPending ? 'pending' : 'done')}
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
    {say('usedText')}
  </Ended>
);

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
  const amountLamports = 'amountLamports' in request ? request.amountLamports : undefined;
  const account = 'stakeAccountAddress' in request ? request.stakeAccountAddress : undefined;
  const isOther = walletAddress !== null && walletAddress !== owner;
  return (
    <Card
      title={
        amountLamports === undefined
          ? verbOf(request)
          : say('amountTitle', { verb: verbOf(request), amount: solText(amountLamports) })
      }
    >
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
  if (isShown && (record === null || record.idempotencyKey === linked.idempotencyKey))
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
  if (data.state !== 'open')
    return <Used isPending={data.state === 'pending'} explorerUrl={data.explorerUrl} />;
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
