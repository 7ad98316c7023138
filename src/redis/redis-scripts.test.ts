import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freshPrefix, REDIS_URL, redisMissing } from '../../test/support/redis-server.ts';
import { systemClock } from '../kernel/clock.ts';
import { connectRedis, type RedisConnection } from './redis-connection.ts';
import { processBeatScript, slidingWindowScript } from './redis-scripts.ts';

const LIMIT = 100;
const WINDOW_US = 60_000_000;

type Answer = [allowed: number, remaining: number, resetUs: number];

/** The original script with a clock that the test controls. */
const timed = slidingWindowScript('local now = tonumber(ARGV[3])');
const skip = await redisMissing();
let redis: RedisConnection;
before(async () => {
  if (!skip) redis = await connectRedis(REDIS_URL, 2_000, systemClock);
});
after(() => redis?.end());

const take = (key: string, nowUs: number, limit = LIMIT): Promise<Answer> =>
  redis.run(timed, key, [String(limit), String(WINDOW_US), String(nowUs)]) as Promise<Answer>;

test('a key expires a second after the last counted call, and a refused call does not postpone that', {
  skip,
}, async () => {
  const key = `${freshPrefix()}key`;
  const [now] = (await redis.command('TIME')) as [string];
  await take(key, Number(now) * 1e6, 1);
  const ttl = Number(await redis.command('PTTL', key));
  assert.ok(ttl > 60_000 && ttl <= 61_000, String(ttl));
  await redis.command('PEXPIRE', key, '30000');
  assert.deepEqual((await take(key, Number(now) * 1e6 + 1, 1))[0], 0);
  assert.ok(Number(await redis.command('PTTL', key)) <= 30_000);
});

test('setting the clock back does not allow a call twice or block a client until a future time', {
  skip,
}, async () => {
  const key = `${freshPrefix()}key`;
  const t0 = 1_800_000_000_000_000;
  await take(key, t0, 2);
  await take(key, t0 + 500_000, 2);
  // If the clock is set back by half a second, a new call counts as no earlier than the last one.
  assert.deepEqual(await take(key, t0, 2), [0, 0, WINDOW_US - 500_000]);
  assert.equal((await take(key, t0 + WINDOW_US, 2))[0], 0);
  // If the clock is set back by an hour, calls with timestamps in the future are forgotten.
  assert.deepEqual(await take(key, t0 - 3_600_000_000, 2), [1, 1, WINDOW_US]);
});

test('after a limit was lowered, calls are refused until there is room, and the remainder is never negative', {
  skip,
}, async () => {
  const key = `${freshPrefix()}key`;
  const t0 = 1_800_000_000_000_000;
  for (let call = 0; call < 5; call += 1) await take(key, t0 + call, 5);
  assert.deepEqual((await take(key, t0 + 5, 2)).slice(0, 2), [0, 0]);
  assert.deepEqual((await take(key, t0 + WINDOW_US + 4, 2)).slice(0, 2), [1, 0]);
});

test('the server’s clock counts to the microsecond, independently of the clocks of the processes', {
  skip,
}, async () => {
  const key = `${freshPrefix()}key`;
  const script = slidingWindowScript();
  for (let call = 0; call < 3; call += 1) await redis.run(script, key, ['3', '60000000']);
  const [allowed, remaining, resetUs] = (await redis.run(script, key, ['3', '60000000'])) as Answer;
  assert.deepEqual([allowed, remaining], [0, 0]);
  assert.ok(resetUs > 0 && resetUs < 60_000_000, 'the oldest call is in the past');
  const times = (await redis.command('LRANGE', key, '0', '-1')) as string[];
  for (const time of times) assert.match(time, /^\d{16}$/);
});

test('a server that lost the scripts gets them again', { skip }, async () => {
  const key = `${freshPrefix()}key`;
  await take(key, 1_800_000_000_000_000);
  await redis.command('SCRIPT', 'FLUSH');
  assert.deepEqual((await take(key, 1_800_000_000_000_001)).slice(0, 2), [1, LIMIT - 2]);
});

test('a process is counted until it has been silent for its lifetime', { skip }, async () => {
  const key = `${freshPrefix()}processes`;
  const beat = (self: string, livesMs: number) => redis.run(processBeatScript, key, [self, String(livesMs)]);
  assert.deepEqual([await beat('a', 10_000), await beat('b', 10_000), await beat('a', 10_000)], [1, 2, 2]);
  // The time is truncated to whole seconds, so the real ages are up to a second higher.
  const [seconds] = (await redis.command('TIME')) as [string];
  for (const [who, ageSeconds] of Object.entries({ a: 15, b: 5 }))
    await redis.command('ZADD', key, `${Number(seconds) - ageSeconds}000000`, who);
  assert.equal(await beat('c', 10_000), 2);
});
