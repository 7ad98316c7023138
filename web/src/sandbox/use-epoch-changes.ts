// Detects the end of an epoch, by button or timer, and the resulting changes for the connected wallet.
import { useEffect, useRef, useState } from 'react';
import type { StakingSummaryAnswer } from '../../../client/generated/stake-operations.ts';
import { summaryKey, useEpoch, useSummary, VALIDATOR_KEYS, WALLET_KEYS } from '../api/shared-reads.ts';
import { refresh, refreshAfterAct } from '../api/use-resource.ts';
import { type Change, compareSummaries, stillTrue } from './compare-summaries.ts';

export interface EpochChanges {
  readonly epoch: number;
  readonly changes: readonly Change[];
  /** True if the epoch number went back, because the sandbox was restarted with an empty chain. */
  readonly restarted: boolean;
}

/** Wait after the boundary, because rewards are paid over several blocks. */
const SETTLE_MS = 2_000;
/** Changes within this time after the boundary are attributed to the boundary and not to the user. */
const BOUNDARY_MS = 6_000;

/** Returns the changes of the last epoch that ended while the page was open; null if none has ended. */
export const useEpochNews = (
  walletAddress: string | null,
): { news: EpochChanges | null; dismiss: () => void } => {
  const { data: epoch } = useEpoch();
  const { data: summary } = useSummary(walletAddress);
  const [news, setNews] = useState<EpochChanges | null>(null);
  const seenEpoch = useRef<number>(undefined);
  const before = useRef<StakingSummaryAnswer>(undefined);
  const boundaryMs = useRef(0);

  const current = epoch?.currentEpoch;
  useEffect(() => {
    if (current === undefined || seenEpoch.current === current) return;
    const last = seenEpoch.current;
    seenEpoch.current = current;
    if (last === undefined) return;
    const restarted = current < last;
    // The previous state of the wallet belongs to the old chain.
    if (restarted) before.current = undefined;
    boundaryMs.current = Date.now();
    setNews({ epoch: current, changes: [], restarted });
    if (restarted) refresh();
    else if (walletAddress !== null) refreshAfterAct(summaryKey(walletAddress));
    const timer = setTimeout(() => {
      refresh(WALLET_KEYS);
      refresh(VALIDATOR_KEYS);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [current, walletAddress]);

  const endMs = epoch && Date.parse(epoch.estimatedEpochEnd);
  useEffect(() => {
    if (endMs === undefined) return;
    const delayMs = endMs - Date.now() + SETTLE_MS;
    if (delayMs > 3_600_000) return;
    const timer = setTimeout(() => refresh('cluster/epoch'), Math.max(SETTLE_MS, delayMs));
    return () => clearTimeout(timer);
  }, [endMs]);

  useEffect(() => {
    const timing = summary?.epochTiming;
    if (summary === undefined || timing === undefined) return;
    const last = before.current;
    const sameWallet = last?.walletAddress === summary.walletAddress;
    const sinceEpoch = last?.epochTiming?.currentEpoch;
    if (sameWallet && sinceEpoch !== undefined && timing.currentEpoch > sinceEpoch) {
      const changes = compareSummaries(last!, summary);
      setNews({ epoch: timing.currentEpoch, changes, restarted: false });
      // Payments during the distribution still belong to this boundary. The old state is therefore kept for
      // comparison until the distribution is over.
      const early = Date.now() - boundaryMs.current < BOUNDARY_MS;
      if (timing.epochRewardsActive || (early && changes.length === 0)) return;
    }
    before.current = summary;
  }, [summary]);

  const changes = news === null || summary === undefined ? news?.changes : stillTrue(news.changes, summary);
  const isOver = news !== null && news.changes.length > 0 && changes?.length === 0;
  return {
    news: news === null || changes === undefined || isOver ? null : { ...news, changes },
    dismiss: () => setNews(null),
  };
};
