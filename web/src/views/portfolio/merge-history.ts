// Merges pages of a history into one list: newest first, without duplicates, even if entries arrived while the user
// paged back.
import type { HistoryEntry, WalletAlert } from '../../../../client/generated/stake-operations.ts';

/** Identifies an entry, because one transaction may affect several accounts. */
export const entryKey = ({ signature, type, stakeAccountAddress }: HistoryEntry): string =>
  `${signature} ${type} ${stakeAccountAddress}`;

/** Merges two lists; `newer` comes first. Entries of the same slot keep their order. */
export const mergeHistory = (
  newer: readonly HistoryEntry[],
  older: readonly HistoryEntry[],
): readonly HistoryEntry[] =>
  [...new Map([...newer, ...older].map((entry) => [entryKey(entry), entry])).values()].toSorted(
    (a, b) => b.slot - a.slot,
  );

/**
 * True if a first page and the older entries are contiguous: they overlap, or nothing is older than the page.
 */
export const isContiguous = (
  first: { readonly history: readonly HistoryEntry[]; readonly nextCursor: string | null },
  shown: readonly HistoryEntry[],
): boolean => {
  const known = new Set(shown.map(entryKey));
  return first.nextCursor === null || first.history.some((entry) => known.has(entryKey(entry)));
};

/**
 * Returns the changes of control that others signed, because the history has only transactions that the wallet
 * signed. Older changes are added once the older entries are loaded.
 */
export const changesByOthers = <Change extends Pick<WalletAlert, 'slot' | 'data'>>(
  walletAddress: string,
  changes: readonly Change[],
  {
    entries,
    hasMore,
  }: { readonly entries: readonly Pick<HistoryEntry, 'slot'>[]; readonly hasMore: boolean },
): readonly Change[] => {
  const fromSlot = hasMore ? Math.min(...entries.map(({ slot }) => slot)) : 0;
  return changes.filter(({ slot, data }) => slot >= fromSlot && !data.signedBy.includes(walletAddress));
};
