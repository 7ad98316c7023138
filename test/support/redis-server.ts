// The Redis on this machine, with a separate prefix for each test, or the reason why it is missing. Also a
// Redis server of its own that a test can kill.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { systemClock } from '../../src/kernel/clock.ts';
import { connectRedis, type RedisConnection } from '../../src/redis/redis-connection.ts';
import { cleanEnvironment } from './spawned-process.ts';
import type { Scope } from './temporary-folder.ts';

/** Port of the server that `.ci/start-redis` starts. */
export const REDIS_PORT = 6379;
export const REDIS_URL = `redis://127.0.0.1:${REDIS_PORT}`;

/** Returns the reason why the tests that need Redis are skipped, or undefined if it is available. */
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

/** Returns an unused prefix. The keys of tests expire within two minutes. */
export const freshPrefix = (): string => `holdfast-test:${randomBytes(9).toString('base64url')}:`;

const REDIS_PROGRAM = '/usr/bin/redis-server';

/** Returns the reason why a test cannot start its own Redis server, or undefined if it can. */
export const redisProgramMissing = (): string | undefined =>
  existsSync(REDIS_PROGRAM) ? undefined : `no ${REDIS_PROGRAM} on this machine`;

export interface RedisServer {
  readonly kill: () => Promise<void>;
}

/** Starts a Redis server that stores nothing on disk. Kills it when the scope ends. */
export const startRedisServer = async (scope: Scope, port: number): Promise<RedisServer> => {
  const child = spawn(REDIS_PROGRAM, ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    env: cleanEnvironment(),
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  scope.after(kill);
  return { kill };
};
