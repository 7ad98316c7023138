// One connection to Redis as a few promises: it never retries, queues or reconnects behind our back.
import { createClient } from 'redis';
import type { Clock } from '../kernel/clock.ts';
import type { RedisScript } from './redis-scripts.ts';

/** An open connection. After a rejection that is no answer of the server it is useless. */
export interface RedisConnection {
  /** Runs a script on its keys, in one round trip but for the first time. Rejects when the connection ends, or with the server's error. */
  readonly run: (
    script: RedisScript,
    keys: string | readonly string[],
    values: readonly string[],
  ) => Promise<unknown>;
  readonly command: (...words: readonly string[]) => Promise<unknown>;
  /** Aborts when the connection has ended. */
  readonly ended: AbortSignal;
  /** Ends it at once; what is under way rejects. */
  readonly end: () => void;
}

/** More than this is waiting only where the server hangs. */
const MAX_COMMANDS_WAITING = 10_000;

/** Connects and authenticates, as the URL says. Rejects after `withinMs` when there is no answer to either. */
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
  // Without a listener the end of the connection would end the process.
  client.on('error', noteEnd).on('end', noteEnd);
  const end = (): void => {
    if (client.isOpen) client.destroy();
  };
  try {
    // A server that takes connections and then says nothing is bounded here only.
    await Promise.race([client.connect(), clock.sleep(withinMs).then(() => Promise.reject(noAnswer()))]);
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

/** For whoever stops waiting. */
export const noAnswer = (): Error => Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the name cannot be resolved',
  EAI_AGAIN: 'the name cannot be resolved',
  ETIMEDOUT: 'no answer',
  ECONNRESET: 'the connection was reset',
};

/** Why it is away, in words that hold nothing of the URL. */
export const redisErrorWords = (error: unknown): string => {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code !== undefined && WORDS[code] !== undefined) return WORDS[code];
  if (/^(WRONGPASS|NOAUTH|NOPERM)/.test(message)) return 'the credentials were refused';
  if (/timeout/i.test(message)) return 'no answer';
  // An answer of the server: its first word names the reason, e.g. OOM, READONLY, LOADING.
  const [, word] = /^([A-Z]{3,20}) /.exec(message) ?? [];
  return word === undefined ? 'the connection ended' : `the server refuses: ${word}`;
};
