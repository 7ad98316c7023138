// Tests that long deletions run in short statements: everything is deleted, and other work runs in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BATCH_ROWS, inBatches } from './delete-in-batches.ts';

/** Creates work that handles `rows` rows in total and records the limit of each batch. */
const workOn = (rows: number) => {
  const limits: number[] = [];
  let left = rows;
  return {
    limits,
    work: async (limit: number) => {
      limits.push(limit);
      const handled = Math.min(limit, left);
      left -= handled;
      return handled;
    },
  };
};

test('batches continue until one of them is not full, and the total number of rows is returned', async () => {
  for (const [rows, batches] of [
    [0, 1],
    [9, 1],
    [10, 2],
    [25, 3],
  ] as const) {
    const { work, limits } = workOn(rows);
    assert.equal(await inBatches(work, 10), rows);
    assert.deepEqual(
      limits,
      Array.from({ length: batches }, () => 10),
    );
  }
  const { work, limits } = workOn(1);
  await inBatches(work);
  assert.deepEqual(limits, [BATCH_ROWS]);
});

test('other work can run between two batches', async () => {
  const { work } = workOn(20);
  const order: string[] = [];
  const done = inBatches(async (limit) => {
    order.push('batch');
    return work(limit);
  }, 10);
  setImmediate(() => order.push('another'));
  await done;
  assert.deepEqual(order.slice(0, 3), ['batch', 'another', 'batch']);
});

test('an error in a batch ends the deletion', async () => {
  const reason = new Error('the store is unavailable');
  await assert.rejects(
    inBatches(async () => Promise.reject(reason)),
    (error) => error === reason,
  );
});
