// Reads the history by pages: the first page is refreshed, and older ones are added on demand, without
// duplicates or gaps.
import { useState } from 'react';
import type { HistoryEntry } from '../../../../client/generated/stake-operations.ts';
import { api } from '../../api/holdfast.ts';
import { WALLET_KEYS } from '../../api/shared-reads.ts';
import { useResource } from '../../api/use-resource.ts';
import { useFlow } from '../../flow/use-page-flow.ts';
import { isContiguous, mergeHistory } from './merge-history.ts';

const PAGE = 15;
const QUIET_MS = 60_000;
/** The history contains only finalized transactions, so a newly confirmed one appears some seconds later. */
const EXPECTING_MS = 5_000;

interface Older {
  readonly walletAddress: string;
  readonly entries: readonly HistoryEntry[];
  readonly cursor: string | null;
}

/** Returns the history of a wallet and a function that loads more of it. */
export const useHistory = (walletAddress: string) => {
  const { step, record } = useFlow();
  const [expected, setExpected] = useState<string | null>(null);
  const first = useResource(
    `${WALLET_KEYS}${walletAddress}/history`,
    (signal) => api.walletHistory({ walletAddress, limit: PAGE }, { signal }),
    expected === null ? QUIET_MS : EXPECTING_MS,
  );
  const [loaded, setLoaded] = useState<Older | null>(null);
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  // If more new entries than fit on a page have appeared, older pages are loaded again.
  const older =
    loaded?.walletAddress === walletAddress &&
    (first.data === undefined || isContiguous(first.data, loaded.entries))
      ? loaded
      : null;
  const entries = mergeHistory(first.data?.history ?? [], older?.entries ?? []);

  const confirmed =
    step === 'confirmed' && record?.walletAddress === walletAddress ? (record.signature ?? null) : null;
  const awaited =
    first.data !== undefined &&
    confirmed !== null &&
    !entries.some(({ signature }) => signature === confirmed)
      ? confirmed
      : null;
  if (awaited !== expected) setExpected(awaited);

  const cursor = older === null ? (first.data?.nextCursor ?? null) : older.cursor;
  const loadMore = async (): Promise<void> => {
    if (cursor === null) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const page = await api.walletHistory({ walletAddress, limit: PAGE, cursor });
      setLoaded({ walletAddress, entries: mergeHistory(entries, page.history), cursor: page.nextCursor });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return { first, entries, awaited: awaited !== null, hasMore: cursor !== null, busy, problem, loadMore };
};
