import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { ProviderFailure, type ProviderFailureWord } from './provider-failure.ts';
import { type Kept, RefreshingValue } from './refreshing-value.ts';

const FRESH_MS = 60_000;
const never = new AbortController().signal;

/** A value whose fetches a test answers one by one. */
const underTest = (freshMs = FRESH_MS) => {
  const clock = createManualClock();
  const fetches: PromiseWithResolvers<number>[] = [];
  const attempts: (ProviderFailureWord | null)[] = [];
  const owner = new AbortController();
  const value = new RefreshingValue<number>({
    freshMs,
    clock,
    lifetime: owner.signal,
    fetch: (signal) => {
      const fetch = Promise.withResolvers<number>();
      fetches.push(fetch);
      signal.addEventListener('abort', () => fetch.reject(signal.reason), { once: true });
      return fetch.promise;
    },
    onAttempt: (failure) => attempts.push(failure),
  });
  const answer = (index: number, result: number | Error): void => {
    const fetch = fetches[index];
    assert.ok(fetch, `fetch ${index} was never started`);
    if (typeof result === 'number') fetch.resolve(result);
    else fetch.reject(result);
  };
  return { clock, fetches, attempts, owner, value, answer, read: (signal = never) => value.read(signal) };
};

const outcomeOf = (kept: Kept<number>): number | ProviderFailureWord => (kept.ok ? kept.value : kept.failure);

/** Lets everything that is already settled run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('1,000 concurrent readers of nothing share one fetch', async () => {
  const { read, answer, fetches } = underTest();
  const readers = Array.from({ length: 1_000 }, () => read());
  answer(0, 7);
  for (const kept of await Promise.all(readers)) assert.equal(outcomeOf(kept), 7);
  assert.equal(fetches.length, 1);
});

test('a fresh value asks nobody; a stale one is given at once while exactly one fetch runs behind it', async () => {
  const { clock, read, answer, fetches } = underTest();
  const first = read();
  answer(0, 1);
  await first;
  clock.advance(FRESH_MS - 1);
  assert.deepEqual(await read(), {
    ok: true,
    value: 1,
    fetchedAtMs: clock.now() - FRESH_MS + 1,
    stale: false,
    refreshFailure: null,
  });
  assert.equal(fetches.length, 1);
  clock.advance(1);
  const stale = await Promise.all(Array.from({ length: 1_000 }, () => read()));
  for (const kept of stale) assert.deepEqual([outcomeOf(kept), kept.ok && kept.stale], [1, true]);
  assert.equal(fetches.length, 2);
  answer(1, 2);
  await settle();
  const renewed = await read();
  assert.deepEqual([outcomeOf(renewed), renewed.ok && renewed.stale], [2, false]);
});

test('nothing older than two lifetimes is ever given, even while the source is broken', async () => {
  const { clock, read, answer } = underTest();
  const first = read();
  answer(0, 1);
  await first;
  clock.advance(FRESH_MS * 2 - 1);
  const last = await read();
  assert.deepEqual([outcomeOf(last), last.ok && last.stale], [1, true]);
  answer(1, new ProviderFailure('timeout'));
  await settle();
  clock.advance(1);
  assert.equal(outcomeOf(await read()), 'timeout');
});

test('a failed renewal keeps the old value and says so; the next success forgets the failure', async () => {
  const { clock, read, answer, attempts } = underTest();
  const first = read();
  answer(0, 1);
  await first;
  clock.advance(FRESH_MS);
  await read();
  answer(1, new ProviderFailure('http-error'));
  await settle();
  const kept = await read();
  assert.deepEqual([outcomeOf(kept), kept.ok && kept.refreshFailure], [1, 'http-error']);
  clock.advance(15_000);
  await read();
  answer(2, 3);
  await settle();
  assert.deepEqual(await read(), {
    ok: true,
    value: 3,
    fetchedAtMs: clock.now(),
    stale: false,
    refreshFailure: null,
  });
  assert.deepEqual(attempts, [null, 'http-error', null]);
});

test('after a failure the source is left alone for a while, and readers hear the failure at once', async () => {
  const { clock, read, answer, fetches } = underTest();
  const first = read();
  answer(0, new ProviderFailure('unreachable'));
  assert.equal(outcomeOf(await first), 'unreachable');
  clock.advance(14_999);
  assert.equal(outcomeOf(await read()), 'unreachable');
  assert.equal(fetches.length, 1);
  clock.advance(1);
  const second = read();
  assert.equal(fetches.length, 2);
  answer(1, 5);
  assert.equal(outcomeOf(await second), 5);
});

test('a reader that gives up rejects with its own reason, and the fetch goes on for the others', async () => {
  const { read, answer, fetches } = underTest();
  const leaving = new AbortController();
  const impatient = read(leaving.signal);
  const patient = read();
  leaving.abort(new Error('the caller left'));
  await assert.rejects(impatient, /the caller left/);
  answer(0, 9);
  assert.equal(outcomeOf(await patient), 9);
  assert.equal(fetches.length, 1);
  await assert.rejects(read(AbortSignal.abort(new Error('gone before'))), /gone before/);
});

test('a value is as old as the moment it was asked for, not the moment it came', async () => {
  const { clock, read, answer, fetches } = underTest();
  const asked = clock.now();
  const first = read();
  clock.advance(FRESH_MS / 2);
  answer(0, 1);
  const kept = await first;
  assert.equal(kept.ok && kept.fetchedAtMs, asked);
  clock.advance(FRESH_MS / 2);
  const later = await read();
  assert.equal(later.ok && later.stale, true);
  assert.equal(fetches.length, 2);
});

test('with no lifetime every reader gets the answer of a fetch that it joined', async () => {
  const { read, answer, fetches } = underTest(0);
  const [a, b] = [read(), read()];
  answer(0, 1);
  assert.deepEqual([outcomeOf(await a), outcomeOf(await b)], [1, 1]);
  const c = read();
  answer(1, 2);
  assert.equal(outcomeOf(await c), 2);
  assert.equal(fetches.length, 2);
});

test('closing the owner ends the fetch under way, and nothing is fetched afterwards', async () => {
  const { clock, owner, read, fetches } = underTest();
  const waiting = read();
  owner.abort();
  assert.equal(outcomeOf(await waiting), 'closed');
  clock.advance(FRESH_MS);
  assert.equal(outcomeOf(await read()), 'closed');
  assert.equal(fetches.length, 1);
});

test('whatever a fetch throws is one of the known failures', async () => {
  const thrown: readonly [unknown, ProviderFailureWord][] = [
    [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'unreachable'],
    [Object.assign(new Error('x'), { code: 'UND_ERR_BODY_TIMEOUT' }), 'timeout'],
    [new ProviderFailure('too-large'), 'too-large'],
    [new TypeError('x'), 'reset'],
    ['text', 'reset'],
    [undefined, 'reset'],
  ];
  for (const [error, word] of thrown) {
    const { read, fetches } = underTest();
    const reading = read();
    fetches[0]?.reject(error);
    assert.equal(outcomeOf(await reading), word);
  }
});

test('a clock that is set back makes nothing fresh again, and no pause longer', async () => {
  const { clock, read, answer, fetches } = underTest();
  const first = read();
  answer(0, 1);
  await first;
  clock.setBack(3_600_000);
  const anew = read();
  assert.equal(fetches.length, 2);
  answer(1, new ProviderFailure('reset'));
  assert.equal(outcomeOf(await anew), 'reset');
  assert.equal(outcomeOf(await read()), 'reset', 'the source is left alone for a while');
  assert.equal(fetches.length, 2);
  clock.setBack(3_600_000);
  const again = read();
  assert.equal(fetches.length, 3);
  answer(2, 2);
  assert.equal(outcomeOf(await again), 2);
});
