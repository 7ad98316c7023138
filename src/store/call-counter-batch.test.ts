import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { openTestStore } from '../../test/support/store-fixture.ts';
import { AppError } from '../kernel/app-error.ts';
import { createCounterBatch } from './call-counter-batch.ts';
import type { Counters } from './call-counters.ts';

/** Runs a due flush to completion. */
const flushed = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const setUp = async (t: TestContext) => {
  const { counters } = await openTestStore(t);
  const clock = createManualClock();
  const adds: ReadonlyMap<string, number>[] = [];
  const failures: unknown[] = [];
  const state = { isFull: false };
  const watched: Counters = {
    all: counters.all,
    add: async (increments) => {
      if (state.isFull) throw new AppError('STORE_UNAVAILABLE', 'disk full');
      await counters.add(increments);
      adds.push(increments);
    },
  };
  const outage = { failed: (error: unknown) => failures.push(error), succeeded: () => undefined };
  const batch = createCounterBatch({ counters: watched, clock, outage });
  t.after(() => batch.close());
  return { counters, clock, adds, failures, state, batch };
};

test('the store is written once per second, however many calls there are, and not at all without calls', async (t) => {
  const { counters, clock, adds, batch } = await setUp(t);
  for (let call = 0; call < 1_000; call += 1) batch.count(call % 10 ? 'GET /a' : 'GET /b');
  await clock.sleeping();
  assert.deepEqual(clock.due(), [1_000]);
  assert.equal(adds.length, 0);
  clock.advance(1_000);
  await flushed();
  assert.deepEqual(Object.fromEntries(await batch.totals()), { 'GET /a': 900, 'GET /b': 100 });
  assert.equal(adds.length, 1);
  assert.deepEqual(await counters.all(), await batch.totals());
  assert.deepEqual(clock.due(), [], 'no timer runs while no counts are pending');

  batch.count('GET /a');
  await clock.sleeping();
  clock.advance(1_000);
  await flushed();
  await batch.totals();
  assert.deepEqual(adds.at(-1), new Map([['GET /a', 1]]));
});

test('totals include every call immediately, written or not', async (t) => {
  const { clock, batch } = await setUp(t);
  batch.count('GET /a');
  assert.equal((await batch.totals()).get('GET /a'), 1);
  await clock.sleeping();
  clock.advance(1_000);
  await flushed();
  batch.count('GET /a');
  assert.equal((await batch.totals()).get('GET /a'), 2);
});

test('counts that a full store refuses are kept and written once there is room', async (t) => {
  const { counters, clock, failures, state, batch } = await setUp(t);
  state.isFull = true;
  batch.count('GET /a');
  await clock.sleeping();
  clock.advance(1_000);
  await flushed();
  batch.count('GET /a');
  // The batch retries on its own.
  await clock.sleeping();
  assert.equal(failures.length, 1);
  state.isFull = false;
  clock.advance(1_000);
  await flushed();
  await batch.totals();
  assert.deepEqual(Object.fromEntries(await counters.all()), { 'GET /a': 2 });
});

test('closing the batch writes the last counts, never fails, and may be repeated', async (t) => {
  const { counters, state, batch } = await setUp(t);
  batch.count('GET /a');
  await batch.close();
  await batch.close();
  assert.deepEqual(Object.fromEntries(await counters.all()), { 'GET /a': 1 });

  const broken = await setUp(t);
  broken.state.isFull = true;
  broken.batch.count('GET /a');
  await broken.batch.close();
  assert.equal(state.isFull, false);
  assert.ok(broken.failures.length > 0);
});
