// Maintains a connection to Redis. Callers wait a bounded time for a slow or unavailable server.

import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { pause } from '../kernel/abort.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import { connectRedis, noResponse, type RedisConnection, redisErrorWords } from './redis-connection.ts';
import type { RedisScript } from './redis-scripts.ts';

interface RedisLinkOptions {
  /** `redis://…` or `rediss://…`; a secret. */
  readonly url: string;
  /** Runs once per second on every connection. A response proves that the server works. */
  readonly heartbeat: (connection: RedisConnection) => Promise<void>;
  /** Timeout of a call, in ms. Default: 100. */
  readonly responseTimeoutMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The last known state of the server. */
export interface RedisHealth {
  readonly ok: boolean;
  /** Time of the server's last response; null if there has been none. */
  readonly lastResponseAtMs: number | null;
  /** Description of the outage without any part of the URL; null while the server responds. */
  readonly error: string | null;
}

/** A link that reconnects automatically. */
export interface RedisLink {
  /**
   * Runs a script on its keys. Returns null immediately while the server is unavailable, and a promise of
   * null on failure or timeout. Never rejects.
   */
  readonly ask: <T>(
    script: RedisScript,
    keys: string | readonly string[],
    values: readonly string[],
  ) => Promise<T | null> | null;
  /** Resolves once the first connection attempt has succeeded or failed. */
  readonly tried: Promise<void>;
  readonly health: () => RedisHealth;
  /** Runs `last` if connected, then disconnects. Never rejects. Safe to repeat. */
  readonly close: (last?: (connection: RedisConnection) => Promise<unknown>) => Promise<void>;
}

/** Timeout of a call, in ms. A healthy server in the same network responds within 1 ms. */
const RESPONSE_TIMEOUT_MS = 100;
/** Time between heartbeats and between connection attempts, in ms. */
const BEAT_EVERY_MS = 1_000;
/** Timeout of a heartbeat, in ms, after which the connection is replaced. */
const HEARTBEAT_TIMEOUT_MS = 2_000;
const CONNECT_WITHIN_MS = 1_500;

interface Question {
  readonly dueMs: number;
  readonly giveUp: () => void;
}

/** Opens a link and starts connecting. An outage and its end appear in `health` and are each logged once. */
export const openRedisLink = ({
  url,
  heartbeat,
  responseTimeoutMs = RESPONSE_TIMEOUT_MS,
  clock,
  logger,
}: RedisLinkOptions): RedisLink => {
  const closing = new AbortController();
  /**
   * Pending calls. The server responds in order, so if the first call times out, all of them are given up.
   */
  const asked = new Set<Question>();
  let connection: RedisConnection | null = null;
  /** The connection while it is usable; otherwise null. */
  let open: RedisConnection | null = null;
  let error: string | null = 'not connected yet';
  let lastResponseAtMs: number | null = null;
  let watching = false;
  /** True if the outage has been logged. */
  let away = false;

  const answered = (): void => {
    lastResponseAtMs = clock.now();
    error = null;
    if (away) logger.info('Redis is responding again; limits are shared');
    away = false;
  };
  const failed = (words: string): void => {
    open = null;
    for (const { giveUp } of asked) giveUp();
    asked.clear();
    if (closing.signal.aborted) return;
    error = words;
    // Logged once per outage, regardless of the number of failed attempts.
    if (!away) logger.warn({ reason: words }, 'Redis is down; each process allows its share of the limits');
    away = true;
  };

  const watch = async (): Promise<void> => {
    watching = true;
    for (let [first] = asked; first !== undefined; [first] = asked) {
      await clock.sleep(Math.max(0, first.dueMs - clock.steadyNow()));
      // Reads responses that arrived while this process was busy, before declaring the server slow.
      await turnOfLoop();
      if (asked.has(first)) failed(`no response within ${responseTimeoutMs} ms`);
    }
    watching = false;
  };

  const beaten = async (living: RedisConnection): Promise<void> => {
    const response = heartbeat(living);
    response.catch(() => undefined);
    const inTime = await Promise.race([
      response.then(() => true),
      clock
        .sleep(responseTimeoutMs, closing.signal)
        .then(turnOfLoop)
        .then(() => false),
    ]);
    if (!inTime) {
      failed(`no response within ${responseTimeoutMs} ms`);
      const isLate = response.then(() => true);
      if (await Promise.race([isLate, clock.sleep(HEARTBEAT_TIMEOUT_MS, closing.signal).then(() => false)]))
        return;
      throw noResponse();
    }
    open = living;
    answered();
  };

  const serve = async (onTried: () => void): Promise<void> => {
    while (!closing.signal.aborted) {
      let living: RedisConnection | null = null;
      try {
        living = await connectRedis(url, CONNECT_WITHIN_MS, clock);
        connection = living;
        const stopped = AbortSignal.any([closing.signal, living.ended]);
        while (!stopped.aborted) {
          await beaten(living);
          onTried();
          await clock.sleep(BEAT_EVERY_MS, stopped);
        }
        throw stopped.reason;
      } catch (cause) {
        failed(redisErrorWords(cause));
      }
      if (!closing.signal.aborted) {
        connection = null;
        living?.end();
      }
      onTried();
      await pause(clock, BEAT_EVERY_MS, closing.signal);
    }
  };

  let onTried = (): void => {};
  const tried = new Promise<void>((resolve) => {
    onTried = resolve;
  });
  const serving = serve(onTried);

  return {
    ask: <T>(script: RedisScript, keys: string | readonly string[], values: readonly string[]) => {
      const living = open;
      if (living === null) return null;
      return new Promise<T | null>((resolve) => {
        const question: Question = {
          dueMs: clock.steadyNow() + responseTimeoutMs,
          giveUp: () => resolve(null),
        };
        asked.add(question);
        if (!watching) void watch();
        living.run(script, keys, values).then(
          (answer) => {
            if (!asked.delete(question)) return;
            lastResponseAtMs = clock.now();
            resolve(answer as T);
          },
          (cause: unknown) => {
            if (asked.delete(question) && open === living) failed(redisErrorWords(cause));
            resolve(null);
          },
        );
      });
    },
    tried,
    health: () => ({ ok: open !== null, lastResponseAtMs, error }),
    close: async (last) => {
      closing.abort(new Error('the service stopped'));
      await serving;
      open = null;
      const living = connection;
      connection = null;
      if (living && last)
        await Promise.race([last(living).catch(() => undefined), clock.sleep(responseTimeoutMs)]);
      living?.end();
    },
  };
};
