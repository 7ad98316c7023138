// The wallet's stake accounts: those at this validator, and on demand those elsewhere or not delegated.
import { useId, useState } from 'react';
import type { StakeAccount, StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import { LoadError } from '../../../api/load-error.tsx';
import type { Resource } from '../../../api/use-resource.ts';
import { LinkButton } from '../../../shell/link.tsx';
import { Card } from '../../../ui/card.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { useAllAccounts, useTiming } from '../portfolio-reads.ts';
import { AccountItem } from './account-item.tsx';
import styles from './accounts-card.module.css';
import { suggestedChanges } from './suggested-changes.ts';
import { SuggestedLines } from './suggested-lines.tsx';

/** More are shown on demand: nobody reads fifty timelines. */
const FIRST_SHOWN = 12;

/** What needs its owner comes first, then the largest. */
const URGENCY = { inactive: 0, deactivating: 1, activating: 2, active: 3, initialized: 4 } as const;

const byUrgency = (a: StakeAccount, b: StakeAccount): number =>
  URGENCY[a.state] - URGENCY[b.state] || b.lamports - a.lamports;

const NothingStaked = ({ canAct, everywhere }: { canAct: boolean; everywhere: boolean }) => (
  <Empty
    icon="stake"
    title={everywhere ? 'No stake accounts' : 'No stake here yet'}
    action={
      canAct && (
        <LinkButton href="/" icon="stake">
          Stake SOL
        </LinkButton>
      )
    }
  >
    {canAct
      ? 'A stake earns from the next epoch and stays yours.'
      : 'This wallet has no stake with this validator.'}
  </Empty>
);

export const AccountsCard = ({
  summary,
  walletAddress,
  canAct,
}: {
  summary: Resource<StakingSummaryAnswer>;
  walletAddress: string;
  canAct: boolean;
}) => {
  const id = useId();
  const [everywhere, setEverywhere] = useState(false);
  const [allShown, setAllShown] = useState(false);
  const all = useAllAccounts(walletAddress, everywhere);
  const timing = useTiming(summary);
  const data = summary.data!;
  const here = new Set(data.accounts.map(({ address }) => address));
  const elsewhere = everywhere ? (all.data?.accounts ?? []).filter(({ address }) => !here.has(address)) : [];
  const accounts = [...data.accounts.toSorted(byUrgency), ...elsewhere];
  const changes = suggestedChanges(data.accounts, {
    walletAddress,
    validatorVoteAccount: data.validatorVoteAccount,
    rewardsActive: timing?.timing.epochRewardsActive ?? false,
  });
  const shown = allShown ? accounts : accounts.slice(0, FIRST_SHOWN);
  return (
    <Card
      title="Stake accounts"
      note={accounts.length === 0 ? undefined : `${accounts.length} in total`}
      flush
      actions={
        <label className={styles.toggle} htmlFor={id}>
          <input
            id={id}
            type="checkbox"
            checked={everywhere}
            onChange={(event) => setEverywhere(event.target.checked)}
          />
          Include other validators and undelegated
        </label>
      }
    >
      {canAct && <SuggestedLines changes={changes} walletAddress={walletAddress} />}
      {shown.length === 0 && !all.loading && (
        <NothingStaked canAct={canAct} everywhere={everywhere && all.data !== undefined} />
      )}
      <ul>
        {shown.map((account) => (
          <AccountItem
            key={account.address}
            account={account}
            walletAddress={walletAddress}
            validatorVoteAccount={data.validatorVoteAccount}
            timing={timing}
            canAct={canAct}
            explorerUrl={account.explorerUrl}
          />
        ))}
      </ul>
      <div className={styles.foot}>
        {everywhere && all.pending && <SkeletonText lines={2} what="Looking for other stake accounts" />}
        <LoadError resource={all} what="Other stake accounts" />
        {everywhere && all.data !== undefined && elsewhere.length === 0 && accounts.length > 0 && (
          <p className={styles.none} role="status">
            No stake accounts with other validators, and none undelegated.
          </p>
        )}
        {everywhere &&
          all.data?.warnings
            .filter((warning) => !data.warnings.includes(warning))
            .map((warning) => <Notice key={warning}>{warning}</Notice>)}
        {accounts.length > shown.length && (
          <Button onClick={() => setAllShown(true)}>Show all {accounts.length}</Button>
        )}
      </div>
    </Card>
  );
};
