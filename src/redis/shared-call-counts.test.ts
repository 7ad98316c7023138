import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { freshPrefix, REDIS_URL, redisMissing } from '../../test/support/redis-server.ts';
import { systemClock } from '../kernel/clock.ts';
import { openSharedCallCounts, type SharedCallCounts } from './shared-call-counts.ts';

const skip = await redisMissing();

const open = async (t: TestContext, keyPrefix: string, limit = 100): Promise<SharedCallCounts> => {
  const shared = openSharedCallCounts({
    url: REDIS_URL,
    keyPrefix,
    limit,
    windowMs: 60_000,
    // These tests check only the count, so a slow response must not count as an outage.
    responseTimeoutMs: 30_000,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
  t.after(() => shared.close());
  await shared.tried;
  return shared;
};

test('processes that share a prefix enforce the limit together and report the same remainder', {
  skip,
}, async (t) => {
  const prefix = freshPrefix();
  const processes = await Promise.all([open(t, prefix), open(t, prefix), open(t, prefix)]);
  const decisions = await Promise.all(
    Array.from({ length: 250 }, (_, index) => processes[index % 3]!.take('192.0.2.1')),
  );
  assert.equal(decisions.filter((one) => one?.allowed).length, 100);
  assert.deepEqual(
    decisions.flatMap((one) => (one?.allowed ? [one.remaining] : [])).toSorted((a, b) => a - b),
    Array.from({ length: 100 }, (_, index) => index),
  );
  for (const one of decisions) assert.ok(one !== null && one.resetMs > 0 && one.resetMs <= 60_000);
});

test('clients, and services with different prefixes, are counted separately', { skip }, async (t) => {
  const [one, other] = await Promise.all([open(t, freshPrefix(), 1), open(t, freshPrefix(), 1)]);
  const allowed = async (shared: SharedCallCounts, key: string) => (await shared.take(key))?.allowed;
  assert.deepEqual(
    [
      await allowed(one, '2001:db8:1:1::/64'),
      await allowed(one, '2001:db8:1:1::/64'),
      await allowed(one, '2001:db8:1:2::/64'),
      await allowed(other, '2001:db8:1:1::/64'),
    ],
    [true, false, true, true],
  );
});

test('all networks in one IPv6 /48 share ten times the limit, and a single persistent network does not use it up', {
  skip,
}, async (t) => {
  const prefix = freshPrefix();
  const processes = await Promise.all([open(t, prefix, 2), open(t, prefix, 2)]);
  const passed = async (networks: readonly number[]): Promise<number> => {
    const taken = await Promise.all(
      networks.map((at, index) => processes[index % 2]!.take(`2001:db8:1:${at.toString(16)}::/64`)),
    );
    return taken.filter((one) => one?.allowed).length;
  };
  assert.equal(await passed(new Array<number>(100).fill(1)), 2);
  assert.equal(await passed(Array.from({ length: 200 }, (_, at) => at + 2)), 18);
  assert.equal((await processes[0]!.take('2001:db8:2:1::/64'))?.allowed, true);
  assert.equal((await processes[0]!.take('192.0.2.1'))?.allowed, true);
});

test('each process knows the number of processes, and a stopped process is no longer counted', {
  skip,
}, async (t) => {
  const prefix = freshPrefix();
  const first = await open(t, prefix);
  assert.equal(first.processes(), 1);
  const second = await open(t, prefix);
  assert.equal(second.processes(), 2);
  await first.close();
  const third = await open(t, prefix);
  assert.equal(third.processes(), 2);
});
