// Reads the data of the portfolio: shared, more frequent while a change is near, and repeated when an epoch
// ends.
import { useEffect, useMemo, useRef } from 'react';
import type { EpochTiming } from '../../../../client/generated/shared-types.ts';
import type { StakingSummaryAnswer } from '../../../../client/generated/stake-operations.ts';
import { api } from '../../api/holdfast.ts';
import { readSummary, summaryKey, useEpoch, useSummary, WALLET_KEYS } from '../../api/shared-reads.ts';
import { type Resource, refresh, useResource } from '../../api/use-resource.ts';
import { isSandbox } from '../../state/cluster.ts';
import { type EpochsBack, epochsToRead } from './overview/first-line-words.ts';

const SECOND = 1_000;
/** Interval at which activating and deactivating accounts are read close to a boundary. */
const NEAR_SECONDS = 60;
const NEAR_REFRESH = 6 * SECOND;
/** Wait after a boundary, because rewards are paid over several blocks. */
const SETTLE_MS = 2_000;

const isAboutToChange = ({ accounts, epochTiming }: StakingSummaryAnswer): boolean => {
  if (epochTiming === undefined) return false;
  const moves = accounts.some(({ state }) => state === 'activating' || state === 'deactivating');
  const near = Date.parse(epochTiming.estimatedEpochEnd) - Date.now() < NEAR_SECONDS * SECOND;
  return epochTiming.epochRewardsActive || (moves && near);
};

/** Reads the summary; `at` is the time of the read. */
export const useLiveSummary = (walletAddress: string): Resource<StakingSummaryAnswer> => {
  const summary = useSummary(walletAddress);
  const soon = summary.data !== undefined && isAboutToChange(summary.data);
  // Subscribes to the same key with a second, shorter interval.
  useResource(
    soon ? summaryKey(walletAddress) : null,
    (signal) => readSummary(walletAddress, signal),
    NEAR_REFRESH,
  );
  return summary;
};

/**
 * Returns the epoch position and the time at which it was read. Uses the page's epoch read if it is of the same
 * epoch as the summary.
 */
export const useTiming = (
  summary: Resource<StakingSummaryAnswer>,
): { readonly timing: EpochTiming; readonly readAtMs: number } | null => {
  const { data: epoch, at: epochAt } = useEpoch();
  const timing = summary.data?.epochTiming;
  const summaryAt = summary.at;
  // Memoized, because the object is passed to hundreds of account components.
  return useMemo(() => {
    const newer = epoch !== undefined && (epochAt ?? 0) >= (summaryAt ?? 0);
    if (newer && timing === undefined) return { timing: epoch, readAtMs: epochAt! };
    // Each read estimates the end of the epoch again. Uses the estimate of `epoch`, because the sandbox bar and
    // the stake card show it too.
    if (epoch !== undefined && timing?.currentEpoch === epoch.currentEpoch) {
      const { epochRewardsActive } = newer ? epoch : timing;
      return { timing: { ...epoch, epochRewardsActive }, readAtMs: epochAt! };
    }
    return timing === undefined ? null : { timing, readAtMs: summaryAt! };
  }, [epoch, epochAt, timing, summaryAt]);
};

/** Refreshes everything about wallets when an epoch ends. In a sandbox, the sandbox bar does this. */
export const useEpochChanges = (): void => {
  const { data } = useEpoch();
  const seen = useRef<number>(undefined);
  const current = data?.currentEpoch;
  useEffect(() => {
    const first = seen.current === undefined;
    const same = seen.current === current;
    seen.current = current;
    if (first || same || isSandbox) return;
    refresh(WALLET_KEYS);
    const timer = setTimeout(() => refresh(WALLET_KEYS), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [current]);
};

/**
 * Reads all accounts, including undelegated ones and those at other validators, but only while `wanted` is
 * true.
 */
export const useAllAccounts = (walletAddress: string, wanted: boolean, refreshMs = 30 * SECOND) =>
  useResource(
    wanted ? `${WALLET_KEYS}${walletAddress}/all-accounts` : null,
    (signal) => api.listStakeAccounts({ walletAddress, scope: 'all' }, { signal }),
    refreshMs,
  );

/**
 * Returns the number of epochs over which the portfolio sums the wallet's rewards. Every figure uses this
 * number, so all sums are equal.
 */
export const useEarnedEpochs = (summary: Resource<StakingSummaryAnswer>): EpochsBack =>
  epochsToRead(summary.data?.accounts ?? [], useTiming(summary)?.timing.currentEpoch ?? 0);

/**
 * Reads the rewards of the last `epochs` ended epochs. They come from finalized blocks, so the last epoch
 * appears some seconds late. Reads again soon while they are being distributed.
 */
export const useRewards = (walletAddress: string, epochs: number, awaited: boolean) => {
  const key = `${WALLET_KEYS}${walletAddress}/rewards/${epochs}`;
  const read = (signal: AbortSignal) => api.stakingRewards({ walletAddress, epochs }, { signal });
  const rewards = useResource(key, read, (awaited ? 15 : 180) * SECOND);
  const soon = rewards.data?.notices.some(({ code }) => code === 'REWARDS_DISTRIBUTING');
  useResource(soon ? key : null, read, NEAR_REFRESH);
  return rewards;
};
