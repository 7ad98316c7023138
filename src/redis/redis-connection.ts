// A promise-based Redis connection that never retries, queues or reconnects on its own.
import { createClient } from 'redis';
import type { Clock } from '../kernel/clock.ts';
import type { RedisScript } from './redis-scripts.ts';

/** An open connection. It is unusable after a rejection that is not a server error. */
export interface RedisConnection {
  /**
   * Runs a script on the given keys. Takes one round trip, or two if the server has not cached the script yet.
   * Rejects with the server's error, or if the connection ends.
   */
  readonly run: (
    script: RedisScript,
    keys: string | readonly string[],
    values: readonly string[],
  ) => Promise<unknown>;
  readonly command: (...words: readonly string[]) => Promise<unknown>;
  /** Aborted once the connection has ended. */
  readonly ended: AbortSignal;
  /** Closes the connection immediately; pending calls reject. */
  readonly end: () => void;
}

/** Maximum number of pending calls. Only a hanging server causes more. */
const MAX_COMMANDS_WAITING = 10_000;

/** Connects and authenticates using the URL. Rejects if that takes longer than `withinMs`. */
export const connectRedis = async (
  url: string,
  withinMs: number,
  clock: Pick<Clock, 'sleep'>,
): Promise<RedisConnection> => {
  const client = createClient({
    url,
    name: 'holdfast',
    socket: { connectTimeout: withinMs, reconnectStrategy: false },
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_COMMANDS_WAITING,
  });
  const ended = new AbortController();
  const noteEnd = (): void => ended.abort(new Error('the connection ended'));
  // Without a listener, a closed connection would crash the process.
  client.on('error', noteEnd).on('end', noteEnd);
  const end = (): void => {
    if (client.isOpen) client.destroy();
  };
  try {
    // Only this timeout covers a server that accepts connections and then sends nothing.
    await Promise.race([client.connect(), clock.sleep(withinMs).then(() => Promise.reject(noResponse()))]);
  } catch (error) {
    end();
    throw error;
  }
  return {
    run: async (script, keys, values) => {
      const words = typeof keys === 'string' ? ['1', keys] : [String(keys.length), ...keys];
      try {
        return await client.sendCommand(['EVALSHA', script.sha1, ...words, ...values]);
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return client.sendCommand(['EVAL', script.text, ...words, ...values]);
      }
    },
    command: (...words) => client.sendCommand(words),
    ended: ended.signal,
    end,
  };
};

/** Creates the error for callers that stop waiting. */
export const noResponse = (): Error => Object.assign(new Error('no response'), { code: 'ETIMEDOUT' });

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name could not be resolved',
  EAI_AGAIN: 'the host name could not be resolved',
  ETIMEDOUT: 'no response',
  ECONNRESET: 'the connection was reset',
};

/** Describes why the server is unavailable, without any part of the URL. */
export const redisErrorWords = (error: unknown): string => {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code !== undefined && WORDS[code] !== undefined) return WORDS[code];
  if (/^(WRONGPASS|NOAUTH|NOPERM)/.test(message)) return 'the credentials were rejected';
  if (/timeout/i.test(message)) return 'no response';
  // A server error: its first word is the reason, e.g. OOM, READONLY, LOADING.
  const [, word] = /^([A-Z]{3,20}) /.exec(message) ?? [];
  return word === undefined ? 'the connection ended' : `the server refuses calls: ${word}`;
};
