// The Portfolio view: a wallet's stakes, their states, rewards and history.
import { useEffect, useRef, useState } from 'react';
import type { StakeAccount } from '../../../../client/generated/stake-operations.ts';
import { LoadError } from '../../api/load-error.tsx';
import { connection } from '../../api/service-connection.ts';
import { FlowCard, useFlowShown } from '../../flow/flow-card.tsx';
import { useStore } from '../../state/create-store.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { timeText } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { openConnectDialog } from '../../wallet/wallet-button.tsx';
import { AccountsCard } from './accounts/accounts-card.tsx';
import { AddressForm } from './address-form.tsx';
import { BringCard } from './bring/bring-card.tsx';
import { ChangesCard } from './informed/changes-card.tsx';
import { InformedCard } from './informed/informed-card.tsx';
import { OverviewCard } from './overview/overview-card.tsx';
import { useEpochChanges, useLiveSummary } from './portfolio-reads.ts';
import styles from './portfolio-view.module.css';
import { RewardsCard } from './rewards-card.tsx';
import { SheetCard } from './sheet/sheet-card.tsx';
import { looksLikeAddress, type ShownWallet, useShownWallet } from './shown-wallet.ts';
import { UnstakeCard } from './unstake/unstake-card.tsx';
import { useHistory } from './use-history.ts';
import { HistoryCard } from './wallet-history-card.tsx';

const NoWallet = ({ onShow }: { onShow: (address: string) => void }) => (
  <Card>
    <Empty
      icon="portfolio"
      title="Choose a wallet"
      action={
        <div className={styles.choose}>
          <Button kind="primary" icon="wallet" onClick={openConnectDialog}>
            Connect your wallet
          </Button>
          <AddressForm onShow={onShow} />
        </div>
      }
    >
      Connect your wallet to see and manage its stakes. You can view any wallet: chain data is public.
    </Empty>
  </Card>
);

const NoAddress = ({ text, onShow }: { text: string; onShow: (address: string | null) => void }) => (
  <Card>
    <Empty
      icon="portfolio"
      title="This is not a wallet address"
      action={
        <div className={styles.choose}>
          <Button onClick={() => onShow(null)}>Back to my portfolio</Button>
          <AddressForm onShow={onShow} />
        </div>
      }
    >
      The link contains “{foreignText(text)}”. An address has 32 to 44 letters and digits, without 0, O, I or
      l.
    </Empty>
  </Card>
);

const WhoseLine = ({ walletAddress, isOwn, show }: ShownWallet & { walletAddress: string }) => {
  const { walletAddress: own } = useWallet();
  const [open, setOpen] = useState(false);
  const [hasSheet, setHasSheet] = useState(false);
  return (
    <div className={styles.whose}>
      <div className={styles.line}>
        <Pill tone={isOwn ? 'accent' : 'neutral'}>{isOwn ? 'Your wallet' : 'Read only'}</Pill>
        <Address address={walletAddress} what="wallet address" />
        <span className={styles.switch}>
          {!isOwn && (
            <Button size="s" onClick={() => show(null)}>
              {own === null ? 'Close' : 'Back to my portfolio'}
            </Button>
          )}
          <Button size="s" kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            Another wallet
          </Button>
          <Button size="s" kind="quiet" aria-expanded={hasSheet} onClick={() => setHasSheet(!hasSheet)}>
            Printable sheet
          </Button>
        </span>
      </div>
      {open && (
        <AddressForm
          onShow={(address) => {
            show(address);
            setOpen(false);
          }}
        />
      )}
      {hasSheet && <SheetCard walletAddress={walletAddress} />}
    </div>
  );
};

/** Scrolls the card into view when it appears, because the button that started it may be far away. */
const ShownFlow = () => {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which is no cleanup function.
    void ref.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={ref} className={styles.flow}>
      <FlowCard />
    </div>
  );
};

const isStaked = ({ role, state }: StakeAccount): boolean =>
  role === 'owner' && (state === 'active' || state === 'activating');

const Contents = ({ walletAddress, isOwn }: { walletAddress: string; isOwn: boolean }) => {
  const summary = useLiveSummary(walletAddress);
  const history = useHistory(walletAddress);
  const { state } = useStore(connection);
  if (summary.data === undefined)
    return summary.error === undefined ? (
      <Card>
        {state === 'ok' ? (
          <SkeletonText lines={5} what="Loading the portfolio" />
        ) : (
          <p role="status">This wallet loads as soon as the service answers again.</p>
        )}
      </Card>
    ) : (
      <LoadError resource={summary} what="This wallet" />
    );
  const hasStake = summary.data.accounts.some(({ role }) => role === 'owner');
  return (
    <>
      {summary.stale && (
        <p className={styles.stale} role="status">
          As of {timeText(new Date(summary.at!).toISOString())}. Newer figures are unavailable.
        </p>
      )}
      <OverviewCard summary={summary} walletAddress={walletAddress} canAct={isOwn} />
      {isOwn && summary.data.accounts.some(isStaked) && (
        <UnstakeCard walletAddress={walletAddress} portfolio={summary.data.portfolio} />
      )}
      {isOwn && <BringCard summary={summary} walletAddress={walletAddress} />}
      <AccountsCard summary={summary} walletAddress={walletAddress} canAct={isOwn} />
      <RewardsCard walletAddress={walletAddress} hasStake={hasStake} />
      <HistoryCard history={history} hasStake={hasStake} />
      {hasStake && <ChangesCard walletAddress={walletAddress} />}
      <InformedCard walletAddress={walletAddress} />
    </>
  );
};

/** `/portfolio`, `/portfolio?wallet=<address>` */
export const PortfolioView = () => {
  useEpochChanges();
  const shown = useShownWallet();
  const flowShown = useFlowShown();
  const { walletAddress, isOwn, show } = shown;
  return (
    <>
      <ViewHeading title="Portfolio">
        {walletAddress === null ? 'Stakes, rewards and history of a wallet, live from the chain.' : undefined}
      </ViewHeading>
      <div className={styles.content}>
        {walletAddress !== null && looksLikeAddress(walletAddress) && (
          <WhoseLine {...shown} walletAddress={walletAddress} />
        )}
        {flowShown && isOwn && <ShownFlow />}
        {walletAddress === null ? (
          <NoWallet onShow={show} />
        ) : !looksLikeAddress(walletAddress) ? (
          <NoAddress text={walletAddress} onShow={show} />
        ) : (
          <Contents key={walletAddress} walletAddress={walletAddress} isOwn={isOwn} />
        )}
      </div>
    </>
  );
};
