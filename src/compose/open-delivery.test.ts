// Tests that delivery in one process sends nothing before it is started, reports correct readiness and metrics,
// and releases everything when closed.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { pino } from 'pino';
import { GENESIS } from '../../test/support/delivery-fixture.ts';
import { type Respond, startReceiver } from '../../test/support/receiver.ts';
import { createRunningClock } from '../../test/support/steerable-clock.ts';
import { openTestStore } from '../../test/support/store-fixture.ts';
import type { Scope } from '../../test/support/temporary-folder.ts';
import { createWebhookSecrets } from '../events/delivery/webhook-secret.ts';
import { AppError } from '../kernel/app-error.ts';
import { SecretBytes } from '../kernel/secret-bytes.ts';
import type { Outbox } from '../store/outbox/outbox.ts';
import { openDelivery } from './open-delivery.ts';

const open = async (scope: Scope, respond?: Respond) => {
  const clock = createRunningClock();
  const store = await openTestStore(scope, ':memory:', { clock });
  const receiver = await startReceiver(scope, respond);
  const attempted: { readonly outcome: string; readonly latencyMs: number }[] = [];
  const faults = { backlog: false, looks: 0 };
  const backlog: Outbox['backlog'] = () => {
    faults.looks += 1;
    if (faults.backlog) throw new AppError('STORE_UNAVAILABLE', 'away');
    return store.outbox.backlog();
  };
  const delivery = openDelivery({
    config: { webhookAllowCidrs: ['127.0.0.0/8'], webhookPorts: [443], bindsLoopback: true },
    store: { ...store, outbox: { ...store.outbox, backlog: async () => backlog() } },
    secrets: createWebhookSecrets(SecretBytes.take(new Uint8Array(randomBytes(32))), GENESIS),
    composers: {},
    metrics: { webhookAttempted: (attempt) => void attempted.push(attempt) },
    clock,
    logger: pino({ level: 'silent' }),
  });
  scope.after(() => delivery.close());
  const id = randomBytes(16).toString('hex');
  await store.webhooks.register(
    {
      id,
      kind: 'events',
      walletAddress: 'wallet',
      callbackUrl: receiver.url,
      events: ['epoch_complete'],
      createdAtMs: clock.now(),
      createdEpoch: 0n,
      createdSlot: 0n,
      client: 'client',
    },
    { perWalletAndClient: 10, perClient: 10 },
  );
  let events = 0;
  const tell = async (): Promise<void> => {
    events += 1;
    const event = { id: `evt_${events}`, registrationId: id, type: 'epoch_complete', data: '{}' } as const;
    await store.outbox.record([{ ...event, atMs: clock.now(), expiresAtMs: null }]);
    delivery.wake();
  };
  const values = (): Readonly<Record<string, unknown>> =>
    Object.fromEntries(delivery.gauges().map(({ name, value }) => [name, value]));
  return { clock, store, receiver, delivery, attempted, faults, tell, values, id };
};

test('no delivery is sent before the start, which then sends the pending ones', async (t) => {
  const { receiver, delivery, attempted, clock, tell, store, id } = await open(t);
  await tell();
  clock.advance(60_000);
  assert.deepEqual((await delivery.health()).details, {
    pending: 1,
    oldestDueSeconds: 60,
    dead: 0,
    inFlight: 0,
  });
  assert.equal(receiver.received.length, 0);
  delivery.start();
  delivery.start();
  await receiver.got(1);
  await delivery.close();
  assert.equal(receiver.received.length, 1);
  assert.deepEqual(
    attempted.map(({ outcome }) => outcome),
    ['delivered'],
  );
  assert.ok(attempted[0]!.latencyMs >= 60_000, 'the latency is measured from the time of the event');
  const [deliveries] = await store.outbox.deliveries(id, { limit: 10, before: null, state: null });
  assert.equal(deliveries?.state, 'delivered');
});

test('the backlog is counted at most every ten seconds, however often it is read', async (t) => {
  const { clock, delivery, faults, tell, values } = await open(t);
  await tell();
  assert.deepEqual(values(), {
    holdfast_webhook_pending: null,
    holdfast_webhook_oldest_due_seconds: null,
    holdfast_webhook_dead: null,
    holdfast_webhook_in_flight: 0,
  });
  await delivery.health();
  const { looks } = faults;
  for (let asked = 0; asked < 5; asked += 1) await delivery.health();
  assert.equal(faults.looks, looks);
  await tell();
  assert.equal(values().holdfast_webhook_pending, 1);
  clock.advance(10_000);
  assert.equal((await delivery.health()).details?.pending, 2);
  assert.equal(values().holdfast_webhook_pending, 2);
  await tell();
  delivery.wakeAfterRequest();
  assert.equal(values().holdfast_webhook_pending, 2, 'the last count is kept until the next one');
  assert.equal((await delivery.health()).details?.pending, 3, 'a replay changes the counts at once');
});

test('a clock that is set back does not keep the backlog cached for longer', async (t) => {
  const { clock, delivery, tell, values } = await open(t);
  await delivery.health();
  await tell();
  clock.setBack(86_400_000);
  await delivery.health();
  clock.advance(10_000);
  assert.equal((await delivery.health()).details?.pending, 1);
  assert.equal(values().holdfast_webhook_pending, 1);
});

test('an unavailable store makes webhooks unhealthy until it recovers, without affecting readiness', async (t) => {
  const { delivery, faults } = await open(t);
  faults.backlog = true;
  const { ok, optional, error } = await delivery.health();
  assert.deepEqual([ok, optional, error], [false, true, 'deliveries wait until the store responds']);
  faults.backlog = false;
  const again = await delivery.health();
  assert.deepEqual([again.ok, again.error], [true, null]);
});

test('close waits for an attempt in progress, records it, and starts no further attempt', async (t) => {
  const answer = Promise.withResolvers<void>();
  const { receiver, delivery, tell, store, id } = await open(t, (_request, response) => {
    answer.promise.then(() => response.writeHead(204).end());
  });
  delivery.start();
  await tell();
  await receiver.got(1);
  const closed = delivery.close();
  await tell();
  answer.resolve();
  await Promise.all([closed, delivery.close()]);
  const deliveries = await store.outbox.deliveries(id, { limit: 10, before: null, state: null });
  assert.deepEqual(
    new Set(deliveries.map(({ id: event, state }) => `${event} ${state}`)),
    new Set(['evt_1 delivered', 'evt_2 pending']),
  );
  assert.equal(receiver.received.length, 1);
});
