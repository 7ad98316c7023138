// Results of attempts on their way to disk: none is lost while the store can be written, and none is noted twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import type { AttemptResult } from '../../store/outbox/outbox.ts';
import { ResultBatch } from './result-batch.ts';

const result = (n: number): AttemptResult => ({
  eventId: `evt_${n}`,
  key: n,
  registrationId: 'registration',
  owner: 'owner',
  attempt: { number: 1, atMs: n, durationMs: 1, status: 204, outcome: 'delivered', answerBytes: 0 },
  next: { state: 'delivered' },
});
const numbers = (results: readonly AttemptResult[]): readonly number[] =>
  results.map(({ attempt }) => attempt.atMs);
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

/** A batch whose store a test holds up or lets fail. */
const open = ({ gatherMs }: { readonly gatherMs?: number } = {}) => {
  const clock = createManualClock();
  const commits: (readonly number[])[] = [];
  const settled: number[] = [];
  const errors: unknown[] = [];
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const watch of [...watchers]) watch();
  };
  const store = { write: async (): Promise<void> => undefined, expectsMore: false };
  const batch = new ResultBatch({
    settle: async (results) => {
      commits.push(numbers(results));
      changed();
      await store.write();
    },
    onSettled: (results) => {
      settled.push(...numbers(results));
      changed();
    },
    onError: (error) => {
      errors.push(error);
      changed();
    },
    expectsMore: () => store.expectsMore,
    ...(gatherMs === undefined ? {} : { gatherMs }),
    clock,
  });
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const watch = (): void => {
        if (!isSo()) return;
        watchers.delete(watch);
        resolve();
      };
      watchers.add(watch);
      watch();
    });
  return { batch, clock, store, commits, settled, errors, until };
};

test('attempts that end together are one commit, in their order', async () => {
  const { batch, commits, settled, until } = open();
  for (const n of upTo(20)) batch.add(result(n));
  await until(() => settled.length === 20);
  assert.deepEqual(commits, [upTo(20)]);
  assert.deepEqual(settled, upTo(20));
  await batch.close();
});

test('what ends while the store is busy goes with the next commit, all of it together', async () => {
  const { batch, store, commits, settled, until } = open();
  const busy = Promise.withResolvers<void>();
  store.write = () => busy.promise;
  batch.add(result(0));
  await until(() => commits.length === 1);
  for (const n of [1, 2, 3]) batch.add(result(n));
  assert.deepEqual(settled, [], 'nothing is told before it is on disk');
  busy.resolve();
  await until(() => settled.length === 4);
  assert.deepEqual(commits, [[0], [1, 2, 3]]);
  await batch.close();
});

test('one commit is never longer than 500, and nothing is left over', async () => {
  const { batch, commits, settled, until } = open();
  for (const n of upTo(1_201)) batch.add(result(n));
  await until(() => settled.length === 1_201);
  for (const commit of commits) assert.ok(commit.length <= 500);
  assert.deepEqual(commits.flat(), upTo(1_201));
  await batch.close();
});

test('whoever waits for more writes also where nothing more comes, and where it is closed', async () => {
  const { batch, store, settled, until } = open();
  store.expectsMore = true;
  batch.add(result(0));
  await until(() => settled.length === 1);
  await endOfTurn();
  batch.add(result(1));
  await batch.close();
  assert.deepEqual(settled, [0, 1]);
});

test('what ends in the moment in which a commit ends is noted too, without waiting for another result', async () => {
  const { batch, settled, until } = open();
  batch.add(result(0));
  await until(() => settled.length === 1);
  batch.add(result(1));
  await batch.close();
  assert.deepEqual(settled, [0, 1]);
});

test('a store that cannot be written is tried again in a second, with whatever came meanwhile', async () => {
  const { batch, clock, store, commits, settled, errors, until } = open();
  const full = new Error('disk full');
  store.write = () => Promise.reject(full);
  batch.add(result(0));
  await clock.sleeping();
  assert.deepEqual(clock.due(), [1_000]);
  assert.deepEqual(errors, [full]);
  batch.add(result(1));
  store.write = async () => undefined;
  clock.advance(1_000);
  await until(() => settled.length === 2);
  assert.deepEqual(commits, [[0], [0, 1]]);
  assert.deepEqual(settled, [0, 1]);
  await batch.close();
});

test('closing writes what is left, tries a store that fails once more, and then lets go', async () => {
  const well = open();
  well.batch.add(result(0));
  await well.batch.close();
  assert.deepEqual(well.settled, [0]);

  const failing = open();
  failing.store.write = () => Promise.reject(new Error('away'));
  failing.batch.add(result(0));
  await failing.clock.sleeping();
  await failing.batch.close();
  assert.deepEqual(failing.settled, []);
  assert.equal(failing.errors.length, 2);
});

test('what ends in different turns is one commit while more is expected', async () => {
  const { batch, store, commits } = open({ gatherMs: 1e6 });
  store.expectsMore = true;
  for (const n of upTo(5)) {
    batch.add(result(n));
    await endOfTurn();
  }
  assert.deepEqual(commits, []);
  await batch.close();
  assert.deepEqual(commits, [upTo(5)]);
});

test('a group of 500 waits for nobody', async () => {
  const { batch, store, commits, settled, until } = open({ gatherMs: 1e6 });
  store.expectsMore = true;
  batch.add(result(0));
  await endOfTurn();
  for (const n of upTo(500).slice(1)) batch.add(result(n));
  await until(() => settled.length === 500);
  assert.deepEqual(commits, [upTo(500)]);
  await batch.close();
});
