import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RateDecision } from '../../adapter/exchange.ts';
import { createSharedRateLimit, type SharedCounts } from './shared-rate-limit.ts';
import { SlidingLog } from './sliding-window-limiter.ts';

const WINDOW_MS = 60_000;

/** Creates a count shared by several processes, which a test can make unavailable. */
const createWorld = (limit: number, processes: number) => {
  let nowMs = 1_000_000;
  let mode: 'there' | 'away' | 'late' = 'there';
  const log = new SlidingLog({ limit, windowMs: WINDOW_MS, maxKeys: 30_000 });
  const counts: SharedCounts = {
    take: (key) => {
      if (mode === 'away') return null;
      return Promise.resolve(mode === 'late' ? null : log.take(key, nowMs));
    },
    processes: () => processes,
  };
  const limits = Array.from({ length: processes }, () => createSharedRateLimit(limit, counts, () => nowMs));
  return {
    /** Makes `calls` calls and returns how many of them the process accepts. */
    pass: async (process: number, calls: number, key = 'client'): Promise<number> => {
      let passed = 0;
      for (let call = 0; call < calls; call += 1)
        if ((await limits[process]!(key)).refusal === null) passed += 1;
      return passed;
    },
    one: async (process: number, key = 'client'): Promise<RateDecision> => limits[process]!(key),
    isImmediate: (process: number) => !(limits[process]!('other') instanceof Promise),
    set: (next: typeof mode) => {
      mode = next;
    },
    skip: (ms: number) => {
      nowMs += ms;
    },
  };
};

test('while the shared count is available, the limit applies to the total of all processes, and responses have the rate-limit headers', async () => {
  const world = createWorld(10, 2);
  assert.equal((await world.pass(0, 7)) + (await world.pass(1, 7)), 10);
  const { headers, refusal } = await world.one(1);
  assert.deepEqual(headers, ['ratelimit-policy', '"default";q=10;w=60', 'ratelimit', '"default";r=0;t=60']);
  assert.equal(refusal?.retryAfterSeconds, 61);
});

test('without the shared count, each process allows its share of the remainder, so the total stays within the limit', async () => {
  for (const mode of ['away', 'late'] as const) {
    const world = createWorld(100, 4);
    for (const process of [0, 1, 2, 3]) await world.pass(process, 10);
    world.set(mode);
    const passed = await Promise.all([0, 1, 2, 3].map((process) => world.pass(process, 100)));
    // The four processes last read counts of 10, 20, 30 and 40, and each uses its own reading.
    assert.deepEqual(passed, [22, 20, 17, 15]);
  }
});

test('without the shared count, an unknown client gets the whole share of a process, and at least one call', async () => {
  const world = createWorld(100, 3);
  world.set('away');
  assert.deepEqual([await world.pass(0, 100), await world.pass(1, 100)], [33, 33]);
  const crowded = createWorld(2, 5);
  crowded.set('away');
  assert.equal(await crowded.pass(0, 10), 1);
});

test('without the shared count, the response states the share of the process, whose window slides like that of the limit', async () => {
  const world = createWorld(10, 2);
  world.set('away');
  assert.equal(await world.pass(0, 3), 3);
  world.skip(30_000);
  assert.equal(await world.pass(0, 10), 2);
  const { headers, refusal } = await world.one(0);
  assert.deepEqual(headers, ['ratelimit-policy', '"default";q=5;w=60', 'ratelimit', '"default";r=0;t=30']);
  assert.match(refusal?.message ?? '', /sent more than 5 requests/);
  world.skip(30_001);
  assert.equal(await world.pass(0, 10), 3);
});

test('the last known count expires one window after it was read', async () => {
  const world = createWorld(10, 1);
  await world.pass(0, 10);
  world.set('away');
  world.skip(WINDOW_MS);
  assert.equal(await world.pass(0, 10), 0);
  world.skip(1);
  assert.equal(await world.pass(0, 20), 10);
});

test('repeated outages grant no new share', async () => {
  const world = createWorld(100, 2);
  let alone = 0;
  for (let turn = 0; turn < 20; turn += 1) {
    world.set('away');
    alone += await world.pass(0, 100);
    world.set('there');
    await world.pass(0, 1);
    world.skip(1);
  }
  assert.equal(alone, 50);
});

test('a call does not wait for an unavailable count', () => {
  const world = createWorld(10, 2);
  assert.equal(world.isImmediate(0), false);
  world.set('away');
  assert.equal(world.isImmediate(0), true);
});

test('repeated outages subtract the last known calls only once, even if they are read repeatedly', async () => {
  const world = createWorld(100, 2);
  await world.pass(0, 20);
  for (let turn = 0; turn < 15; turn += 1) {
    world.set('away');
    assert.equal(await world.pass(0, 1), 1, `turn ${turn}`);
    world.set('there');
    await world.pass(0, 1);
  }
});

test('a client refused because of calls on other processes learns when those calls leave the window', async () => {
  const world = createWorld(10, 1);
  await world.pass(0, 10);
  world.set('away');
  world.skip(20_000);
  const { headers, refusal } = await world.one(0);
  assert.equal(headers[3], '"default";r=0;t=40');
  assert.equal(refusal?.retryAfterSeconds, 41);
  const mixed = createWorld(10, 1);
  mixed.set('away');
  await mixed.pass(0, 1);
  mixed.skip(10_000);
  mixed.set('there');
  await mixed.pass(0, 9);
  mixed.set('away');
  assert.equal(
    (await mixed.one(0)).headers[3],
    '"default";r=0;t=50',
    "the client's own oldest call leaves the window first",
  );
});

test('a flood of new clients does not erase the counts of clients that used up the limit before the outage', async () => {
  const world = createWorld(4, 1);
  await world.pass(0, 4);
  for (let at = 0; at < 20_100; at += 1) await world.one(0, `11.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
  world.set('away');
  assert.equal(await world.pass(0, 4), 0);
});
