// Limits upstream calls per client and minute by refusing requests from clients that cause too many RPC calls.
import { AppError } from '../../kernel/app-error.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { MAX_CLIENTS, RATE_WINDOW_SECONDS } from './rate-limit.ts';

/**
 * Upstream calls allowed for each request within the rate limit. Most requests cause one call; a scan of all
 * stake accounts counts as four.
 */
const CALLS_PER_REQUEST = 5;

export interface UpstreamBudget {
  /** Returns the refusal of this client's next request, or null if it may proceed. */
  readonly refuse: (client: string) => AppError | null;
  /** Adds upstream calls caused by a request of this client. */
  readonly count: (client: string, calls: number) => void;
}

interface Spent {
  readonly sinceMs: number;
  calls: number;
}

/**
 * Allows `CALLS_PER_REQUEST` upstream calls for each request of `rateLimit`, counted in this process only.
 * `nowMs` must be monotonic.
 */
export const createUpstreamBudget = (rateLimit: number, nowMs: () => number): UpstreamBudget => {
  const limit = rateLimit * CALLS_PER_REQUEST;
  const windowMs = RATE_WINDOW_SECONDS * 1_000;
  const clients = new BoundedMap<string, Spent>(MAX_CLIENTS);
  const current = (client: string): Spent | null => {
    const spent = clients.get(client);
    return spent !== undefined && nowMs() - spent.sinceMs < windowMs ? spent : null;
  };
  return {
    refuse: (client) => {
      const spent = current(client);
      if (spent === null || spent.calls < limit) return null;
      const retryAfterSeconds = Math.floor((windowMs - (nowMs() - spent.sinceMs)) / 1_000) + 1;
      return new AppError(
        'RATE_LIMITED',
        'Requests from your address or its network caused {limit} calls to the service’s Solana nodes within {windowSeconds} seconds.',
        {
          reason: 'UPSTREAM_CALLS',
          params: { limit, windowSeconds: RATE_WINDOW_SECONDS, retryAfterSeconds },
          suggestedAction: 'Wait {retryAfterSeconds} s, then repeat the request.',
          retryAfterSeconds,
        },
      );
    },
    count: (client, calls) => {
      const spent = current(client);
      if (spent === null) clients.set(client, { sinceMs: nowMs(), calls });
      else spent.calls += calls;
    },
  };
};
