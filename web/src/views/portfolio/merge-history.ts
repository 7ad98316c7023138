// Pages of a history as one list: newest first, each transaction's effect once, whatever arrived while somebody leafed back.
import type { HistoryEntry } from '../../../../client/generated/stake-operations.ts';

/** One transaction may act on several accounts. */
export const entryKey = ({ signature, type, stakeAccountAddress }: HistoryEntry): string =>
  `${signature} ${type} ${stakeAccountAddress}`;

/** `newer` first; entries of the same slot stay in the order in which they came. */
export const mergeHistory = (
  newer: readonly HistoryEntry[],
  older: readonly HistoryEntry[],
): readonly HistoryEntry[] =>
  [...new Map([...newer, ...older].map((entry) => [entryKey(entry), entry])).values()].toSorted(
    (a, b) => b.slot - a.slot,
  );
