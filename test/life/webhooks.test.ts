// Checks webhooks as clients use them: registering, listing and deleting by wallet, with the exact refusals and
// limits.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { respondToPing } from '../support/notice-webhooks.ts';
import { patience } from '../support/patience.ts';
import { createTestDatabase } from '../support/store-postgres.ts';
import { startTcpProxy } from '../support/store-tcp-proxy.ts';
import { newWallet } from '../support/wallets.ts';
import { CALLBACK, registration, webhookCalls } from '../support/webhook-calls.ts';

const cleanUps: (() => unknown)[] = [];
let running: TestApp;
before(async () => {
  running = await startTestApp(
    { after: (cleanUp) => void cleanUps.push(cleanUp) },
    { settings: { HOLDFAST_TRUSTED_PROXIES: '127.0.0.1' } },
  );
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const { call, register } = webhookCalls(() => running.app.url);
const WEBHOOKS = '/api/v1/webhooks';

/** Returns a network address that no other test uses. */
const network = (() => {
  let last = 0;
  return (): string => {
    last += 1;
    return `198.51.100.${last}`;
  };
})();

const facts = async (...parts: Parameters<typeof call>): Promise<readonly unknown[]> => {
  const { status, body } = await call(...parts);
  return [status, body.error, body.errorCode, body.message];
};

test('registering returns the full record, and no other response contains the secret', async () => {
  const wanted = registration({ events: ['epoch_complete', 'withdraw_ready'] });
  const { status, body } = await call('POST', WEBHOOKS, { body: wanted });
  assert.equal(status, 200);
  const { id, secret, createdAt, message, messageSentences: _, _meta, ...rest } = body;
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
  assert.equal(typeof message, 'string');
  assert.equal(_meta.endpoint, WEBHOOKS);
  assert.deepEqual(rest, {
    walletAddress: wanted.walletAddress,
    callbackUrl: CALLBACK,
    events: ['withdraw_ready', 'epoch_complete'],
    status: 'active',
    disabledReason: null,
    awaitsAnswer: true,
    lastDeliveryAt: null,
    failingSince: null,
  });
  const stored = await running.app.ctx.store.webhooks.find(id);
  const position = await running.app.ctx.chain.cluster.epochPosition(patience());
  assert.equal(stored?.createdEpoch, position.epoch);
  assert.ok(stored.createdSlot > 0n && stored.createdSlot <= position.absoluteSlot);
});

test('url is an alias of callbackUrl, and callbackUrl takes precedence if both are given', async () => {
  const other = 'https://other.example.invalid/';
  assert.equal((await register({ callbackUrl: undefined, url: other })).callbackUrl, other);
  assert.equal((await register({ url: other })).callbackUrl, CALLBACK);
});

test('an invalid registration is refused with the documented messages', async () => {
  const refused = async (overrides: Readonly<Record<string, unknown>>) =>
    facts('POST', WEBHOOKS, { body: registration(overrides) });
  const validation = (message: string) => [400, 'Validation error', 'VALIDATION_ERROR', message];
  assert.deepEqual(await refused({ callbackUrl: undefined }), validation('callbackUrl (or url) is required'));
  for (const callbackUrl of ['http://hooks.example.invalid/', 'ftp://hooks.example.invalid/', 'no url'])
    assert.deepEqual(await refused({ callbackUrl }), validation('callbackUrl: must be an https URL'));
  for (const [overrides, path] of [
    [{ walletAddress: undefined }, 'walletAddress'],
    [{ walletAddress: 'not base58!' }, 'walletAddress'],
    [{ events: undefined }, 'events'],
    [{ events: [] }, 'events'],
    [{ events: ['withdraw_ready', 'withdraw_ready'] }, 'events'],
    [{ events: ['stake_slashed'] }, 'events'],
    [{ callbackUrl: `https://hooks.example.invalid/${'x'.repeat(2_048)}` }, 'callbackUrl'],
  ] as const) {
    const [status, title, code, message] = await refused(overrides);
    assert.deepEqual([status, title, code], [400, 'Validation error', 'VALIDATION_ERROR']);
    assert.ok(String(message).startsWith(path), String(message));
  }
});

test('no callback URL can reach a private address, and the response does not repeat a refused URL', async () => {
  for (const host of ['127.0.0.1', '10.0.0.1', '[::1]', 'localhost', '169.254.169.254', '0x7f.1']) {
    const callbackUrl = `https://${host}/private-path`;
    const { status, body } = await call('POST', WEBHOOKS, { body: registration({ callbackUrl }) });
    assert.equal(status, 400, host);
    assert.ok(!JSON.stringify(body).includes('private-path'));
  }
});

test('the list shows the full callback URL only to holders of its secret', async () => {
  const { walletAddress } = newWallet();
  const first = await register({ walletAddress });
  const second = await register({ walletAddress, callbackUrl: 'https://two.example.invalid:443/x' });
  const open = await call('GET', `${WEBHOOKS}/${walletAddress}`);
  assert.equal(open.status, 200);
  assert.equal(open.body.walletAddress, walletAddress);
  assert.equal(open.body.count, 2);
  assert.equal(open.body._meta.endpoint, `${WEBHOOKS}/{walletAddress}`);
  assert.deepEqual(
    open.body.webhooks.map(({ id, callbackUrl }: { id: string; callbackUrl: string }) => [id, callbackUrl]),
    [
      [first.id, 'https://hooks.example.invalid'],
      [second.id, 'https://two.example.invalid'],
    ],
  );
  assert.deepEqual(Object.keys(open.body.webhooks[0]).toSorted(), [
    'awaitsAnswer',
    'callbackUrl',
    'createdAt',
    'disabledReason',
    'events',
    'failingSince',
    'id',
    'lastDeliveryAt',
    'status',
    'walletAddress',
  ]);
  const proven = await call('GET', `${WEBHOOKS}/${walletAddress}`, { secret: first.secret });
  assert.deepEqual(
    proven.body.webhooks.map(({ callbackUrl }: { callbackUrl: string }) => callbackUrl),
    [CALLBACK, 'https://two.example.invalid'],
  );
  for (const { body } of [open, proven]) assert.ok(!JSON.stringify(body).includes('whsec_'));
  const from = network();
  const elsewhere = await call('GET', `${WEBHOOKS}/${walletAddress}`, { from });
  assert.deepEqual([elsewhere.status, elsewhere.body.webhooks, elsewhere.body.count], [200, [], 0]);
  const provenElsewhere = await call('GET', `${WEBHOOKS}/${walletAddress}`, { from, secret: first.secret });
  assert.deepEqual(
    provenElsewhere.body.webhooks.map(({ id, callbackUrl }: { id: string; callbackUrl: string }) => [
      id,
      callbackUrl,
    ]),
    [[first.id, CALLBACK]],
  );
  const nobody = await call('GET', `${WEBHOOKS}/${newWallet().walletAddress}`);
  assert.deepEqual([nobody.status, nobody.body.webhooks, nobody.body.count], [200, [], 0]);
});

test('deleting a webhook requires its wallet in the query or the body, and other deletions are refused with the documented messages', async () => {
  const { id, walletAddress } = await register();
  const path = `${WEBHOOKS}/${id}`;
  const other = newWallet().walletAddress;
  const [status, title] = await facts('DELETE', path);
  assert.deepEqual([status, title], [400, 'Missing walletAddress']);
  const unknown = [
    404,
    'Webhook not found',
    'NOT_FOUND',
    'No webhook with this id belongs to this wallet, or its secret is needed and is missing or wrong.',
  ];
  assert.deepEqual(await facts('DELETE', `${path}?walletAddress=${other}`), unknown);
  assert.deepEqual(await facts('DELETE', `${WEBHOOKS}/nothing?walletAddress=${walletAddress}`), unknown);
  const differing = { body: { walletAddress: other } };
  assert.equal((await call('DELETE', `${path}?walletAddress=${walletAddress}`, differing)).status, 400);
  const deleted = await call('DELETE', path, { body: { walletAddress } });
  assert.deepEqual([deleted.status, deleted.body.deleted, deleted.body.id], [200, true, id]);
  assert.deepEqual(await facts('DELETE', `${path}?walletAddress=${walletAddress}`), unknown);
  const again = await register();
  const byQuery = await call('DELETE', `${WEBHOOKS}/${again.id}?walletAddress=${again.walletAddress}`);
  assert.deepEqual([byQuery.status, byQuery.body.id], [200, again.id]);
  assert.equal((await call('GET', `${WEBHOOKS}/${walletAddress}`)).body.count, 0);
});

test('every refused method on a webhook path gets a response that lists the allowed methods', async () => {
  const response = await fetch(`${running.app.url}${WEBHOOKS}/x`, { method: 'PATCH' });
  assert.equal(response.status, 405);
  assert.deepEqual(response.headers.get('allow')?.split(', ').toSorted(), [
    'DELETE',
    'GET',
    'HEAD',
    'OPTIONS',
  ]);
  const deliveries = await fetch(`${running.app.url}${WEBHOOKS}/x/deliveries`, { method: 'DELETE' });
  assert.deepEqual(deliveries.headers.get('allow')?.split(', ').toSorted(), ['GET', 'HEAD', 'OPTIONS']);
});

test('receivers that accepted the ping get a final registration_deleted event, which is stored together with the deletion', async () => {
  const deliveriesOf = (id: string) =>
    running.app.ctx.store.outbox.deliveries(id, { limit: 10, before: null, state: null });
  const silent = await register();
  await call('DELETE', `${WEBHOOKS}/${silent.id}?walletAddress=${silent.walletAddress}`);
  assert.deepEqual(
    (await deliveriesOf(silent.id)).map(({ type }) => type),
    ['ping'],
    'registering and deleting posts to no receiver',
  );
  const { id, walletAddress } = await register();
  await respondToPing({ store: running.app.ctx.store, clock: running.clock }, id, 3_600_000);
  await call('DELETE', `${WEBHOOKS}/${id}?walletAddress=${walletAddress}`);
  const log = (await deliveriesOf(id)).filter(({ type }) => type !== 'ping');
  assert.deepEqual(
    log.map(({ type }) => type),
    ['registration_deleted'],
  );
  const data = JSON.parse(log[0]!.data);
  assert.equal(data.walletAddress, walletAddress);
  assert.equal(typeof data.epoch, 'number');
  assert.equal(Date.parse(data.restorableUntil) - Date.parse(data.deletedAt), 30 * 86_400_000);
});

test('a client network can have 20 webhooks per wallet and 100 in total, and a deleted webhook counts until 24 hours after it was registered', async () => {
  const from = network();
  const { walletAddress } = newWallet();
  const outcomes = await Promise.all(
    Array.from({ length: 25 }, () => call('POST', WEBHOOKS, { body: registration({ walletAddress }), from })),
  );
  const made = outcomes.filter(({ status }) => status === 200);
  assert.equal(made.length, 20);
  for (const { body } of outcomes.filter(({ status }) => status !== 200))
    assert.deepEqual([body.error, body.errorCode], ['Webhook limit reached', 'WEBHOOK_LIMIT']);
  assert.ok(outcomes.every(({ status }) => status === 200 || status === 409));
  await register({ walletAddress }, { from: network() });
  await call('DELETE', `${WEBHOOKS}/${made[0]!.body.id}`, { body: { walletAddress } });
  const full = await facts('POST', WEBHOOKS, { body: registration({ walletAddress }), from });
  assert.equal(full[0], 409, 'registering and deleting in a loop still reaches the limit');
  running.clock.advance(86_400_000);
  await register({ walletAddress }, { from });
  for (let count = 20; count < 100; count += 1) await register({}, { from });
  const [status, , code, message] = await facts('POST', WEBHOOKS, { body: registration(), from });
  assert.deepEqual([status, code], [409, 'WEBHOOK_LIMIT']);
  assert.match(String(message), /100 webhooks/);
});

test('addresses of one IPv6 network count as one client', async () => {
  const { walletAddress } = newWallet();
  for (let count = 0; count < 20; count += 1)
    await register({ walletAddress }, { from: `2001:db8:0:7::${count + 1}` });
  const [status] = await facts('POST', WEBHOOKS, {
    body: registration({ walletAddress }),
    from: '2001:db8:0:7:ffff::1',
  });
  assert.equal(status, 409);
  await register({ walletAddress }, { from: '2001:db8:0:8::1' });
});

test('a repeated request with a guessable idempotency key returns the registration only to the same client, and its secret only once', async () => {
  const body = registration();
  const again = { body, idempotencyKey: 'order-1', from: network() };
  const responses = await Promise.all([1, 2, 3].map(() => call('POST', WEBHOOKS, again)));
  const first = responses.find(({ body: { secret } }) => secret !== undefined);
  assert.ok(first);
  for (const response of responses) {
    assert.equal(response.status, 200);
    const { secret, message, messageSentences: _, _meta, ...shown } = response.body;
    assert.equal(
      secret,
      response === first ? first.body.secret : undefined,
      'a client of the same network may have sent it',
    );
    assert.deepEqual(shown, Object.fromEntries(Object.keys(shown).map((name) => [name, first.body[name]])));
  }
  assert.equal((await call('GET', `${WEBHOOKS}/${body.walletAddress}`, { from: again.from })).body.count, 1);
  const elsewhere = await call('POST', WEBHOOKS, { ...again, from: network() });
  assert.notEqual(elsewhere.body.id, first.body.id);
  assert.notEqual(elsewhere.body.secret, first.body.secret);
  const other = { ...again, body: { ...body, events: ['epoch_complete'] } };
  assert.deepEqual((await facts('POST', WEBHOOKS, other)).slice(0, 3), [
    422,
    'Idempotency key reused',
    'IDEMPOTENCY_KEY_REUSED',
  ]);
  await call('DELETE', `${WEBHOOKS}/${first.body.id}`, { body: { walletAddress: body.walletAddress } });
  assert.equal((await call('POST', WEBHOOKS, again)).status, 422);
});

test('an idempotency key is valid for 24 hours, and a random one returns the secret for ten minutes unless it was rotated', async () => {
  const old = { body: registration(), idempotencyKey: randomUUID(), from: network() };
  const { body: first } = await call('POST', WEBHOOKS, old);
  running.clock.advance(600_000 - 60_000);
  assert.equal((await call('POST', WEBHOOKS, old)).body.secret, first.secret);
  running.clock.advance(60_000);
  const { body: later } = await call('POST', WEBHOOKS, old);
  assert.deepEqual([later.id, 'secret' in later], [first.id, false]);
  running.clock.advance(86_400_000 - 660_000);
  assert.equal((await call('POST', WEBHOOKS, old)).body.id, first.id);
  running.clock.advance(60_000);
  assert.equal((await call('POST', WEBHOOKS, old)).status, 422);
  const rotated = { body: registration(), idempotencyKey: randomUUID(), from: network() };
  const { body: second } = await call('POST', WEBHOOKS, rotated);
  await call('POST', `${WEBHOOKS}/${second.id}/rotate-secret`, { secret: second.secret });
  assert.equal((await call('POST', WEBHOOKS, rotated)).status, 422);
});

test('no page of another origin may register, list or delete', async () => {
  for (const [method, path] of [
    ['POST', WEBHOOKS],
    ['GET', `${WEBHOOKS}/${newWallet().walletAddress}`],
    ['DELETE', `${WEBHOOKS}/x`],
  ] as const) {
    const response = await fetch(running.app.url + path, {
      method,
      headers: { origin: 'https://elsewhere.example', 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: '{}' }),
    });
    assert.equal(response.status, 403);
    assert.equal(response.headers.get('access-control-allow-origin'), null);
  }
});

test('without the store, every call returns 503, and calls work again once the store is available', async (t) => {
  const database = await createTestDatabase();
  if (typeof database === 'string') return t.skip(database);
  t.after(() => database.drop());
  const proxy = await startTcpProxy(t, 5432);
  const databaseUrl = Object.assign(new URL(database.url), { port: String(proxy.port) }).href;
  const lost = await startTestApp(t, { databaseUrl });
  const { call: ask, register: registerThere } = webhookCalls(() => lost.app.url);
  const body = await registerThere();
  proxy.cut();
  for (const [method, path, parts] of [
    ['POST', WEBHOOKS, { body: registration() }],
    ['GET', `${WEBHOOKS}/${body.walletAddress}`, {}],
    ['DELETE', `${WEBHOOKS}/${body.id}?walletAddress=${body.walletAddress}`, {}],
    ['GET', `${WEBHOOKS}/${body.id}/deliveries`, { secret: body.secret }],
    ['POST', `${WEBHOOKS}/${body.id}/ping`, { secret: body.secret }],
    ['POST', `${WEBHOOKS}/${body.id}/restore`, { secret: body.secret }],
  ] as const) {
    const { status, body: response } = await ask(method, path, parts);
    assert.deepEqual([status, response.errorCode], [503, 'STORE_UNAVAILABLE'], `${method} ${path}`);
  }
  proxy.mend();
  assert.equal((await ask('GET', `${WEBHOOKS}/${body.walletAddress}`)).body.count, 1);
});
