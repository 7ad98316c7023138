// Readers share a load. A value is not returned after its lifetime, nor an error after its pause.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { Cache } from './cache.ts';

const FRESH_MS = 60_000;
const never = new AbortController().signal;

/** Creates a cache whose loads the test completes one by one. */
const underTest = (freshMs = FRESH_MS) => {
  const clock = createManualClock();
  const loads: PromiseWithResolvers<number>[] = [];
  const cache = new Cache<number>({
    freshMs,
    staleMs: freshMs,
    pauseMs: Math.min(freshMs, 15_000),
    clock,
    load: () => {
      const load = Promise.withResolvers<number>();
      loads.push(load);
      return load.promise;
    },
  });
  const response = (index: number, result: number | string): void => {
    const load = loads[index];
    assert.ok(load, `load ${index} was never started`);
    if (typeof result === 'number') load.resolve(result);
    else load.reject(new Error(result));
  };
  const read = (signal = never) => cache.read(signal).catch((error: Error) => error.message);
  const entry = () => cache.readEntry(never);
  return { clock, loads, cache, response, read, entry };
};

/** Lets all settled promises run their callbacks. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('1,000 concurrent readers of an empty cache share one load', async () => {
  const { read, response, loads } = underTest();
  const readers = Array.from({ length: 1_000 }, () => read());
  response(0, 7);
  assert.deepEqual(new Set(await Promise.all(readers)), new Set([7]));
  assert.equal(loads.length, 1);
});

test('a fresh value causes no load, and a stale one is returned immediately while exactly one load runs in the background', async () => {
  const { clock, read, entry, response, loads } = underTest();
  const first = read();
  response(0, 1);
  await first;
  clock.advance(FRESH_MS - 1);
  const { value, atMs, isStale, error } = await entry();
  assert.deepEqual([value, atMs, isStale, error], [1, clock.now() - FRESH_MS + 1, false, undefined]);
  assert.equal(loads.length, 1);
  clock.advance(1);
  const stale = await Promise.all(Array.from({ length: 1_000 }, entry));
  for (const each of stale) assert.deepEqual([each.value, each.isStale], [1, true]);
  assert.equal(loads.length, 2);
  response(1, 2);
  await settle();
  const renewed = await entry();
  assert.deepEqual([renewed.value, renewed.isStale], [2, false]);
});

test('no value is ever returned after its stale time, even while the source fails', async () => {
  const { clock, read, response } = underTest();
  const first = read();
  response(0, 1);
  await first;
  clock.advance(FRESH_MS * 2 - 1);
  assert.equal(await read(), 1);
  response(1, 'timeout');
  await settle();
  clock.advance(1);
  assert.equal(await read(), 'timeout');
});

test('a failed refresh keeps the old value and is reported until the next success', async () => {
  const { clock, read, entry, response } = underTest();
  const first = read();
  response(0, 1);
  await first;
  clock.advance(FRESH_MS);
  await read();
  response(1, 'http-error');
  await settle();
  const old = await entry();
  assert.deepEqual([old.value, (old.error as Error).message], [1, 'http-error']);
  clock.advance(15_000);
  await read();
  response(2, 3);
  await settle();
  const { value, atMs, error } = await entry();
  assert.deepEqual([value, atMs, error], [3, clock.now(), undefined]);
});

test('after a failure the source is not called for a while, and readers get its error immediately', async () => {
  const { clock, read, response, loads } = underTest();
  const first = read();
  response(0, 'unreachable');
  assert.equal(await first, 'unreachable');
  clock.advance(14_999);
  assert.equal(await read(), 'unreachable');
  assert.equal(loads.length, 1);
  clock.advance(1);
  const second = read();
  assert.equal(loads.length, 2);
  response(1, 5);
  assert.equal(await second, 5);
});

test('a reader that aborts rejects with its own reason, and the load continues for the others', async () => {
  const { read, response, loads } = underTest();
  const leaving = new AbortController();
  const impatient = read(leaving.signal);
  const patient = read();
  leaving.abort(new Error('the caller left'));
  assert.equal(await impatient, 'the caller left');
  response(0, 9);
  assert.equal(await patient, 9);
  assert.equal(loads.length, 1);
  assert.equal(await read(AbortSignal.abort(new Error('gone before'))), 'gone before');
});

test("a value's age is measured from the start of its load, not from its arrival", async () => {
  const { clock, entry, response, loads } = underTest();
  const asked = clock.now();
  const first = entry();
  clock.advance(FRESH_MS / 2);
  response(0, 1);
  assert.equal((await first).atMs, asked);
  clock.advance(FRESH_MS / 2);
  assert.equal((await entry()).isStale, true);
  assert.equal(loads.length, 2);
});

test('with a lifetime of zero, every reader receives the result of the load that it joined', async () => {
  const { read, response, loads } = underTest(0);
  const [a, b] = [read(), read()];
  response(0, 1);
  assert.deepEqual([await a, await b], [1, 1]);
  const c = read();
  response(1, 2);
  assert.equal(await c, 2);
  assert.equal(loads.length, 2);
});

test('a cleared value is loaded again', async () => {
  const { cache, read, response, loads } = underTest();
  const first = read();
  response(0, 1);
  await first;
  cache.clear();
  const second = read();
  response(1, 2);
  assert.deepEqual([await second, loads.length], [2, 2]);
});

test('setting the clock back neither makes a value fresh again nor extends a pause', async () => {
  const { clock, read, response, loads } = underTest();
  const first = read();
  response(0, 1);
  await first;
  clock.setBack(3_600_000);
  const reloaded = read();
  assert.equal(loads.length, 2);
  response(1, 'reset');
  assert.equal(await reloaded, 'reset');
  assert.equal(await read(), 'reset', 'the source is not called during the pause');
  assert.equal(loads.length, 2);
  clock.setBack(3_600_000);
  const again = read();
  assert.equal(loads.length, 3);
  response(2, 2);
  assert.equal(await again, 2);
});
