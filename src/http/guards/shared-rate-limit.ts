// One rate limit over all processes; while it cannot be asked, each process allows its share of what was last known of a client.
import type { RateLimit } from '../../adapter/exchange.ts';
import { MAX_CLIENTS, RATE_WINDOW_SECONDS, rateDecision } from './rate-limit.ts';
import { createClientLogs, type SlidingLogDecision, takeClient } from './sliding-log.ts';

/** A count that processes share, as the limit needs it. */
export interface SharedCounts {
  /** Counts a call of a client and of its site. Null, at once or later, when it cannot be known. Never rejects. */
  readonly take: (rateKey: string) => Promise<SlidingLogDecision | null> | null;
  /** How many processes share the limit, this one included. */
  readonly processes: () => number;
}

/** What was last known of a client: so many calls, all made by then. */
interface Known {
  readonly count: number;
  readonly atMs: number;
}

/**
 * `limit` requests per client and 60 seconds over all who share `counts`. Without them, each of n processes allows `limit / n`, at
 * least 1, less an n-th of the calls that were last known. `nowMs` must be monotonic.
 */
export const createSharedRateLimit = (
  limit: number,
  counts: SharedCounts,
  nowMs: () => number,
): RateLimit => {
  const windowMs = RATE_WINDOW_SECONDS * 1_000;
  const known = new Map<string, Known>();
  // Only what was decided here: the shared count never heard of that.
  const logs = createClientLogs({ limit, windowMs, maxKeys: MAX_CLIENTS });

  /** Oldest first. Where all that is known still counts, a new client is not remembered: a flood pushes nobody out. */
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
    const decision = takeClient(logs, rateKey, now, Math.max(0, share - used));
    const resetMs = used === 0 ? decision.resetMs : Math.min(decision.resetMs, lastLeavesMs);
    return rateDecision({ ...decision, resetMs }, share);
  };

  return (rateKey) => {
    const asked = counts.take(rateKey);
    if (asked === null) return decideAlone(rateKey);
    return asked.then((decision) => {
      if (decision === null) return decideAlone(rateKey);
      remember(rateKey, limit - decision.remaining);
      return rateDecision(decision, limit);
    });
  };
};
