// The wallet's history here, newest first, each entry with its transaction.
import type { HistoryEntry } from '../../../../client/generated/stake-operations.ts';
import { describeError } from '../../api/describe-error.ts';
import { LoadError } from '../../api/load-error.tsx';
import { foreignText } from '../../text/foreign-text.ts';
import { count, dateText, shortAddress } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './history-panel.module.css';
import { legWords } from './leg-words.ts';
import { entryKey } from './merge-history.ts';
import type { useHistory } from './use-history.ts';

/** The tone of an entry's pill. */
const TONES = {
  rescue: 'good',
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

/** A change of several accounts can be expanded into its steps. */
const What = ({ entry: { type, act, title, legs } }: { entry: HistoryEntry }) => {
  const pill = <Pill tone={TONES[act]}>{foreignText(title)}</Pill>;
  if (type !== 'rearrange' || legs.length < 2) return pill;
  return (
    <details className={styles.legs}>
      <summary>
        {pill} {count(legs.length)} steps
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

const COLUMNS: readonly Column<HistoryEntry>[] = [
  {
    key: 'type',
    title: 'What',
    cell: (entry) => <What entry={entry} />,
  },
  { key: 'epoch', title: 'Epoch', numeric: true, cell: ({ epoch }) => epoch },
  {
    key: 'time',
    title: 'When',
    cell: ({ confirmedAt }) => <time dateTime={confirmedAt}>{dateText(confirmedAt)}</time>,
  },
  {
    key: 'account',
    title: 'Stake account',
    cell: (entry) =>
      entry.stakeAccountAddress === null ? (
        '–'
      ) : (
        <Address
          address={entry.stakeAccountAddress}
          what="stake account"
          href={entry.accountUrl ?? undefined}
        />
      ),
  },
  {
    key: 'transaction',
    title: 'Transaction',
    cell: ({ signature, explorerUrl }) => (
      <Address address={signature} what={`signature ${shortAddress(signature)}`} href={explorerUrl} />
    ),
  },
];

const Coverage = ({ fromSlot, onSearch }: { fromSlot: number | null; onSearch: () => void }) =>
  fromSlot === 0 ? null : (
    <p className={styles.coverage}>
      {fromSlot === null
        ? 'Only transactions sent through this service. The chain has not been searched for this wallet yet.'
        : `Complete from slot ${count(fromSlot)}. Older transactions are still being searched.`}{' '}
      <Button size="s" kind="quiet" icon="refresh" onClick={onSearch}>
        Search further
      </Button>
    </p>
  );

/** `history` is the result of `useHistory`. */
export const HistoryPanel = ({ history }: { history: ReturnType<typeof useHistory> }) => {
  const { first, entries, awaited, hasMore, busy, problem, loadMore } = history;
  const isEmpty = first.data !== undefined && entries.length === 0;
  return (
    <>
      <div className={styles.above}>
        <LoadError resource={first} what="The history" />
        {first.pending && <SkeletonText lines={3} what="Loading the history" />}
        {awaited && (
          <Notice>Your last transaction is confirmed. It appears here once finalized, within seconds.</Notice>
        )}
        {first.data?.warnings.map((warning) => (
          <Notice key={warning}>{warning}</Notice>
        ))}
      </div>
      {isEmpty && !awaited && (
        <Empty icon="clock" title="No transactions yet">
          Stakes, unstakes and withdrawals of this wallet appear here.
        </Empty>
      )}
      {entries.length > 0 && <Table caption="History" columns={COLUMNS} rows={entries} rowKey={entryKey} />}
      {first.data !== undefined && (
        <div className={styles.below}>
          {problem !== undefined && (
            <Notice tone="warn" title={describeError(problem).title}>
              {describeError(problem).detail}
            </Notice>
          )}
          {hasMore ? (
            <Button busy={busy} onClick={() => void loadMore()}>
              Load more
            </Button>
          ) : (
            <Coverage fromSlot={first.data.coverageFromSlot} onSearch={first.refresh} />
          )}
        </div>
      )}
    </>
  );
};
