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
  ...more,
});

test("a deleted or disabled webhook does not make its host's other webhooks count as failing and has no next attempt", async () => {
  const receivers = [
    receiver({ isDisabled: true, failingSinceMs: 2_000, nextAttemptAtMs: 1 }),
    receiver({ isDeleted: true, isDisabled: true, failingSinceMs: 1_000, nextAttemptAtMs: 2 }),
    receiver({ nextAttemptAtMs: 9_000 }),
  ];
  const outbox = { deliveries: async () => [], receivers: async () => receivers };
  const ctx = { store: { outbox }, clock: { now: () => 0 } } as unknown as Arguments['ctx'];
  const { body } = await listDeadLetters.run({ ctx, input: { limit: 20 } } as Arguments);
  const [host] = body.receivers;
  assert.deepEqual(
    [host?.webhooks, host?.disabledWebhooks, host?.failingWebhooks, host?.deletedWebhooks],
    [3, 1, 0, 1],
  );
  assert.equal(host?.failingSince, '1970-01-01T00:00:02.000Z');
  assert.equal(host?.nextAttemptAt, '1970-01-01T00:00:09.000Z');
});
