// One rate limit over all processes; while it cannot be asked, each process allows its share of what was last known of a client.
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { MAX_CLIENTS, RATE_WINDOW_SECONDS, type RateLimit, rateDecision } from './rate-limit.ts';
import { SlidingLog, type SlidingLogDecision } from './sliding-log.ts';

/** A count that processes share, as the limit needs it. */
export interface SharedCounts {
  /** Counts a call. Null, at once or later, when it cannot be told. Never rejects. */
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
  const known = new BoundedMap<string, Known>(MAX_CLIENTS);
  // Only what was decided here: the shared count never heard of that.
  const log = new SlidingLog({ limit, windowMs, maxKeys: MAX_CLIENTS });

  const decideAlone = (rateKey: string) => {
    const now = nowMs();
    const processes = counts.processes();
    const share = Math.max(1, Math.floor(limit / processes));
    const last = known.get(rateKey);
    const lastLeavesMs = last === undefined ? -1 : last.atMs + windowMs - now;
    const used = last === undefined || lastLeavesMs < 0 ? 0 : Math.ceil(last.count / processes);
    const decision = log.take(rateKey, now, Math.max(0, share - used));
    const resetMs = used === 0 ? decision.resetMs : Math.min(decision.resetMs, lastLeavesMs);
    return rateDecision({ ...decision, resetMs }, share);
  };

  return (rateKey) => {
    const asked = counts.take(rateKey);
    if (asked === null) return decideAlone(rateKey);
    return asked.then((decision) => {
      if (decision === null) return decideAlone(rateKey);
      known.set(rateKey, { count: limit - decision.remaining, atMs: nowMs() });
      return rateDecision(decision, limit);
    });
  };
};
