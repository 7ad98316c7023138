// Counts calls over all processes in Redis, exactly, and knows how many processes there are to share the limit when Redis is away.
import { randomBytes } from 'node:crypto';
import { siteOf } from '../kernel/client-network.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { openRedisLink, type RedisHealth } from './redis-link.ts';
import { processBeatScript, slidingWindowScript } from './redis-scripts.ts';

/** What a shared window is made of. */
export interface SharedCallCountsOptions {
  /** `redis://…` or `rediss://…`; a secret. */
  readonly url: string;
  /** What the keys begin with: those who share it share the counts. */
  readonly keyPrefix: string;
  readonly limit: number;
  readonly windowMs: number;
  /** The longest that a count is waited for, ms. Default 100. */
  readonly answerWithinMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How one call was counted. */
export interface SharedCount {
  readonly allowed: boolean;
  /** How many more calls would be let through right now. */
  readonly remaining: number;
  /** Milliseconds until the oldest counted call is exactly as old as the window. */
  readonly resetMs: number;
}

/** A count that processes share. */
export interface SharedCallCounts {
  /** Counts a call of a client and of its site. Null at once while Redis is away; resolves to null when it does not answer in time. Never rejects. */
  readonly take: (rateKey: string) => Promise<SharedCount | null> | null;
  /** How many processes share the limit as far as is known, this one included; at least 1. */
  readonly processes: () => number;
  /** Resolves when the first attempt to connect has ended, either way. */
  readonly tried: Promise<void>;
  readonly health: () => RedisHealth;
  /** Leaves the others their share, and ends the connection. Never rejects. */
  readonly close: () => Promise<void>;
}

/** A process that was not heard of for so long has ended, ms: ten of its beats. */
const PROCESS_LIVES_MS = 10_000;

/** Starts connecting. */
export const openSharedCallCounts = ({
  url,
  keyPrefix,
  limit,
  windowMs,
  answerWithinMs,
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
    beat: async (connection) => {
      const count = await connection.run(processBeatScript, rosterKey, [self, String(PROCESS_LIVES_MS)]);
      processes = Math.max(1, Number(count));
    },
    answerWithinMs,
    clock,
    logger,
  });
  return {
    take: (rateKey) =>
      link
        .ask<[number, number, number]>(script, rateKeys(rateKey), values)
        ?.then(
          (answer) =>
            answer && { allowed: answer[0] === 1, remaining: answer[1], resetMs: answer[2] / 1_000 },
        ) ?? null,
    processes: () => processes,
    tried: link.tried,
    health: link.health,
    close: () => link.close((connection) => connection.command('ZREM', rosterKey, self)),
  };
};
