// The Redis on this machine, with a separate prefix for each test, or the reason why it is missing.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../src/kernel/clock.ts';
import { connectRedis, type RedisConnection } from '../../src/redis/redis-connection.ts';

/** URL of the server that `.ci/start-redis` starts. */
export const REDIS_PORT = 6379;
export const REDIS_URL = `redis://127.0.0.1:${REDIS_PORT}`;

/** The reason why the tests that need it are skipped; undefined if it is available. */
export const redisMissing = async (): Promise<string | undefined> => {
  try {
    (await connectRedis(REDIS_URL, 2_000, systemClock)).end();
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `no usable Redis on 127.0.0.1:${REDIS_PORT} (${code ?? message})`;
  }
};

/** Runs commands outside the code under test. */
export const withRedis = async <T>(use: (connection: RedisConnection) => Promise<T>): Promise<T> => {
  const connection = await connectRedis(REDIS_URL, 2_000, systemClock);
  try {
    return await use(connection);
  } finally {
    connection.end();
  }
};

/** An unused prefix. Keys of the tests expire within two minutes. */
export const freshPrefix = (): string => `holdfast-test:${randomBytes(9).toString('base64url')}:`;
