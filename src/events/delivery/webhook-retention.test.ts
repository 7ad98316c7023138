import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import {
  exampleAttempt,
  exampleClaim,
  exampleEvent,
  exampleId,
  exampleRegistration,
  exampleResult,
  NO_CAPS,
  rememberingKeys,
} from '../../../test/support/webhook-examples.ts';
import { pruneOldWebhooks, RETENTION_MS } from './webhook-retention.ts';

const NOW_MS = exampleClaim().nowMs + RETENTION_MS;

test('settled and deleted records are kept for exactly 30 days', async (t) => {
  assert.equal(RETENTION_MS, 30 * 86_400_000);
  const opened = await openTestStore(t);
  const store = { ...opened, outbox: rememberingKeys(opened.outbox) };
  for (const number of [1, 2, 3]) await store.webhooks.register(exampleRegistration(number), NO_CAPS);
  await store.outbox.record([1, 2, 3, 4].map((number) => exampleEvent(number)));
  await store.outbox.claim(exampleClaim());
  const endedAt = (atMs: number) => exampleAttempt({ atMs, durationMs: 0 });
  const [old, young] = [NOW_MS - RETENTION_MS - 1, NOW_MS - RETENTION_MS];
  await store.outbox.settle([
    exampleResult(1, { attempt: endedAt(old) }),
    exampleResult(2, { attempt: endedAt(young) }),
    exampleResult(3, { attempt: endedAt(old), next: { state: 'dead' } }),
  ]);
  await store.webhooks.delete(exampleId(2), old);
  await store.webhooks.delete(exampleId(3), young);
  assert.deepEqual(await pruneOldWebhooks(store, NOW_MS), { deliveries: 2, registrations: 1 });
  const log = await store.outbox.deliveries(exampleId(1), { limit: 9, before: null, state: null });
  assert.deepEqual(
    log.map(({ id, state }) => [id, state]),
    [
      [exampleEvent(4).id, 'pending'],
      [exampleEvent(2).id, 'delivered'],
    ],
  );
  assert.equal(await store.webhooks.find(exampleId(2)), null);
  assert.ok(await store.webhooks.find(exampleId(3)));
  assert.deepEqual(await pruneOldWebhooks(store, NOW_MS), { deliveries: 0, registrations: 0 });
});
