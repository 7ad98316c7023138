// Tests that the webhooks of one host are counted by their individual states.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Receiver } from '../../store/outbox/outbox.ts';
import { listDeadLetters } from './list-dead-letters.ts';

type Arguments = Parameters<typeof listDeadLetters.run>[0];

const receiver = (more: Partial<Receiver>): Receiver => ({
  registrationId: 'id',
  kind: 'events',
  callbackUrl: 'https://hooks.example/a',
  isDisabled: false,
  isDeleted: false,
  failingSinceMs: null,
  waiting: 1,
  dead: 1,
  nextAttemptAtMs: null,
  lastAttempt: null,
  lastAcceptedAtMs: null,
  ...more,
});

const hostOf = async (receivers: readonly Receiver[]) => {
  const outbox = { deliveries: async () => [], receivers: async () => receivers };
  const ctx = { store: { outbox }, clock: { now: () => 0 } } as unknown as Arguments['ctx'];
  const { body } = await listDeadLetters.run({ ctx, input: { limit: 20 } } as Arguments);
  return body.receivers[0];
};

test("a deleted or disabled webhook does not make its host's other webhooks count as failing", async () => {
  const host = await hostOf([
    receiver({ isDisabled: true, failingSinceMs: 2_000 }),
    receiver({ isDeleted: true, isDisabled: true, failingSinceMs: 1_000 }),
    receiver({ nextAttemptAtMs: 9_000 }),
  ]);
  assert.deepEqual(
    [host?.webhooks, host?.disabledWebhooks, host?.failingWebhooks, host?.deletedWebhooks],
    [3, 1, 0, 1],
  );
  assert.equal(host?.failingSince, '1970-01-01T00:00:02.000Z');
  assert.equal(host?.nextAttemptAt, '1970-01-01T00:00:09.000Z');
});

test('the last attempt of a deleted webhook is the notice that its receiver accepted, and the next one is that notice while it waits', async () => {
  const attempt = { number: 1, atMs: 1_000, durationMs: 5, status: 503, answerBytes: 0 };
  const lastAttempt = { ...attempt, outcome: 'refused-status' } as const;
  const deleted = { isDeleted: true, lastAttempt };
  const waiting = await hostOf([receiver({ ...deleted, nextAttemptAtMs: 3_000 })]);
  assert.deepEqual([waiting?.nextAttemptAt, waiting?.lastStatus], ['1970-01-01T00:00:03.000Z', 503]);
  const accepted = await hostOf([receiver({ ...deleted, lastAcceptedAtMs: 3_010 })]);
  assert.deepEqual(
    [accepted?.lastOutcome, accepted?.lastAttemptAt],
    ['delivered', '1970-01-01T00:00:03.010Z'],
  );
});
