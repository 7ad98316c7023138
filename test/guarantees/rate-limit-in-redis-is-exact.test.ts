// RL-1 across all processes: the counter in Redis never admits more requests than the limit in any window, for
// random arrivals.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/kernel/clock.ts';
import { connectRedis, type RedisConnection } from '../../src/redis/redis-connection.ts';
import { slidingWindowScript } from '../../src/redis/redis-scripts.ts';
import { freshPrefix, REDIS_URL, redisMissing } from '../support/redis-server.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEQUENCES = process.env.HOLDFAST_TEST_FULL === '1' ? 10_000 : 60;
const LIMIT = 100;
const WINDOW_US = 60_000_000;
const SEED = 20_261_121;

/** The real script with a controlled clock. */
const timed = slidingWindowScript('local now = tonumber(ARGV[3])');
const skip = await redisMissing();
let redis: RedisConnection;
before(async () => {
  if (!skip) redis = await connectRedis(REDIS_URL, 2_000, systemClock);
});
after(() => redis?.end());

const take = (key: string, nowUs: number): Promise<[allowed: number, remaining: number, resetUs: number]> =>
  redis.run(timed, key, [String(LIMIT), String(WINDOW_US), String(nowUs)]) as never;

/**
 * Generates arrival times: bursts, steady streams and pauses of up to two windows, some exactly one window
 * apart.
 */
const arrivals = (random: () => number): number[] => {
  const times: number[] = [];
  let timeUs = 1_700_000_000_000_000 + Math.floor(random() * 1e12);
  while (times.length < 350) {
    const burst = 1 + Math.floor(random() * 150);
    const gapUs = random() < 0.3 ? 0 : Math.floor(random() * 900_000);
    for (let index = 0; index < burst; index += 1) {
      timeUs += gapUs;
      times.push(timeUs);
    }
    timeUs += random() < 0.3 ? WINDOW_US : Math.floor(random() * 2 * WINDOW_US);
  }
  return times;
};

test(`RL-1-REDIS: in ${SEQUENCES} random arrival sequences, no window admits more than ${LIMIT} requests, and no request is refused needlessly`, {
  skip,
}, async () => {
  const random = seededRandom(SEED);
  const prefix = freshPrefix();
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    const times = arrivals(random);
    const key = `${prefix}${sequence}`;
    const responses = await Promise.all(times.map((timeUs) => take(key, timeUs)));
    const passed: number[] = [];
    for (const [index, [allowed, remaining, resetUs]] of responses.entries()) {
      const timeUs = times[index]!;
      const where = `seed ${SEED}, sequence ${sequence}, arrival ${index}`;
      const earlier = passed[passed.length - LIMIT];
      const full = earlier !== undefined && timeUs - earlier <= WINDOW_US;
      assert.equal(allowed, full ? 0 : 1, where);
      if (allowed) passed.push(timeUs);
      const inWindow = passed.filter((time) => timeUs - time <= WINDOW_US);
      assert.deepEqual(
        [remaining, resetUs],
        [LIMIT - inWindow.length, inWindow[0]! + WINDOW_US - timeUs],
        where,
      );
    }
    await redis.command('DEL', key);
  }
});
