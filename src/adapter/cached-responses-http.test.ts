// A cached response costs one call no matter how many clients request it, and is never older than two
// lifetimes.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { startTestServer } from '../../test/support/http-operations.ts';
import type { HttpServer } from '../http/pipeline/server.ts';
import { AppError } from '../kernel/app-error.ts';
import type { OperationName } from '../kernel/guidance.ts';
import { defineOperation } from '../operations/operation.ts';
import { matchesEtag } from './cached-responses.ts';

let nowMs = 1_000_000_000_000;
let calls = 0;
let gate: Promise<void> = Promise.resolve();
let broken = false;

const counting = defineOperation({
  name: 'counting' as OperationName,
  summary: 'Counts.',
  description: 'Counts its calls.',
  effect: 'read',
  input: z.object({}),
  output: z.object({ calls: z.number() }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  run: async () => {
    calls += 1;
    await gate;
    if (broken) throw new AppError('UPSTREAM_UNAVAILABLE', 'away');
    return { body: { calls } };
  },
});

let server: HttpServer;
const ask = async (headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/counting`, { headers });
  const text = await response.text();
  return {
    status: response.status,
    text,
    headers: response.headers,
    calls: text === '' ? null : JSON.parse(text).calls,
  };
};

before(async () => {
  server = await startTestServer({
    routes: [
      {
        operation: counting,
        method: 'GET',
        path: '/counting',
        browsers: 'public',
        tag: 'Validator',
        cacheTtlSeconds: 60,
      },
    ],
    clock: { now: () => nowMs, steadyNow: () => nowMs, sleep: async () => {} },
  });
});
after(() => server.close());

describe('a cached route', () => {
  it('makes a single call for a hundred concurrent callers', async () => {
    const open = Promise.withResolvers<void>();
    gate = open.promise;
    const responses = Array.from({ length: 100 }, () => ask());
    setImmediate(open.resolve);
    const texts = new Set((await Promise.all(responses)).map(({ text }) => text));
    assert.equal(calls, 1);
    assert.equal(texts.size, 1);
  });

  it('reports when it was filled and how long it stays fresh, and returns the same bytes until then', async () => {
    nowMs += 20_000;
    const { text, headers } = await ask();
    const { _meta } = JSON.parse(text);
    assert.deepEqual(
      [_meta.cacheTtlSeconds, _meta.cachedAt, calls],
      [60, new Date(nowMs - 20_000).toISOString(), 1],
    );
    assert.equal(headers.get('cache-control'), 'private, max-age=40');
    const again = await ask({ 'if-none-match': `W/${headers.get('etag')}` });
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', headers.get('etag')]);
    assert.equal((await ask({ 'if-none-match': '"other"' })).status, 200);
  });

  it('returns the stale response while a refill runs, then the new one', async () => {
    const open = Promise.withResolvers<void>();
    gate = open.promise;
    nowMs += 60_000;
    const stale = await Promise.all([ask(), ask(), ask()]);
    assert.deepEqual(
      stale.map((response) => response.calls),
      [1, 1, 1],
    );
    assert.equal(calls, 2);
    open.resolve();
    await gate;
    await new Promise(setImmediate);
    assert.equal((await ask()).calls, 2);
  });

  it('hides a failing refill for one more lifetime, and no longer', async () => {
    broken = true;
    nowMs += 61_000;
    assert.equal((await ask()).status, 200);
    nowMs += 60_000;
    const failed = await ask();
    assert.deepEqual([failed.status, JSON.parse(failed.text).errorCode], [502, 'UPSTREAM_UNAVAILABLE']);
    broken = false;
    assert.equal((await ask()).status, 200);
  });

  it('is refilled after the clock is set back, and is never fresh for longer than its lifetime', async () => {
    const before = calls;
    nowMs -= 3_600_000;
    assert.equal((await ask()).calls, before + 1);
    nowMs += 120_000;
    const open = Promise.withResolvers<void>();
    gate = open.promise;
    const filling = ask();
    while (calls === before + 1) await new Promise(setImmediate);
    nowMs -= 3_600_000;
    open.resolve();
    assert.equal((await filling).headers.get('cache-control'), 'private, max-age=60');
  });
});

it('matchesEtag compares weakly and supports lists and `*`', () => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '*'])
    assert.equal(matchesEtag(header, '"a"'), true, String(header));
  for (const header of [undefined, '', '"b"', 'a'])
    assert.equal(matchesEtag(header, '"a"'), false, String(header));
});
