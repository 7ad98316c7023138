// Detects the end of an epoch, by button or timer, and the resulting changes for the connected wallet.
import { useCallback, useEffect, useRef, useState } from 'react';
import { summaryKey, useEpoch, useSummary, VALIDATOR_KEYS, WALLET_KEYS } from '../api/shared-reads.ts';
import { refresh, refreshAfterAct } from '../api/use-resource.ts';
import { useAllAccounts } from '../views/portfolio/portfolio-reads.ts';
import { stillTrue } from './compare-summaries.ts';
import {
  type ElsewhereWatch,
  type EpochNews,
  type EpochWatch,
  withElsewhere,
  withEpoch,
  withSummary,
} from './epoch-news.ts';

/** Wait after the boundary, because rewards are paid over several blocks. */
const SETTLE_MS = 2_000;
const REFRESH_SECONDS = 30;

/** Returns the changes of the last epoch that ended while the page was open; null if none has ended. */
export const useEpochNews = (
  walletAddress: string | null,
): { news: EpochNews | null; dismiss: () => void } => {
  const { data: epoch } = useEpoch();
  const [news, setNews] = useState<EpochNews | null>(null);
  const isOpen = news !== null && !news.isComplete;
  const { data: summary, at } = useSummary(walletAddress, isOpen ? SETTLE_MS / 1_000 : REFRESH_SECONDS);
  const watch = useRef<EpochWatch>({ news: null });
  const note = useCallback((next: EpochWatch): void => {
    watch.current = next;
    setNews(next.news);
  }, []);

  const current = epoch?.currentEpoch;
  useEffect(() => {
    const last = watch.current.epoch;
    if (current === undefined || last === current) return;
    note(withEpoch(watch.current, current, Date.now()));
    if (last === undefined) return;
    if (current < last) refresh();
    else if (walletAddress !== null) refreshAfterAct(summaryKey(walletAddress));
    const timer = setTimeout(() => {
      refresh(WALLET_KEYS);
      refresh(VALIDATOR_KEYS);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [current, walletAddress, note]);

  const endMs = epoch && Date.parse(epoch.estimatedEpochEnd);
  useEffect(() => {
    if (endMs === undefined) return;
    const delayMs = endMs - Date.now() + SETTLE_MS;
    if (delayMs > 3_600_000) return;
    const timer = setTimeout(() => refresh('cluster/epoch'), Math.max(SETTLE_MS, delayMs));
    return () => clearTimeout(timer);
  }, [endMs]);

  // Records every read, even one with the same values, because the news also becomes complete as time passes.
  useEffect(() => {
    if (summary !== undefined && at !== undefined) note(withSummary(watch.current, summary, at));
  }, [summary, at, note]);

  // Refreshed with everything else about the wallet after the boundary.
  const { data: all } = useAllAccounts(walletAddress ?? '', walletAddress !== null, Number.POSITIVE_INFINITY);
  const [elsewhere, setElsewhere] = useState<ElsewhereWatch | null>(null);
  useEffect(() => {
    if (all !== undefined) setElsewhere((known) => withElsewhere(known, all));
  }, [all]);

  const others =
    elsewhere !== null && elsewhere.epoch === news?.epoch && elsewhere.walletAddress === walletAddress
      ? elsewhere
      : null;
  const own = news === null || summary === undefined ? news?.changes : stillTrue(news.changes, summary);
  const changes = own && [...own, ...(others === null ? [] : stillTrue(others.changes, others))];
  const isOver = news !== null && news.changes.length > 0 && changes?.length === 0;
  return {
    news: news === null || changes === undefined || isOver ? null : { ...news, changes },
    dismiss: () => note({ ...watch.current, before: summary ?? watch.current.before, news: null }),
  };
};
