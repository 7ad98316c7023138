// Each operation has one cache, shared by all interfaces. It stores the complete response with its fill time
// and lifetime.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { z } from 'zod';
import { printGuidance } from '../../test/support/guidance-text.ts';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { isAppError } from '../kernel/app-error.ts';
import type { OperationName } from '../kernel/guidance.ts';
import type { Context } from '../operations/context.ts';
import { defineOperation } from '../operations/operation.ts';
import { type CachedEndpoint, createCachedResponses, isCached } from './cached-responses.ts';

const START_MS = Date.parse('2026-11-21T10:00:00.000Z');

const world = (run: () => Promise<{ body: { count: number }; meta?: object }>, basisNow?: () => string) => {
  const seen: { source: string; client: string }[] = [];
  const operation = defineOperation({
    name: 'counted' as OperationName,
    summary: 'Count',
    description: 'Counts.',
    effect: 'read',
    errors: [],
    input: z.object({ limit: z.number().default(7) }),
    output: z.object({ count: z.number() }),
    run: async ({ input, source, client }) => {
      assert.deepEqual(input, { limit: 7 });
      seen.push({ source, client });
      return run();
    },
  });
  const clock = createManualClock(START_MS);
  const source = { documentationUrl: 'http://here/docs', clusterName: () => 'test', printGuidance };
  const cachedResponses = createCachedResponses({
    ctx: {} as Context,
    source,
    clock,
    ...(basisNow && { basisNow }),
  });
  const endpoint: CachedEndpoint = { operation, path: '/counted', cacheTtlSeconds: 60 };
  return { cachedResponses, endpoint, clock, seen };
};

it('a fill uses the operation’s defaults and no client, and records the fill time and the lifetime', async () => {
  const { cachedResponses, endpoint, seen } = world(async () => ({
    body: { count: 1 },
    meta: { nextSteps: { next: '/x' } },
  }));
  const { bytes } = await cachedResponses(endpoint).refill();
  const { count, _meta } = JSON.parse(bytes.toString());
  assert.equal(count, 1);
  assert.deepEqual(
    [_meta.timestamp, _meta.cachedAt, _meta.cacheTtlSeconds],
    ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.000Z', 60],
  );
  assert.deepEqual(
    [_meta.endpoint, _meta.documentation, _meta.nextSteps],
    ['/counted', 'http://here/docs#counted', { next: '/x' }],
  );
  assert.deepEqual(seen, [{ source: 'rest', client: '' }]);
});

it('all routes of an operation share one cache, and every operation has its own', async () => {
  const { cachedResponses, endpoint, seen } = world(async () => ({ body: { count: 1 } }));
  assert.equal(cachedResponses(endpoint), cachedResponses({ ...endpoint, path: '/elsewhere' }));
  await Promise.all([cachedResponses(endpoint).refill(), cachedResponses(endpoint).refill()]);
  assert.equal(seen.length, 1);
  const other = world(async () => ({ body: { count: 2 } }));
  assert.notEqual(cachedResponses(endpoint), cachedResponses(other.endpoint));
});

it('a fill that times out is reported as UPSTREAM_UNAVAILABLE, not as an internal error', async (t) => {
  t.mock.method(AbortSignal, 'timeout', () =>
    AbortSignal.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
  );
  const { cachedResponses, endpoint } = world(async () => {
    AbortSignal.timeout(1).throwIfAborted();
    throw new Error('not reached');
  });
  await assert.rejects(cachedResponses(endpoint).refill(), (error) =>
    isAppError(error, 'UPSTREAM_UNAVAILABLE'),
  );
});

it('a response is fresh for its lifetime, stale for the same time, and then removed', async () => {
  const { cachedResponses, endpoint, clock, seen } = world(async () => ({ body: { count: 1 } }));
  const cache = cachedResponses(endpoint);
  await cache.refill();
  clock.advance(59_999);
  assert.ok(cache.peek());
  assert.equal(seen.length, 1);
  clock.advance(120_001 - 59_999);
  assert.equal(cache.peek(), null);
});

it('cached endpoints are distinguished from endpoints without a cache', () => {
  const { endpoint } = world(async () => ({ body: { count: 1 } }));
  const { cacheTtlSeconds: _, ...plain } = endpoint;
  assert.deepEqual([isCached(endpoint), isCached(plain), isCached(null)], [true, false, false]);
});

it('a response with another basis, such as an earlier part of the epoch, is refilled, and is only returned if the refill fails', async () => {
  let basis = '1 paid';
  let isAway = false;
  let count = 0;
  const { cachedResponses, endpoint } = world(
    async () => {
      if (isAway) throw new Error('away');
      count += 1;
      return { body: { count } };
    },
    () => basis,
  );
  const cache = cachedResponses(endpoint);
  await cache.refill();
  assert.equal(cache.peek()?.response.count, 1);
  basis = '2 paying';
  assert.equal(cache.peek(), null);
  isAway = true;
  assert.equal((await cache.refill()).response.count, 1);
  isAway = false;
  assert.equal((await cache.refill()).response.count, 2);
  assert.equal(cache.peek()?.response.count, 2);
});
