// The Portfolio view: a wallet's stakes, their states, rewards and history.
import { useEffect, useRef, useState } from 'react';
import { LoadError } from '../../api/load-error.tsx';
import { connection, useIsAway } from '../../api/service-connection.ts';
import { summaryKey } from '../../api/shared-reads.ts';
import { FlowCard } from '../../flow/flow-card.tsx';
import { useFlowShown } from '../../flow/flow-shown.ts';
import { useFlow } from '../../flow/use-page-flow.ts';
import { useStore } from '../../state/create-store.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { timeText } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Tabs } from '../../ui/controls/tabs.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { openConnectDialog } from '../../wallet/wallet-button.tsx';
import { defineWords } from '../../words/define-words.ts';
import { portfolioOverviewEnglish } from '../../words/en/portfolio/overview.ts';
import { AccountsCard } from './accounts/accounts-card.tsx';
import { AddressForm } from './address-form.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { useLastKnown } from './last-known.ts';
import { AlertsPanel } from './notifications/alerts-panel.tsx';
import { useNotifications } from './notifications/use-notifications.ts';
import { OverviewCard } from './overview/overview-card.tsx';
import { useEpochChanges, useLiveSummary } from './portfolio-reads.ts';
import styles from './portfolio-view.module.css';
import { RewardsPanel } from './rewards-panel.tsx';
import { SheetPanel } from './sheet/sheet-panel.tsx';
import { looksLikeAddress, type ShownWallet, useShownWallet } from './shown-wallet.ts';
import { useHistory } from './use-history.ts';

const { say } = defineWords('portfolioOverview', portfolioOverviewEnglish);

const NoWallet = ({ onShow }: { onShow: (address: string) => void }) => (
  <Card>
    <Empty
      icon="portfolio"
      title={say('chooseWallet')}
      action={
        <div className={styles.choose}>
          <Button kind="primary" icon="wallet" onClick={openConnectDialog}>
            {say('connectWallet')}
          </Button>
          <AddressForm onShow={onShow} />
        </div>
      }
    >
      {say('chooseWalletText')}
    </Empty>
  </Card>
);

const NoAddress = ({ text, onShow }: { text: string; onShow: (address: string | null) => void }) => (
  <Card>
    <Empty
      icon="portfolio"
      title={say('notAWallet')}
      action={
        <div className={styles.choose}>
          <Button onClick={() => onShow(null)}>{say('backToOwn')}</Button>
          <AddressForm onShow={onShow} />
        </div>
      }
    >
      {say('notAWalletText', { text: foreignText(text) })}
    </Empty>
  </Card>
);

const WhoseLine = ({ walletAddress, isOwn, isAway, show }: ShownWallet & { walletAddress: string }) => {
  const { walletAddress: own, status } = useWallet();
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.whose}>
      <div className={styles.line}>
        <Pill tone={isOwn ? 'accent' : isAway ? 'warn' : 'neutral'}>
          {say(isOwn ? 'ownWallet' : isAway ? 'notConnected' : 'readOnly')}
        </Pill>
        <Address address={walletAddress} what={say('walletAddress')} />
        <span className={styles.switch}>
          {isAway ? (
            <Button size="s" icon="wallet" busy={status === 'connecting'} onClick={openConnectDialog}>
              {say('connectWallet')}
            </Button>
          ) : (
            !isOwn && (
              <Button size="s" onClick={() => show(null)}>
                {say(own === null ? 'close' : 'backToOwn')}
              </Button>
            )
          )}
          <Button size="s" kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {say('anotherWallet')}
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
    </div>
  );
};

/** Scrolls the card into view when it appears, because the button that started the flow may be far away. */
const ShownFlow = () => {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which is not a cleanup function.
    void ref.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={ref} className={styles.flow}>
      <FlowCard folds />
    </div>
  );
};

const TABS = {
  rewards: 'tabRewards',
  history: 'tabHistory',
  alerts: 'tabAlerts',
  sheet: 'tabSheet',
} as const;

type Tab = keyof typeof TABS;

interface MoreProps {
  readonly walletAddress: string;
  readonly hasStake: boolean;
  readonly history: ReturnType<typeof useHistory>;
}

/** Renders the panels that are not needed at first sight, one at a time. */
const More = ({ walletAddress, hasStake, history }: MoreProps) => {
  const [tab, setTab] = useState<Tab>('rewards');
  // Sends notifications of alerts, whichever tab is open.
  const notifications = useNotifications(walletAddress);
  const tabs = (Object.keys(TABS) as Tab[]).map((value) => ({ value, label: say(TABS[value]) }));
  return (
    <Card label={say('morePanels')}>
      <Tabs label={say('moreTabs')} tabs={tabs} value={tab} onChange={setTab}>
        <div className={styles.panel}>
          {tab === 'rewards' && <RewardsPanel walletAddress={walletAddress} hasStake={hasStake} />}
          {tab === 'history' && <HistoryPanel walletAddress={walletAddress} history={history} />}
          {tab === 'alerts' && (
            <AlertsPanel walletAddress={walletAddress} notifications={notifications} hasStake={hasStake} />
          )}
          {tab === 'sheet' && <SheetPanel walletAddress={walletAddress} />}
        </div>
      </Tabs>
    </Card>
  );
};

/**
 * True if the last change was a withdrawal of this epoch. The page does not offer a new stake to users who have
 * just withdrawn SOL.
 */
const useIsLeaving = (
  { entries: [last] }: ReturnType<typeof useHistory>,
  currentEpoch: number | undefined,
): boolean => {
  const { step, record } = useFlow();
  const goal = record?.change?.goal;
  const isOut = record?.kind === 'withdraw' || goal === 'withdraw-all' || goal === 'withdraw-amount';
  return step === 'confirmed' ? isOut : last?.act === 'withdraw' && last.epoch === currentEpoch;
};

const Contents = ({ walletAddress, isOwn }: { walletAddress: string; isOwn: boolean }) => {
  const live = useLiveSummary(walletAddress);
  const summary = useLastKnown(summaryKey(walletAddress), live);
  // Figures kept from before a reload offer no actions, because the actions may no longer be possible.
  const isKept = summary !== live;
  const canAct = isOwn && !isKept;
  const history = useHistory(walletAddress);
  const isLeaving = useIsLeaving(history, summary.data?.epochTiming?.currentEpoch);
  const { state } = useStore(connection);
  const isAway = useIsAway();
  if (summary.data === undefined)
    return summary.error === undefined ? (
      <Card>
        {state === 'ok' ? (
          <SkeletonText lines={5} what={say('loading')} />
        ) : (
          <p role="status">{say('loadsLater', { state })}</p>
        )}
      </Card>
    ) : (
      <LoadError resource={summary} what={say('thisWallet')} />
    );
  const hasStake = summary.data.accounts.some(({ role }) => role === 'owner');
  const canOffer = canAct && !isAway && history.first.data !== undefined && !isLeaving;
  return (
    <>
      {summary.stale && (
        <p className={styles.stale} role="status">
          {say('stale', { time: timeText(new Date(summary.at!).toISOString()), kept: String(isKept) })}
        </p>
      )}
      <OverviewCard summary={summary} walletAddress={walletAddress} canAct={canAct} canOffer={canOffer} />
      <AccountsCard summary={summary} walletAddress={walletAddress} canAct={canAct} canOffer={canOffer} />
      <More walletAddress={walletAddress} hasStake={hasStake} history={history} />
    </>
  );
};

/** `/portfolio`, `/portfolio?wallet=<address>` */
export const PortfolioView = () => {
  useEpochChanges();
  const shown = useShownWallet();
  const flowShown = useFlowShown();
  const { walletAddress, isOwn, isAway, show } = shown;
  return (
    <>
      <div className={styles.top}>
        <ViewHeading title={say('title')}>{walletAddress === null ? say('subtitle') : undefined}</ViewHeading>
        {walletAddress !== null && looksLikeAddress(walletAddress) && (
          <WhoseLine {...shown} walletAddress={walletAddress} />
        )}
      </div>
      <div className={styles.content}>
        {flowShown && (isOwn || isAway) && <ShownFlow />}
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
