// Counts calls across all processes in Redis, exactly. Remembers the number of processes, so that they can
// split the limit during an outage.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import { siteOf } from '../kernel/network/client-network.ts';
import { openRedisLink, type RedisHealth } from './redis-link.ts';
import { processBeatScript, slidingWindowScript } from './redis-scripts.ts';

export interface SharedCallCountsOptions {
  /** `redis://…` or `rediss://…`; a secret. */
  readonly url: string;
  /** Prefix of the keys. Processes with the same prefix share their counts. */
  readonly keyPrefix: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Timeout of a count, in ms. Default: 100. */
  readonly responseTimeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The result of counting one call. */
export interface SharedCount {
  readonly allowed: boolean;
  /** Number of further calls allowed right now. */
  readonly remaining: number;
  /** Milliseconds until the oldest counted call is exactly as old as the window. */
  readonly resetMs: number;
}

/** A call count that processes share. */
export interface SharedCallCounts {
  /**
   * Counts a call of a client and of its site. Returns null immediately while Redis is unavailable, and a
   * promise of null on timeout. Never rejects.
   */
  readonly take: (rateKey: string) => Promise<SharedCount | null> | null;
  /** Known number of processes that share the limit, including this one; at least 1. */
  readonly processes: () => number;
  /** Resolves once the first connection attempt has succeeded or failed. */
  readonly tried: Promise<void>;
  readonly health: () => RedisHealth;
  /** Releases this process's share to the others and disconnects. Never rejects. */
  readonly close: () => Promise<void>;
}

/** Time without a heartbeat after which a process counts as ended, in ms: ten heartbeats. */
const PROCESS_LIVES_MS = 10_000;

/** Connects to Redis and returns the shared count. */
export const openSharedCallCounts = ({
  url,
  keyPrefix,
  limit,
  windowMs,
  responseTimeoutMs,
  clock,
  logger,
}: SharedCallCountsOptions): SharedCallCounts => {
  const script = slidingWindowScript();
  const values = [String(limit), String(windowMs * 1_000)];
  const rateKeys = (rateKey: string): readonly string[] => {
    const site = siteOf(rateKey);
    return [rateKey, ...(site === null ? [] : [site])].map((key) => `${keyPrefix}rate:${key}`);
  };
  const self = randomBytes(9).toString('base64url');
  const rosterKey = `${keyPrefix}processes`;
  let processes = 1;
  const link = openRedisLink({
    url,
    heartbeat: async (connection) => {
      const count = await connection.run(processBeatScript, rosterKey, [self, String(PROCESS_LIVES_MS)]);
      processes = Math.max(1, Number(count));
    },
    responseTimeoutMs,
    clock,
    logger,
  });
  return {
    take: (rateKey) =>
      link
        .ask<[number, number, number]>(script, rateKeys(rateKey), values)
        ?.then(
          (response) =>
            response && { allowed: response[0] === 1, remaining: response[1], resetMs: response[2] / 1_000 },
        ) ?? null,
    processes: () => processes,
    tried: link.tried,
    health: link.health,
    close: () => link.close((connection) => connection.command('ZREM', rosterKey, self)),
  };
};
