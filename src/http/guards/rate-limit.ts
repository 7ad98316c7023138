// Rate limit of the service: requests per client address (and per IPv6 site) in a sliding 60-second window,
// reported in every response.
import type { RateDecision } from '../../adapter/exchange.ts';
import { AppError } from '../../kernel/app-error.ts';
import { countClientCall, createClientLogs, type SlidingLogDecision } from './sliding-window-limiter.ts';

/** Length of the window, in seconds. */
export const RATE_WINDOW_SECONDS = 60;

/**
 * Maximum number of clients with their own count. At the default limit, a full ring takes about 1 KiB, so this
 * limits the memory to about 20 MiB.
 */
export const MAX_CLIENTS = 20_000;

/**
 * Returns the headers that report the remaining quota under `limit`, as structured fields of
 * draft-ietf-httpapi-ratelimit-headers-11. `t` is the number of seconds, rounded up, until the oldest counted
 * request leaves the window.
 */
export const rateLimitHeaders = (
  { allowed, remaining, resetMs }: SlidingLogDecision,
  limit: number,
): RateDecision => ({
  headers: [
    'ratelimit-policy',
    `"default";q=${limit};w=${RATE_WINDOW_SECONDS}`,
    'ratelimit',
    `"default";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
  ],
  // `Retry-After` is strictly later than the reset, so a client that waits this long is accepted.
  refusal: allowed ? null : rateLimited(limit, Math.floor(resetMs / 1000) + 1),
});

/** Allows `limit` requests per client and `SITE_SHARES` times that per IPv6 /48 in 60 seconds, counted in this process only. `nowMs` must be monotonic. */
export const createRateLimit = (limit: number, nowMs: () => number): ((rateKey: string) => RateDecision) => {
  const logs = createClientLogs({ limit, windowMs: RATE_WINDOW_SECONDS * 1000, maxKeys: MAX_CLIENTS });
  return (rateKey) => rateLimitHeaders(countClientCall(logs, rateKey, nowMs()), limit);
};

/** Number of additional build or submit requests for each request of the normal limit. */
const RESERVE_SHARE = 1 / 5;

/**
 * Creates a separate quota for building and submitting transactions, used once a client's limit is exhausted.
 * Otherwise, reads, often by other users behind the same address, could prevent a user from staking. Counted in
 * this process only.
 */
export const createTransactionReserve = (
  limit: number,
  nowMs: () => number,
): ((rateKey: string) => boolean) => {
  const allow = createRateLimit(Math.max(1, Math.floor(limit * RESERVE_SHARE)), nowMs);
  return (rateKey) => allow(rateKey).refusal === null;
};

const rateLimited = (limit: number, retryAfterSeconds: number): AppError =>
  new AppError(
    'RATE_LIMITED',
    'Your address or its network sent more than {limit} requests in {windowSeconds} seconds.',
    {
      reason: 'REQUESTS',
      params: { limit, windowSeconds: RATE_WINDOW_SECONDS, retryAfterSeconds },
      suggestedAction: 'Wait {retryAfterSeconds} s, then repeat the request.',
      retryAfterSeconds,
    },
  );
