// Opens the state that replicas share through Redis (the rate limit). Redis may be unavailable at startup and
// at any later time.
import { createHash } from 'node:crypto';
import type { RateLimit } from '../adapter/exchange.ts';
import type { Secret } from '../config/secret-settings.ts';
import { RATE_WINDOW_SECONDS } from '../http/guards/rate-limit.ts';
import { createSharedRateLimit } from '../http/guards/shared-rate-limit.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import type { Gauge } from '../observe/metrics.ts';
import type { DependencyHealth } from '../operations/service-ports.ts';
import { ageSeconds } from './health/dependency-health.ts';

/** Dependencies. */
interface OpenRedisOptions {
  readonly url: Secret<string>;
  /** Requests per client in any 60 seconds, across all processes. */
  readonly limit: number;
  /** Included in the keys, so only services with the same cluster and validator share counts. */
  readonly genesisHash: string;
  readonly voteAccount: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface OpenedRedis {
  readonly rateLimit: RateLimit;
  /** Health of Redis for `/ready`. */
  readonly health: () => DependencyHealth;
  readonly gauges: () => readonly Gauge[];
  readonly close: () => Promise<void>;
}

/**
 * Connects to Redis. Resolves within about a second, whether or not the connection succeeds. Never rejects.
 */
export const openRedis = async ({
  url,
  limit,
  genesisHash,
  voteAccount,
  clock,
  logger,
}: OpenRedisOptions): Promise<OpenedRedis> => {
  // Loads the Redis client only if used, because loading takes 0.15 s (2026-11).
  const { openSharedCallCounts } = await import('../redis/shared-call-counts.ts');
  const owner = createHash('sha256').update(`${genesisHash} ${voteAccount}`).digest('base64url').slice(0, 16);
  const shared = openSharedCallCounts({
    url: url.reveal(),
    keyPrefix: `holdfast:${owner}:`,
    limit,
    windowMs: RATE_WINDOW_SECONDS * 1_000,
    clock,
    logger,
  });
  await shared.tried;
  return {
    rateLimit: createSharedRateLimit(limit, shared, () => performance.now()),
    health: () => {
      const { ok, lastResponseAtMs, error } = shared.health();
      const age = lastResponseAtMs === null ? null : ageSeconds(lastResponseAtMs, clock);
      return { ok, optional: true, ageSeconds: age, error, details: { processes: shared.processes() } };
    },
    gauges: () => [
      {
        name: 'holdfast_redis_up',
        help: '1 if Redis is responding; 0 if each process enforces its share of the limits.',
        value: Number(shared.health().ok),
      },
      {
        name: 'holdfast_processes',
        help: 'Last known number of processes that share the limits.',
        value: shared.processes(),
      },
    ],
    close: shared.close,
  };
};
