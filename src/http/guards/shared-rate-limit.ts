// Rate limit shared by all processes. While the shared count is unreachable, each process allows its share of
// the limit, minus its share of the client's last known count.
import type { RateLimit } from '../../adapter/exchange.ts';
import { MAX_CLIENTS, RATE_WINDOW_SECONDS, rateLimitHeaders } from './rate-limit.ts';
import { countClientCall, createClientLogs, type SlidingLogDecision } from './sliding-window-limiter.ts';

export interface SharedCounts {
  /**
   * Counts a call of a client and of its site. Resolves to null if the count is unavailable; returns null
   * synchronously if this is already known. Never rejects.
   */
  readonly take: (rateKey: string) => Promise<SlidingLogDecision | null> | null;
  /** Number of processes that share the limit, including this one. */
  readonly processes: () => number;
}

interface Known {
  readonly count: number;
  readonly atMs: number;
}

/**
 * Allows `limit` requests per client in 60 seconds, across all processes that share `counts`. Without the
 * count, each of n processes allows `limit / n` (at least 1), minus 1/n of the last known calls. `nowMs` must
 * be monotonic.
 */
export const createSharedRateLimit = (
  limit: number,
  counts: SharedCounts,
  nowMs: () => number,
): RateLimit => {
  const windowMs = RATE_WINDOW_SECONDS * 1_000;
  const known = new Map<string, Known>();
  // Contains only the calls that this process decided without the shared count, which does not include them.
  const logs = createClientLogs({ limit, windowMs, maxKeys: MAX_CLIENTS });

  /**
   * Stores a client's last known count. Entries are ordered by age, oldest first. If the map is full and all
   * entries are within the window, the count of a new client is not stored, so a flood evicts no one.
   */
  const remember = (rateKey: string, count: number): void => {
    const atMs = nowMs();
    known.delete(rateKey);
    const [oldest] = known;
    if (known.size >= MAX_CLIENTS && oldest !== undefined) {
      if (oldest[1].atMs + windowMs >= atMs) return;
      known.delete(oldest[0]);
    }
    known.set(rateKey, { count, atMs });
  };

  const decideAlone = (rateKey: string) => {
    const now = nowMs();
    const processes = counts.processes();
    const share = Math.max(1, Math.floor(limit / processes));
    const last = known.get(rateKey);
    const lastLeavesMs = last === undefined ? -1 : last.atMs + windowMs - now;
    const used = last === undefined || lastLeavesMs < 0 ? 0 : Math.ceil(last.count / processes);
    const decision = countClientCall(logs, rateKey, now, Math.max(0, share - used));
    const resetMs = used === 0 ? decision.resetMs : Math.min(decision.resetMs, lastLeavesMs);
    return rateLimitHeaders({ ...decision, resetMs }, share);
  };

  return (rateKey) => {
    const asked = counts.take(rateKey);
    if (asked === null) return decideAlone(rateKey);
    return asked.then((decision) => {
      if (decision === null) return decideAlone(rateKey);
      remember(rateKey, limit - decision.remaining);
      return rateLimitHeaders(decision, limit);
    });
  };
};
