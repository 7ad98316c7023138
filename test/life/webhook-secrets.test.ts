// Checks the operations that need a webhook's secret: reading its log, replaying, pinging, rotating and
// restoring. Without the secret, the service reveals nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { NewEvent } from '../../src/store/outbox/outbox.ts';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { respondToPing } from '../support/notice-webhooks.ts';
import { newWallet } from '../support/wallets.ts';
import { CALLBACK, webhookCalls } from '../support/webhook-calls.ts';
import { exampleAttempt, exampleClaim, rememberingKeys } from '../support/webhook-examples.ts';

const cleanUps: (() => unknown)[] = [];
let running: TestApp;
before(async () => {
  running = await startTestApp({ after: (cleanUp) => void cleanUps.push(cleanUp) });
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const { call, register: registerOnly } = webhookCalls(() => running.app.url);
const WEBHOOKS = '/api/v1/webhooks';
const DAY_MS = 86_400_000;

/** Registers a webhook, waits until its ping is accepted, and removes the ping from the log. */
const register: typeof registerOnly = async (...asked) => {
  const made = await registerOnly(...asked);
  const {
    store: { outbox },
  } = running.app.ctx;
  await respondToPing({ store: { outbox }, clock: running.clock }, made.id, 3_600_000);
  const soon = running.clock.now() + 1;
  await outbox.pruneSettledBefore({ deliveredBeforeMs: soon, deadBeforeMs: 0 });
  return made;
};

let events = 0;

/**
 * Records an event of a registration from `ageMs` ago. Its delivery is due in a year, so no delivery happens
 * during the test.
 */
const tell = async (registrationId: string, ageMs = 0): Promise<NewEvent> => {
  events += 1;
  const nowMs = running.clock.now();
  const event: NewEvent = {
    id: `evt_${events}`,
    registrationId,
    type: 'epoch_complete',
    atMs: nowMs - ageMs,
    data: `{"epoch":${events}}`,
    expiresAtMs: null,
    dueAtMs: nowMs + 365 * DAY_MS,
  };
  await running.app.ctx.store.outbox.record([event]);
  return event;
};

const keys = new Map<string, number>();

/** Ends events in `state` after one attempt, as a delivering process would. */
const settle = async (
  list: readonly NewEvent[],
  state: 'delivered' | 'dead',
  disable?: 'failing',
): Promise<void> => {
  const outbox = rememberingKeys(running.app.ctx.store.outbox, keys);
  const nowMs = running.clock.now() + 366 * DAY_MS;
  await outbox.claim(exampleClaim({ owner: 'test', nowMs, leaseMs: DAY_MS }));
  await outbox.settle(
    list.map(({ id, registrationId }) => ({
      eventId: id,
      key: 0,
      registrationId,
      owner: 'test',
      attempt: exampleAttempt(
        state === 'dead'
          ? { atMs: running.clock.now(), outcome: 'refused-status', status: 500 }
          : { atMs: running.clock.now() },
      ),
      next: { state },
      ...(disable && { disable }),
    })),
  );
};

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
const log = async ({ id, secret }: any, query = ''): Promise<any> => {
  const { status, body } = await call('GET', `${WEBHOOKS}/${id}/deliveries${query}`, { secret });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

const MANAGING = [
  ['GET', 'deliveries', undefined],
  ['POST', 'replay', { eventId: 'evt_1' }],
  ['POST', 'ping', undefined],
  ['POST', 'rotate-secret', undefined],
  ['POST', 'restore', undefined],
] as const;

test('without the secret no response reveals whether a webhook exists', async () => {
  const { id, walletAddress } = await register();
  const other = await register();
  const deleted = await register();
  await call('DELETE', `${WEBHOOKS}/${deleted.id}?walletAddress=${deleted.walletAddress}`);
  for (const [method, verb, body] of MANAGING) {
    const responses = [];
    for (const [name, secret] of [
      [id, undefined],
      [id, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
      [id, other.secret],
      [id, 'x'.repeat(256)],
      [deleted.id, other.secret],
      ['f'.repeat(32), other.secret],
      ['f'.repeat(32), undefined],
      [walletAddress, undefined],
    ]) {
      const response = await call(method, `${WEBHOOKS}/${name}/${verb}`, { body, ...(secret && { secret }) });
      const { _meta, ...shown } = response.body;
      responses.push({ status: response.status, ...shown });
    }
    assert.equal(responses[0]?.status, 404, verb);
    assert.equal(responses[0]?.error, 'Webhook not found');
    for (const response of responses) assert.deepEqual(response, responses[0], verb);
  }
  assert.equal((await running.app.ctx.store.webhooks.find(id))?.secretGeneration, 0);
});

test('a secret in the query or the body is not accepted, because URLs and bodies are logged', async () => {
  const { id, secret } = await register();
  const inQuery = await call('GET', `${WEBHOOKS}/${id}/deliveries?secret=${encodeURIComponent(secret)}`);
  assert.equal(inQuery.status, 404);
  assert.equal((await call('POST', `${WEBHOOKS}/${id}/ping`, { body: { secret } })).status, 404);
});

test('the log shows every event with every attempt, newest first, by page and filtered by state', async () => {
  const webhook = await register();
  const old = await tell(webhook.id, 5_000);
  const middle = await tell(webhook.id, 3_000);
  const young = await tell(webhook.id, 1_000);
  await settle([old], 'delivered');
  await settle([young], 'dead');
  const whole = await log(webhook);
  assert.deepEqual(
    whole.deliveries.map(({ id }: { id: string }) => id),
    [young.id, middle.id, old.id],
  );
  assert.equal(whole.nextCursor, null);
  const [dead] = (await log(webhook, '?state=dead')).deliveries;
  assert.equal(dead.timestamp, new Date(young.atMs).toISOString());
  assert.deepEqual(
    { id: dead.id, type: dead.type, state: dead.state, attempts: dead.attempts, data: dead.data },
    {
      id: young.id,
      type: 'epoch_complete',
      state: 'dead',
      attempts: 1,
      data: JSON.parse(young.data),
    },
  );
  const [{ at, ...attempt }] = dead.attemptLog;
  assert.ok(Date.parse(at) <= running.clock.now());
  assert.deepEqual(attempt, {
    number: 1,
    durationMs: 40,
    status: 500,
    outcome: 'refused-status',
    answerBytes: 2,
  });
  const first = await log(webhook, '?limit=2');
  assert.equal(first.deliveries.length, 2);
  const second = await log(webhook, `?limit=2&cursor=${first.nextCursor}`);
  assert.deepEqual(
    [...first.deliveries, ...second.deliveries].map(({ id }) => id),
    [young.id, middle.id, old.id],
  );
  assert.equal(second.nextCursor, null);
  const { secret } = webhook;
  for (const query of ['?cursor=nonsense', '?limit=0', '?limit=101', '?state=lost'])
    assert.equal((await call('GET', `${WEBHOOKS}/${webhook.id}/deliveries${query}`, { secret })).status, 400);
});

test('a replay redelivers one event or a range, but only events of its own webhook', async () => {
  const webhook = await register();
  const other = await register();
  const foreign = await tell(other.id);
  const list = [];
  for (const ageMs of [9_000, 6_000, 3_000]) list.push(await tell(webhook.id, ageMs));
  const [first, second, third] = list as [NewEvent, NewEvent, NewEvent];
  await settle([first, second, foreign], 'dead');
  await settle([third], 'delivered');
  const replay = async (body: unknown): Promise<unknown> => {
    const response = await call('POST', `${WEBHOOKS}/${webhook.id}/replay`, { body, secret: webhook.secret });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body.replayed;
  };
  const at = ({ atMs }: NewEvent, moreMs = 0): string => new Date(atMs + moreMs).toISOString();
  assert.equal(await replay({ eventId: foreign.id }), 0);
  assert.equal(await replay({ from: at(second, 1) }), 0, 'the third is not dead');
  assert.equal(await replay({ from: at(first), to: at(second) }), 1);
  assert.equal(await replay({ eventId: second.id }), 1);
  assert.equal(await replay({ from: at(first), states: ['delivered', 'dead'] }), 1, 'the third');
  const refused = [{}, { eventId: 'e', from: at(first) }, { to: at(first) }, { from: 'yesterday' }];
  for (const body of [...refused, { from: at(first), states: ['pending'] }]) {
    const response = await call('POST', `${WEBHOOKS}/${webhook.id}/replay`, { body, secret: webhook.secret });
    assert.deepEqual(
      [response.status, response.body.errorCode],
      [400, 'VALIDATION_ERROR'],
      JSON.stringify(body),
    );
  }
});

test('a disabled webhook says that it is disabled, refuses replays and still allows pings', async () => {
  const webhook = await register();
  const event = await tell(webhook.id);
  await settle([event], 'dead', 'failing');
  const { body: listed } = await call('GET', `${WEBHOOKS}/${webhook.walletAddress}`);
  assert.equal(listed.webhooks[0].status, 'disabled');
  assert.equal(listed.webhooks[0].disabledReason, 'failing');
  assert.equal(typeof listed.webhooks[0].failingSince, 'string');
  const { secret } = webhook;
  const path = `${WEBHOOKS}/${webhook.id}`;
  const refused = await call('POST', `${path}/replay`, { body: { eventId: event.id }, secret });
  assert.deepEqual([refused.status, refused.body.errorCode], [409, 'WEBHOOK_DISABLED']);
  assert.equal((await call('POST', `${path}/ping`, { secret })).status, 200);
});

test('a ping is in the log with its announced id, and is abandoned after a minute', async () => {
  const webhook = await register();
  const announced = await call('POST', `${WEBHOOKS}/${webhook.id}/ping`, { secret: webhook.secret });
  const again = await call('POST', `${WEBHOOKS}/${webhook.id}/ping`, { secret: webhook.secret });
  const { deliveries } = await log(webhook);
  assert.deepEqual(
    deliveries.map(({ id }: { id: string }) => id).toSorted(),
    [announced.body.eventId, again.body.eventId].toSorted(),
  );
  for (const { type, data, timestamp, expiresAt } of deliveries) {
    assert.equal(type, 'ping');
    assert.equal(data.walletAddress, webhook.walletAddress);
    assert.equal(Date.parse(expiresAt) - Date.parse(timestamp), 60_000);
  }
});

test('after a rotation, both secrets are valid for 24 hours, and then only the new one', async () => {
  const webhook = await register();
  const path = `${WEBHOOKS}/${webhook.id}`;
  const status = async (secret: string): Promise<number> =>
    (await call('GET', `${path}/deliveries`, { secret })).status;
  const rotated = await call('POST', `${path}/rotate-secret`, { secret: webhook.secret });
  assert.equal(rotated.status, 200);
  const { secret, previousSecretUntil } = rotated.body;
  assert.notEqual(secret, webhook.secret);
  assert.match(secret, /^whsec_/);
  assert.deepEqual([await status(webhook.secret), await status(secret)], [200, 200]);
  const registration = await running.app.ctx.store.webhooks.find(webhook.id);
  assert.ok(registration);
  const {
    events: { webhookSecrets },
  } = running.app.ctx;
  assert.deepEqual(webhookSecrets.of(registration, running.clock.now()), [secret, webhook.secret]);
  running.clock.advance(Date.parse(previousSecretUntil) - running.clock.now() - 60_000);
  assert.deepEqual([await status(webhook.secret), await status(secret)], [200, 200]);
  running.clock.advance(60_000);
  assert.deepEqual([await status(webhook.secret), await status(secret)], [404, 200]);
  assert.deepEqual(webhookSecrets.of(registration, running.clock.now()), [secret]);
});

test('rotating twice invalidates the first secret immediately', async () => {
  const webhook = await register();
  const path = `${WEBHOOKS}/${webhook.id}`;
  const once = await call('POST', `${path}/rotate-secret`, { secret: webhook.secret });
  const twice = await call('POST', `${path}/rotate-secret`, { secret: once.body.secret });
  for (const [secret, status] of [
    [webhook.secret, 404],
    [once.body.secret, 200],
    [twice.body.secret, 200],
  ])
    assert.equal((await call('GET', `${path}/deliveries`, { secret })).status, status);
});

test('for 30 days, a deleted webhook can be fully restored with its secret', async () => {
  const webhook = await register();
  const path = `${WEBHOOKS}/${webhook.id}`;
  const { secret, walletAddress } = webhook;
  await call('DELETE', `${path}?walletAddress=${walletAddress}`);
  for (const [method, verb, body] of MANAGING.filter(([, it]) => it !== 'restore' && it !== 'deliveries')) {
    const response = await call(method, `${path}/${verb}`, { body, secret });
    assert.deepEqual([response.status, response.body.message], [404, 'This webhook was deleted.'], verb);
  }
  assert.equal((await log(webhook)).deliveries[0].type, 'registration_deleted', 'its log can be read');
  const restored = await call('POST', `${path}/restore`, { secret });
  assert.equal(restored.status, 200);
  assert.equal(restored.body.callbackUrl, CALLBACK);
  assert.ok(!('secret' in restored.body));
  assert.equal((await call('POST', `${path}/restore`, { secret })).status, 200, 'again changes nothing');
  assert.equal((await call('GET', `${WEBHOOKS}/${walletAddress}`)).body.count, 1);
  const without = await call('DELETE', `${path}?walletAddress=${walletAddress}`);
  assert.equal(without.status, 404, 'from now on, only its secret can delete it');
  assert.equal((await call('DELETE', `${path}?walletAddress=${walletAddress}`, { secret })).status, 200);
});

test('a restore that would exceed the limit on webhooks is refused', async () => {
  const { walletAddress } = newWallet();
  const all = [];
  for (let count = 0; count < 20; count += 1) all.push(await register({ walletAddress }));
  await call('DELETE', `${WEBHOOKS}/${all[0].id}?walletAddress=${walletAddress}`);
  running.clock.advance(DAY_MS);
  await register({ walletAddress });
  const { secret } = all[0];
  const { status, body } = await call('POST', `${WEBHOOKS}/${all[0].id}/restore`, { secret });
  assert.deepEqual([status, body.errorCode], [409, 'WEBHOOK_LIMIT']);
});

test('if the operator requires it, deleting also needs the secret', async (t) => {
  const strict = await startTestApp(t, { settings: { HOLDFAST_WEBHOOK_DELETE: 'secret' } });
  const calls = webhookCalls(() => strict.app.url);
  const { id, walletAddress, secret } = await calls.register();
  const other = await calls.register();
  const path = `${WEBHOOKS}/${id}?walletAddress=${walletAddress}`;
  for (const parts of [{}, { secret: other.secret }]) {
    const { status, body } = await calls.call('DELETE', path, parts);
    assert.deepEqual([status, body.error], [404, 'Webhook not found']);
  }
  assert.equal((await calls.call('DELETE', path, { secret })).status, 200);
  const elsewhere = `${WEBHOOKS}/${other.id}?walletAddress=${newWallet().walletAddress}`;
  const foreign = await calls.call('DELETE', elsewhere, { secret: other.secret });
  assert.equal(foreign.status, 404, 'the wallet is still required');
});
