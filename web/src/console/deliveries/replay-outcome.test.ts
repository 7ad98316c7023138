// Tests that the message after a replay says how the receivers responded, not only that deliveries were sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayOutcome } from './replay-outcome.ts';

const delivery = { id: 'evt_1', lastStatus: null, nextAttemptAt: null };
const delivered = { ...delivery, state: 'delivered', attempts: 1, lastOutcome: 'delivered' } as const;
const refused = {
  ...delivery,
  state: 'pending',
  attempts: 1,
  lastOutcome: 'refused-status',
  lastStatus: 500,
} as const;
const gone = { ...delivery, state: 'dead', attempts: 1, lastOutcome: 'gone', lastStatus: 410 } as const;
const waiting = { ...delivery, state: 'pending', attempts: 0, lastOutcome: 'timeout' } as const;

test('the message after a replay gives the outcome of each dead letter', () => {
  assert.deepEqual(replayOutcome([delivered], 1), { tone: 'good', title: 'Delivered' });
  assert.deepEqual(replayOutcome([delivered, delivered], 2), { tone: 'good', title: '2 delivered' });
  assert.deepEqual(replayOutcome([gone], 1), {
    tone: 'bad',
    title: 'Not delivered',
    detail: 'Gone (410), a dead letter again.',
  });
  const next = { ...refused, nextAttemptAt: '2026-11-26T14:02:00Z' };
  assert.match(replayOutcome([next], 1).detail!, /^Refused \(500\), next attempt .*Nov 26.*\.$/);
  assert.deepEqual(replayOutcome([waiting], 1), {
    tone: 'warn',
    title: 'Not delivered yet',
    detail: 'The receiver has not responded yet. The result appears under Receivers.',
  });
  assert.deepEqual(replayOutcome([delivered, refused], 3), {
    tone: 'bad',
    title: '1 of 3 delivered',
    detail: 'Refused (500). 1 expired or is already being sent.',
  });
});
