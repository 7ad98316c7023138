// The Sign view: a request that a program made through this service, for the owner of the wallet to review and sign.
import type { ReactNode } from 'react';
import { isHoldfastError } from '../../../../client/holdfast-error.ts';
import type { StakingRequest } from '../../../../client/staking/staking-request.ts';
import { planGoals } from '../../../../src/domain/plan/plan-goals.ts';
import { api } from '../../api/holdfast.ts';
import { LoadError } from '../../api/load-error.tsx';
import { WALLET_KEYS } from '../../api/shared-reads.ts';
import { useResource } from '../../api/use-resource.ts';
import { FlowCard } from '../../flow/flow-card.tsx';
import { useFlowShown } from '../../flow/flow-shown.ts';
import { flow, useFlow } from '../../flow/use-page-flow.ts';
import { LinkButton } from '../../shell/link.tsx';
import { shortAddress, solText, timeText } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { openConnectDialog } from '../../wallet/wallet-button.tsx';
import { type LinkedRequest, linkOfQuery, requestOfLink } from './linked-request.ts';
import styles from './sign-view.module.css';

const Ended = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => (
  <Card>
    <Empty
      icon="link"
      title={title}
      action={
        action ?? (
          <LinkButton kind="primary" href="/portfolio">
            Open my portfolio
          </LinkButton>
        )
      }
    >
      {children}
    </Empty>
  </Card>
);

const Invalid = () => (
  <Ended title="This link does not work here">
    It was changed on its way, or another service made it. There is nothing to sign. Ask the sender for a new
    link.
  </Ended>
);

const Expired = () => (
  <Ended title="This link has expired">
    Links can be opened for 24 hours. Nothing was signed. Ask the sender for a new link.
  </Ended>
);

const Used = ({ isPending, explorerUrl }: { isPending: boolean; explorerUrl: string | null }) => (
  <Ended
    title={isPending ? 'This request is already signed and on its way' : 'This request is already done'}
    action={
      <div className={styles.actions}>
        <LinkButton kind="primary" href="/portfolio">
          Open my portfolio
        </LinkButton>
        {explorerUrl !== null && (
          <ButtonLink icon="external" href={explorerUrl} target="_blank" rel="noopener noreferrer">
            Explorer
          </ButtonLink>
        )}
      </div>
    }
  >
    A link is used once, so there is nothing to sign again.
  </Ended>
);

const VERBS = { stake: 'Stake', unstake: 'Unstake', withdraw: 'Withdraw', restake: 'Stake again' } as const;

const verbOf = (request: StakingRequest): string =>
  request.kind === 'rearrange' ? planGoals[request.goal].verb : VERBS[request.kind];

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
        amountLamports === undefined ? verbOf(request) : `${verbOf(request)} ${solText(amountLamports)} SOL`
      }
    >
      <div className={styles.request}>
        <Rows>
          <Row label="Wallet">
            <Address address={owner} what="wallet address" />
          </Row>
          {account !== undefined && (
            <Row label="Stake account">
              <Address address={account} what="stake account" />
            </Row>
          )}
          <Row label="Can be signed until">{timeText(expiresAt)}</Row>
        </Rows>
        <Notice tone="info" title="Requested through this service">
          A program asked for this. Anyone can make such a link, so sign only what you expect. The review
          shows what the transaction really does before your wallet opens.
        </Notice>
        {isOther ? (
          <Notice
            tone="warn"
            title="This request is for another wallet"
            actions={
              <Button size="s" onClick={openConnectDialog}>
                Switch wallet
              </Button>
            }
          >
            {shortAddress(walletAddress)} is connected. Switch to {shortAddress(owner)} to continue.
          </Notice>
        ) : (
          <div className={styles.actions}>
            {walletAddress === null ? (
              <Button kind="primary" icon="wallet" onClick={openConnectDialog}>
                Connect your wallet
              </Button>
            ) : (
              <Button
                kind="primary"
                busy={step === 'preparing'}
                onClick={() => void flow.begin(request, idempotencyKey)}
              >
                Review
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  );
};

const Linked = ({ text, linked }: { text: string; linked: LinkedRequest }) => {
  // Read again with the wallet once the transaction landed.
  const checked = useResource(`${WALLET_KEYS}sign-link/${text}`, (signal) =>
    api.readSignLink({ request: text }, { signal }),
  );
  const { record } = useFlow();
  const isShown = useFlowShown();
  if (isShown && record?.idempotencyKey === linked.idempotencyKey)
    return (
      <FlowCard
        after={
          <LinkButton href="/portfolio" kind="secondary">
            Portfolio
          </LinkButton>
        }
      />
    );
  const { data, error } = checked;
  if (isHoldfastError(error, 'SIGN_LINK_INVALID')) return <Invalid />;
  if (isHoldfastError(error, 'SIGN_LINK_EXPIRED')) return <Expired />;
  if (data === undefined)
    return error === undefined ? (
      <Card>
        <SkeletonText lines={4} what="Checking the link" />
      </Card>
    ) : (
      <LoadError resource={checked} what="This link" />
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
      <ViewHeading title="Review a request" />
      <div className={styles.content}>
        {text === null || linked === null ? <Invalid /> : <Linked text={text} linked={linked} />}
      </div>
    </>
  );
};
