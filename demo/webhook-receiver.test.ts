// Tests that the demo's receiver trusts only deliveries that the official library verifies, returns every event
// once, and ignores other deliveries.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startWebhookReceiver } from './webhook-receiver.ts';

const secretOf = (tag: number): string => `whsec_${Buffer.alloc(32, tag).toString('base64')}`;
const [ours, theirs] = [secretOf(1), secretOf(2)];

const receiver = async (t: TestContext) => {
  const started = await startWebhookReceiver();
  t.after(started.close);
  return started;
};

interface Sent {
  readonly secret?: string;
  readonly type?: string;
  readonly at?: Date;
  readonly method?: string;
  readonly data?: object;
  /** Changes the body after it was signed. */
  readonly forge?: (body: string) => string;
}

/** Delivers an event as a service would and returns the status. */
const deliver = async (url: string, id: string, sent: Sent = {}): Promise<number> => {
  const { secret = ours, type = 'ping', at = new Date(), method = 'POST', data = {}, forge = String } = sent;
  const body = JSON.stringify({ id, type, timestamp: at.toISOString(), data });
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  const response = await fetch(url, { method, headers, body: forge(body) });
  await response.arrayBuffer();
  return response.status;
};

test('events are returned in the order of delivery, to callers that wait already or call later', async (t) => {
  const { url, next } = await receiver(t);
  const waited = next(ours);
  assert.equal(await deliver(url, 'one'), 204);
  assert.equal((await waited).id, 'one');
  for (const id of ['two', 'three']) await deliver(url, id);
  assert.deepEqual([(await next(ours)).id, (await next(ours)).id], ['two', 'three']);
});

test('each caller waits for its own event, and events with other secrets or types are kept for other callers', async (t) => {
  const { url, next } = await receiver(t);
  const wanted = next(ours, ({ type }) => type === 'withdraw_ready');
  const other = next(theirs);
  await deliver(url, 'early', { type: 'ping' });
  await deliver(url, 'outsider', { secret: theirs, type: 'withdraw_ready' });
  await deliver(url, 'late', { type: 'withdraw_ready' });
  assert.deepEqual(
    [(await wanted).id, (await other).id, (await next(ours)).id],
    ['late', 'outsider', 'early'],
  );
});

test('a repeated delivery is returned once, even if it is repeated before anyone requested it', async (t) => {
  const { url, next } = await receiver(t);
  await deliver(url, 'again');
  await deliver(url, 'again');
  assert.equal((await next(ours)).id, 'again');
  await deliver(url, 'again');
  await deliver(url, 'other');
  assert.equal((await next(ours)).id, 'other');
});

test('an unauthenticated delivery is not trusted, and does not block the real delivery with the same id', async (t) => {
  const { url, next } = await receiver(t);
  const now = Date.now();
  for (const sent of [
    { secret: theirs },
    { forge: (body: string) => body.replace('ping', 'pong') },
    { at: new Date(now - 3_600_000) },
    { at: new Date(now + 3_600_000) },
    { method: 'PUT' },
  ])
    assert.equal(await deliver(url, 'true', { ...sent, type: 'ping' }), 204, JSON.stringify(sent));
  const unsigned = await fetch(url, { method: 'POST', body: '{}' });
  assert.equal(unsigned.status, 204);
  const waited = next(ours);
  await deliver(url, 'true', { type: 'withdraw_ready' });
  assert.equal((await waited).type, 'withdraw_ready');
});

test('a body that is too long is not read to the end, and the next delivery is still received', async (t) => {
  const { url, next } = await receiver(t);
  const data = { long: 'x'.repeat(70_000) };
  assert.notEqual(await deliver(url, 'long', { data }).catch(() => 'cut off'), 204);
  await deliver(url, 'after');
  assert.equal((await next(ours)).id, 'after');
});

test('a caller whose event does not arrive gets an error after two minutes and consumes no later event', async (t) => {
  const { url, next } = await receiver(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let refusal = '';
  next(ours).catch((error: Error) => {
    refusal = error.message;
  });
  for (const [ms, words] of [
    [119_999, ''],
    [1, 'no matching webhook was delivered within 120 s'],
  ] as const) {
    t.mock.timers.tick(ms);
    await new Promise(setImmediate);
    assert.equal(refusal, words);
  }
  t.mock.timers.reset();
  await deliver(url, 'late');
  assert.equal((await next(ours)).id, 'late');
});
