import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { isAppError } from '../kernel/app-error.ts';
import { createChainCache } from './chain-cache.ts';

const never = new AbortController().signal;

/** Creates a value whose reads are completed by the test. */
const heldLoad = () => {
  const readings: PromiseWithResolvers<string>[] = [];
  const load = (signal: AbortSignal): Promise<string> => {
    const reading = Promise.withResolvers<string>();
    readings.push(reading);
    signal.addEventListener('abort', () => reading.reject(signal.reason), { once: true });
    return reading.promise;
  };
  return { readings, load };
};

test('one read serves all concurrent callers, and later callers while it is fresh', async () => {
  const clock = createManualClock();
  const { readings, load } = heldLoad();
  const cache = createChainCache({ freshMs: 1_000, clock, lifetime: never, load });
  const asked = Array.from({ length: 100 }, () => cache.read(never));
  readings[0]!.resolve('first');
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['first']));
  clock.advance(999);
  assert.equal(await cache.read(never), 'first');
  assert.equal(readings.length, 1);
  clock.advance(1);
  assert.equal(cache.peek(), null);
  const next = cache.read(never);
  readings[1]!.resolve('second');
  assert.equal(await next, 'second');
});

test("a value's age is measured from the request, not from the response", async () => {
  const clock = createManualClock();
  const { readings, load } = heldLoad();
  const cache = createChainCache({ freshMs: 1_000, clock, lifetime: never, load });
  const asked = cache.read(never);
  clock.advance(900);
  readings[0]!.resolve('slow');
  await asked;
  clock.advance(100);
  assert.equal(cache.peek(), null);
});

test('a value that takes long to read is cached longer', async () => {
  const clock = createManualClock();
  const { readings, load } = heldLoad();
  const cache = createChainCache({
    freshMs: (tookMs) => Math.max(1_000, 100 * tookMs),
    clock,
    lifetime: never,
    load,
  });
  const asked = cache.read(never);
  clock.advance(50);
  readings[0]!.resolve('slow');
  await asked;
  clock.advance(4_949);
  assert.equal(cache.peek()?.value, 'slow');
  clock.advance(1);
  assert.equal(cache.peek(), null);
});

test('a failed read rejects for all waiting callers and is not cached', async () => {
  const { readings, load } = heldLoad();
  const cache = createChainCache({ freshMs: 1_000, clock: createManualClock(), lifetime: never, load });
  const asked = [cache.read(never), cache.read(never)];
  readings[0]!.reject(new Error('broken'));
  for (const one of asked) await assert.rejects(one, /broken/);
  const next = cache.read(never);
  readings[1]!.resolve('well');
  assert.equal(await next, 'well');
});

test('the abort of one caller does not end the read for the others', async () => {
  const { readings, load } = heldLoad();
  const cache = createChainCache({ freshMs: 1_000, clock: createManualClock(), lifetime: never, load });
  const impatient = new AbortController();
  const [gaveUp, patient] = [cache.read(impatient.signal), cache.read(never)];
  impatient.abort(new Error('enough'));
  await assert.rejects(gaveUp, /enough/);
  readings[0]!.resolve('there');
  assert.equal(await patient, 'there');
});

test('a read that takes too long rejects with UPSTREAM_UNAVAILABLE, and a read that is ended by a close rejects with the reason of the close', async () => {
  const { load } = heldLoad();
  const slow = createChainCache({
    freshMs: 1_000,
    clock: createManualClock(),
    lifetime: never,
    load,
    timeoutMs: 1,
  });
  await assert.rejects(slow.read(never), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
  const lifetime = new AbortController();
  const owned = createChainCache({
    freshMs: 1_000,
    clock: createManualClock(),
    lifetime: lifetime.signal,
    load,
  });
  const asked = owned.read(never);
  lifetime.abort(new Error('stopped'));
  await assert.rejects(asked, /stopped/);
});

test('a cleared value is read again', async () => {
  let readings = 0;
  const cache = createChainCache({
    freshMs: 1_000,
    clock: createManualClock(),
    lifetime: never,
    load: async () => {
      readings += 1;
      return readings;
    },
  });
  assert.equal(await cache.read(never), 1);
  cache.clear();
  assert.equal(await cache.read(never), 2);
});

test('a value whose age is unknown because the clock was set back is read again', async () => {
  const clock = createManualClock();
  let readings = 0;
  const load = async () => {
    readings += 1;
    return readings;
  };
  const cache = createChainCache({ freshMs: 1_000, clock, lifetime: never, load });
  assert.equal(await cache.read(never), 1);
  clock.advance(-1);
  assert.equal(cache.peek(), null);
  assert.equal(await cache.read(never), 2);
  assert.equal(await cache.read(never), 2, 'it is fresh according to the current clock');
});
