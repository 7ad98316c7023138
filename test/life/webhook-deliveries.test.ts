// Checks webhooks on the running service, from the call to the receiver. Announced events must arrive with a
// signature that the official library accepts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { type Received, type Respond, startReceiver } from '../support/receiver.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

const cleanUps: (() => unknown)[] = [];
let running: TestApp;
before(async () => {
  running = await startTestApp(
    { after: (cleanUp) => void cleanUps.push(cleanUp) },
    { settings: { HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } },
  );
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const { call, register } = webhookCalls(() => running.app.url);
const WEBHOOKS = '/api/v1/webhooks';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
const accepted = (secret: string, { headers, body }: Received): any =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** Waits until the log shows a final state for the event. If it never does, the test's time limit applies. */
// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
const settled = async ({ id, secret }: any, eventId: string): Promise<any> => {
  for (;;) {
    const { body } = await call('GET', `${WEBHOOKS}/${id}/deliveries`, { secret });
    const found = body.deliveries.find((one: { id: string }) => one.id === eventId);
    if (found !== undefined && found.state !== 'pending') return found;
    await delay(5);
  }
};

/** Starts a receiver that accepts the ping of its registration and then responds with `respond`. */
const open = async (t: Parameters<typeof startReceiver>[0], respond?: Respond) => {
  let answer: Respond = (_request, response) => void response.writeHead(204).end();
  const receiver = await startReceiver(t, (request, response) => answer(request, response));
  const webhook = await register({ callbackUrl: `${receiver.url}/hook` });
  await receiver.got(1);
  const first = String(receiver.received[0]?.headers['webhook-id']);
  assert.equal(JSON.parse(receiver.received[0]?.body ?? '').type, 'ping');
  assert.equal((await settled(webhook, first)).state, 'delivered');
  (receiver.received as Received[]).length = 0;
  answer = respond ?? answer;
  const post = (verb: string, parts: Parameters<typeof call>[2] = {}) =>
    call('POST', `${WEBHOOKS}/${webhook.id}/${verb}`, { secret: webhook.secret, ...parts });
  return { receiver, webhook, post };
};

test('a ping arrives as announced, and the log shows its result', async (t) => {
  const { receiver, webhook, post } = await open(t);
  const { eventId } = (await post('ping')).body;
  await receiver.got(1);
  const [request] = receiver.received;
  assert.ok(request);
  assert.equal(request.path, '/hook');
  assert.equal(request.headers['webhook-id'], eventId);
  const { id, type, data } = accepted(webhook.secret, request);
  assert.deepEqual([id, type, data.walletAddress], [eventId, 'ping', webhook.walletAddress]);
  const delivery = await settled(webhook, eventId);
  assert.equal(delivery.state, 'delivered');
  assert.deepEqual(
    delivery.attemptLog.map(({ number, status, outcome }: Record<string, unknown>) => [
      number,
      status,
      outcome,
    ]),
    [[1, 204, 'delivered']],
  );
  const { body } = await call('GET', `${WEBHOOKS}/${webhook.walletAddress}`);
  assert.equal(typeof body.webhooks[0].lastDeliveryAt, 'string');
});

test('the last delivery to a receiver announces the deletion of its webhook, signed with the secret that can restore it', async (t) => {
  const { receiver, webhook, post } = await open(t);
  await call('DELETE', `${WEBHOOKS}/${webhook.id}?walletAddress=${webhook.walletAddress}`);
  await receiver.got(1);
  const { type, data } = accepted(webhook.secret, receiver.received[0]!);
  assert.deepEqual([type, data.webhookId], ['registration_deleted', webhook.id]);
  assert.equal((await post('ping')).status, 404);
  assert.equal((await post('restore')).status, 200);
  const { eventId } = (await post('ping')).body;
  await receiver.got(2);
  assert.equal(receiver.received[1]?.headers['webhook-id'], eventId);
});

test('for 24 hours after a rotation, deliveries verify with either secret, and afterwards only with the new one', async (t) => {
  const { receiver, webhook, post } = await open(t);
  const { secret } = (await post('rotate-secret')).body;
  await post('ping');
  await receiver.got(1);
  for (const either of [secret, webhook.secret])
    assert.equal(accepted(either, receiver.received[0]!).type, 'ping');
  running.clock.advance(86_400_000);
  await post('ping', { secret });
  await receiver.got(2);
  const late = receiver.received[1]!;
  // The library uses the machine's clock, which the test cannot advance.
  const signatures = String(late.headers['webhook-signature']).split(' ');
  assert.equal(signatures.length, 1);
  const at = new Date(Number(late.headers['webhook-timestamp']) * 1000);
  const signed = (by: string): string =>
    new Webhook(by).sign(String(late.headers['webhook-id']), at, late.body);
  assert.equal(signatures[0], signed(secret));
  assert.notEqual(signatures[0], signed(webhook.secret));
});

test('a receiver that responds with 410 is disabled until it accepts a ping, and missed events can be replayed under the same id', async (t) => {
  let status = 410;
  const { receiver, webhook, post } = await open(t, (_request, response) => response.writeHead(status).end());
  const gone = (await post('ping')).body.eventId;
  assert.equal((await settled(webhook, gone)).state, 'dead');
  const list = async () => (await call('GET', `${WEBHOOKS}/${webhook.walletAddress}`)).body.webhooks[0];
  assert.deepEqual([(await list()).status, (await list()).disabledReason], ['disabled', 'gone']);
  const missed = {
    id: `evt_missed_by_${webhook.id}`,
    registrationId: webhook.id,
    type: 'epoch_complete',
    atMs: running.clock.now(),
    data: '{"epoch":7}',
    expiresAtMs: null,
  } as const;
  await running.app.ctx.store.outbox.record([missed]);
  running.app.ctx.events.wakeDelivery();
  assert.deepEqual((await settled(webhook, missed.id)).attemptLog, [], 'dead without an attempt');
  assert.equal((await post('replay', { body: { eventId: missed.id } })).status, 409);
  status = 200;
  assert.equal((await settled(webhook, (await post('ping')).body.eventId)).state, 'delivered');
  assert.deepEqual([(await list()).status, (await list()).failingSince], ['active', null]);
  const before = receiver.received.length;
  assert.equal((await post('replay', { body: { eventId: missed.id } })).body.replayed, 1);
  await receiver.got(before + 1);
  const delivered = receiver.received.at(-1)!;
  assert.equal(delivered.headers['webhook-id'], missed.id);
  assert.deepEqual(JSON.parse(delivered.body).data, { epoch: 7 });
});
