// The wallet's stake accounts with this validator and, on demand, those elsewhere or undelegated.
import { useId, useState } from 'react';
import type { StakeAccount, StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import { LoadError } from '../../../api/load-error.tsx';
import type { Resource } from '../../../api/use-resource.ts';
import { LinkButton } from '../../../shell/link.tsx';
import { recall, remember } from '../../../state/browser-storage.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/empty-state.tsx';
import { criticalNotice, Notices } from '../../../ui/notice-list.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import { orderAccounts } from '../accounts-table/account-order.ts';
import { AccountsTable } from '../accounts-table/accounts-table.tsx';
import { canTopUp } from '../dialogs/top-up-limits.ts';
import { BringLine } from '../migrate/migrate-line.tsx';
import { useAllAccounts, useTiming } from '../portfolio-reads.ts';
import { UnstakeAmount } from '../unstake/unstake-sheet.tsx';
import { AccountItem } from './account-item.tsx';
import styles from './accounts-card.module.css';
import { suggestedChanges } from './suggested-changes.ts';
import { SuggestedLines } from './suggested-lines.tsx';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

/**
 * Maximum number of accounts shown as items. More are shown as a table, because long lists of timelines are
 * hard to read.
 */
const MAX_ITEMS = 5;

const EVERYWHERE_KEY = 'holdfast-everywhere';

/**
 * Returns whether accounts with other validators are shown, and a setter. Kept in this tab for one wallet, because the
 * card is removed while the figures are read again after a transaction.
 */
const useEverywhere = (walletAddress: string) => {
  const [everywhere, setEverywhere] = useState(
    () => recall(EVERYWHERE_KEY, 'sessionStorage') === walletAddress,
  );
  const set = (on: boolean): void => {
    remember(EVERYWHERE_KEY, on ? walletAddress : null, 'sessionStorage');
    setEverywhere(on);
  };
  return [everywhere, set] as const;
};

/** True for stake from which an amount can be unstaked. */
const canUnstake = ({ role, state, stakeAuthority }: StakeAccount, walletAddress: string): boolean =>
  role === 'owner' && stakeAuthority === walletAddress && (state === 'active' || state === 'activating');

const NothingStaked = ({ canAct, everywhere }: { canAct: boolean; everywhere: boolean }) => (
  <Empty
    icon="stake"
    title={say(everywhere ? 'noAccounts' : 'noStakeHere')}
    action={
      canAct && (
        <LinkButton href="/" icon="stake">
          {say('stakeSol')}
        </LinkButton>
      )
    }
  >
    {say(canAct ? 'stakeEarns' : 'noneWithValidator')}
  </Empty>
);

export const AccountsCard = ({
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
  const id = useId();
  const [everywhere, setEverywhere] = useEverywhere(walletAddress);
  const all = useAllAccounts(walletAddress, everywhere);
  const timing = useTiming(summary);
  const data = summary.data!;
  const here = new Set(data.accounts.map(({ address }) => address));
  const elsewhere = everywhere ? (all.data?.accounts ?? []).filter(({ address }) => !here.has(address)) : [];
  const accounts = [...orderAccounts(data.accounts, { by: 'state', descending: false }), ...elsewhere];
  const changes = suggestedChanges(data.accounts, {
    walletAddress,
    validatorVoteAccount: data.validatorVoteAccount,
    rewardsActive: timing?.timing.epochRewardsActive ?? false,
  });
  const hasActivating = data.accounts.some((account) =>
    canTopUp(account, {
      walletAddress,
      validatorVoteAccount: data.validatorVoteAccount,
      rewardsActive: false,
    }),
  );
  const shared = { walletAddress, validatorVoteAccount: data.validatorVoteAccount, timing, canAct };
  return (
    <Card
      title={say('title')}
      note={accounts.length > MAX_ITEMS ? say('total', { count: accounts.length }) : undefined}
      flush
      actions={
        <>
          <label className={styles.toggle} htmlFor={id}>
            <input
              id={id}
              type="checkbox"
              checked={everywhere}
              onChange={(event) => setEverywhere(event.target.checked)}
            />
            {say('includeOthers')}
          </label>
          {canAct && data.accounts.some((account) => canUnstake(account, walletAddress)) && (
            <UnstakeAmount
              walletAddress={walletAddress}
              portfolio={data.portfolio}
              accounts={data.accounts}
            />
          )}
        </>
      }
    >
      {canAct && (
        <SuggestedLines
          changes={changes}
          walletAddress={walletAddress}
          stakeTo={hasActivating ? 'activating' : 'stake'}
        />
      )}
      {canAct && <BringLine summary={summary} walletAddress={walletAddress} />}
      {accounts.length === 0 && !all.loading && (
        <NothingStaked
          canAct={canAct && canOffer && criticalNotice(data.notices) === undefined}
          everywhere={everywhere && all.data !== undefined}
        />
      )}
      {accounts.length > MAX_ITEMS ? (
        <AccountsTable {...shared} accounts={accounts} />
      ) : (
        <ul className={styles.list}>
          {accounts.map((account) => (
            <AccountItem
              key={account.address}
              {...shared}
              account={account}
              explorerUrl={account.explorerUrl}
            />
          ))}
        </ul>
      )}
      <div className={styles.foot}>
        {everywhere && all.pending && <SkeletonText lines={2} what={say('lookingForOthers')} />}
        <LoadError resource={all} what={say('otherAccounts')} />
        {everywhere && all.data !== undefined && elsewhere.length === 0 && accounts.length > 0 && (
          <p className={styles.none} role="status">
            {say('noOthers')}
          </p>
        )}
        {everywhere && all.data !== undefined && (
          <Notices notices={all.data.notices.filter(({ text }) => !data.warnings.includes(text))} />
        )}
      </div>
    </Card>
  );
};
