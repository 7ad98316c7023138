// Tests that the watcher's checkpoint is written with the last events of a poll and read back unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewEvent } from '../../store/outbox/outbox.ts';
import { parseCheckpoint, recordAll, type WatcherCheckpoint } from './watcher-checkpoint.ts';

const checkpoint: WatcherCheckpoint = {
  epoch: 7n,
  slot: 2n ** 63n,
  seconds: 1_795_000_000n,
  lastEventAtMs: 5,
};

const eventsOf = (count: number): readonly NewEvent[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `evt_${at}`,
    registrationId: 'r',
    type: 'withdraw_ready' as const,
    atMs: at,
    data: '{}',
    expiresAtMs: null,
  }));

/** Records `count` events and returns the number of events and of checkpoints in each transaction. */
const transactionsOf = async (count: number) => {
  const transactions: [number, number][] = [];
  const ids: string[] = [];
  const isNew = await recordAll(
    {
      record: async (events, marks = []) => {
        transactions.push([events.length, marks.length]);
        ids.push(...events.map(({ id }) => id));
        for (const { value } of marks) assert.deepEqual(parseCheckpoint(value), checkpoint);
        return events.map(({ id }) => id);
      },
    },
    eventsOf(count),
    checkpoint,
  );
  assert.deepEqual(
    ids,
    eventsOf(count).map(({ id }) => id),
    'each once, in order',
  );
  return { transactions, isNew };
};

test('the checkpoint is written with the last events, so a successor of a killed process derives the same events again', async () => {
  assert.deepEqual(await transactionsOf(1_001), {
    transactions: [
      [500, 0],
      [500, 0],
      [1, 1],
    ],
    isNew: true,
  });
  assert.deepEqual((await transactionsOf(500)).transactions, [[500, 1]]);
});

test('the checkpoint is written even if there are no events', async () => {
  assert.deepEqual(await transactionsOf(0), { transactions: [[0, 1]], isNew: false });
});
