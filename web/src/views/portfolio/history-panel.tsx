// The wallet's history with this validator, newest first, each entry with its transaction.
import type { ReactNode } from 'react';
import type { HistoryEntry, WalletAlert } from '../../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../../src/domain/short-address.ts';
import { describeError } from '../../api/describe-error.ts';
import { api } from '../../api/holdfast.ts';
import { LoadError } from '../../api/load-error.tsx';
import { WALLET_KEYS } from '../../api/shared-reads.ts';
import { useResource } from '../../api/use-resource.ts';
import { count, dateText, exactSol } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { defineWords } from '../../words/define-words.ts';
import { historyEnglish } from '../../words/en/portfolio/history.ts';
import styles from './history-panel.module.css';
import { changesByOthers, entryKey } from './merge-history.ts';
import { changeTitle } from './notifications/new-alerts.ts';
import { accountsOf, legWords, titleOf } from './transaction-words.ts';
import type { useHistory } from './use-history.ts';

const { say } = defineWords('history', historyEnglish);

/** Color of the pill by type of the entry. */
const TONES = {
  rescue: 'good',
  authorize: 'warn',
  stake: 'good',
  topUp: 'good',
  restake: 'good',
  undo: 'good',
  unstake: 'warn',
  merge: 'info',
  withdraw: 'accent',
  split: 'info',
  move: 'info',
  donate: 'info',
  change: 'info',
} as const satisfies Record<HistoryEntry['act'], string>;

/** Renders the title of an entry. A change of several accounts can be expanded into its steps. */
const What = ({ entry }: { entry: HistoryEntry }) => {
  const { type, act, legs } = entry;
  const pill = (
    <span title={titleOf(entry, exactSol)}>
      <Pill tone={TONES[act]}>{titleOf(entry)}</Pill>
    </span>
  );
  // The title does not say which authority changed and who has it now, so the step is shown.
  if (act === 'authorize' && legs.length === 1)
    return (
      <>
        {pill} <p className={styles.step}>{legWords(legs[0]!)}</p>
      </>
    );
  if (type !== 'rearrange' || legs.length < 2) return pill;
  return (
    <details className={styles.legs}>
      <summary>
        {pill} {say('steps', { count: count(legs.length) })}
      </summary>
      <ol>
        {legs.map((leg, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a landed transaction never change
          <li key={index}>{legWords(leg)}</li>
        ))}
      </ol>
    </details>
  );
};

/** Number of accounts above which a row only counts the others. Its steps name all of them. */
const MAX_ACCOUNTS = 3;

const Accounts = ({ entry }: { entry: HistoryEntry }) => {
  const accounts = accountsOf(entry);
  if (accounts.length === 0) return '–';
  const shown = accounts.slice(0, accounts.length === MAX_ACCOUNTS + 1 ? undefined : MAX_ACCOUNTS);
  return (
    <div className={styles.accounts}>
      {shown.map((address) => (
        <Address
          key={address}
          address={address}
          what={say('aStakeAccount')}
          href={(address === entry.stakeAccountAddress && entry.accountUrl) || undefined}
        />
      ))}
      {accounts.length > shown.length && (
        <span>{say('moreAccounts', { count: accounts.length - shown.length })}</span>
      )}
    </div>
  );
};

interface HistoryRow {
  readonly key: string;
  readonly what: ReactNode;
  readonly epoch: number;
  readonly slot: number;
  /** ISO; null if no node knows the time. */
  readonly at: string | null;
  readonly accounts: ReactNode;
  readonly signature: string;
  readonly explorerUrl?: string;
}

const entryRow = (entry: HistoryEntry): HistoryRow => ({
  key: entryKey(entry),
  what: <What entry={entry} />,
  epoch: entry.epoch,
  slot: entry.slot,
  at: entry.confirmedAt,
  accounts: <Accounts entry={entry} />,
  signature: entry.signature,
  explorerUrl: entry.explorerUrl,
});

/**
 * Builds the row of a change that someone else signed. It has no links, because a thief must not be able to
 * place one.
 */
const changeRow = (change: WalletAlert): HistoryRow => {
  const { stakeAccountAddress, signature, epoch } = change.data;
  return {
    key: `${change.type} ${stakeAccountAddress} ${signature}`,
    what: (
      <>
        <Pill tone="bad">{changeTitle(change)}</Pill> <p className={styles.step}>{say('byOthers')}</p>
      </>
    ),
    epoch,
    slot: change.slot,
    at: change.timestamp,
    accounts: <Address address={stakeAccountAddress} what={say('aStakeAccount')} />,
    signature,
  };
};

const columns = (): readonly Column<HistoryRow>[] => [
  { key: 'type', title: say('what'), cell: ({ what }) => what },
  { key: 'epoch', title: say('epoch'), numeric: true, cell: ({ epoch }) => epoch },
  {
    key: 'time',
    title: say('when'),
    cell: ({ at }) => (at === null ? '–' : <time dateTime={at}>{dateText(at)}</time>),
  },
  { key: 'account', title: say('stakeAccount'), cell: ({ accounts }) => accounts },
  {
    key: 'transaction',
    title: say('transaction'),
    cell: ({ signature, explorerUrl }) => (
      <Address
        address={signature}
        what={say('aSignature', { signature: shortAddress(signature) })}
        href={explorerUrl}
      />
    ),
  },
];

const Coverage = ({ fromSlot, onSearch }: { fromSlot: number | null; onSearch: () => void }) =>
  fromSlot === 0 ? null : (
    <p className={styles.coverage}>
      {fromSlot === null ? say('onlyHere') : say('completeFrom', { slot: count(fromSlot) })}{' '}
      <Button size="s" kind="quiet" icon="refresh" onClick={onSearch}>
        {say('searchFurther')}
      </Button>
    </p>
  );

/** `history` is the result of `useHistory`. */
export const HistoryPanel = ({
  walletAddress,
  history,
}: {
  walletAddress: string;
  history: ReturnType<typeof useHistory>;
}) => {
  const { first, entries, awaited, hasMore, busy, problem, loadMore } = history;
  const { data: changes } = useResource(`${WALLET_KEYS}${walletAddress}/alerts`, (signal) =>
    api.walletAlerts({ walletAddress, limit: 100 }, { signal }),
  );
  const others =
    first.data === undefined ? [] : changesByOthers(walletAddress, changes?.alerts ?? [], history);
  const rows = [...entries.map(entryRow), ...others.map(changeRow)].toSorted((a, b) => b.slot - a.slot);
  const isEmpty = first.data !== undefined && rows.length === 0;
  return (
    <>
      <div className={styles.above}>
        <LoadError resource={first} what={say('theHistory')} />
        {first.pending && <SkeletonText lines={3} what={say('loading')} />}
        {awaited && <Notice>{say('awaited')}</Notice>}
        {first.data?.complete === false && (
          <Notice>{say(first.data.coverageFromSlot === 0 ? 'notSearched' : 'notWhole')}</Notice>
        )}
      </div>
      {isEmpty && !awaited && (
        <Empty icon="clock" title={say('none')}>
          {say('noneWhy')}
        </Empty>
      )}
      {rows.length > 0 && (
        <div className={styles.list}>
          <Table caption={say('caption')} columns={columns()} rows={rows} rowKey={({ key }) => key} />
        </div>
      )}
      {first.data !== undefined && (
        <div className={styles.below}>
          {problem !== undefined && (
            <Notice tone="warn" title={describeError(problem).title}>
              {describeError(problem).detail}
            </Notice>
          )}
          {hasMore ? (
            <Button busy={busy} onClick={() => void loadMore()}>
              {say('loadMore')}
            </Button>
          ) : (
            <Coverage fromSlot={first.data.coverageFromSlot} onSearch={first.refresh} />
          )}
        </div>
      )}
    </>
  );
};
