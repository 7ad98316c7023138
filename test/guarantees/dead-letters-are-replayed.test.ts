// WH-7: dead letters are listed with their attempts, replayed under their own ids through the routes of a
// running service, and kept for 30 days.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { RETRY_DELAYS_MS } from '../../src/events/delivery/retry-schedule.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { createRunningClock } from '../support/steerable-clock.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEBHOOKS = '/api/v1/webhooks';
const EPOCHS = process.env.HOLDFAST_TEST_FULL === '1' ? 20 : 4;
const ATTEMPTS = RETRY_DELAYS_MS.length + 1;

const cleanUps: (() => unknown)[] = [];
let running: TestApp;
before(async () => {
  running = await startTestApp(
    { after: (cleanUp) => void cleanUps.push(cleanUp) },
    { clock: createRunningClock(), settings: { HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } },
  );
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const { call, register } = webhookCalls(() => running.app.url);

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly state: string;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly settledAt: string | null;
  readonly attemptLog: readonly {
    readonly number: number;
    readonly status: number;
    readonly outcome: string;
  }[];
}
// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Registered = any;

const list = async ({ id, secret }: Registered, query = ''): Promise<readonly Listed[]> => {
  const { status, body } = await call('GET', `${WEBHOOKS}/${id}/deliveries?limit=100${query}`, { secret });
  assert.equal(status, 200, JSON.stringify(body));
  return body.deliveries.toReversed();
};

/** Lists all deliveries except the ping sent after registration. */
const listFacts = async (webhook: Registered, query = ''): Promise<readonly Listed[]> =>
  (await list(webhook, query)).filter(({ type }) => type !== 'ping');

/** Registers a receiver that accepts the ping, which is not counted as a received delivery. */
const registerAnswered = async (receiver: Receiver, events: readonly string[]): Promise<Registered> => {
  const webhook = await register({ callbackUrl: receiver.url, events });
  await listedWhen(webhook, ([ping]) => ping?.state === 'delivered', list);
  (receiver.received as Received[]).length = 0;
  return webhook;
};

/** Polls until `isSo` returns true. If it never does, the test's time limit applies. */
const listedWhen = async (
  webhook: Registered,
  isSo: (deliveries: readonly Listed[]) => boolean,
  listed = listFacts,
): Promise<readonly Listed[]> => {
  for (;;) {
    const deliveries = await listed(webhook);
    if (isSo(deliveries)) return deliveries;
    await systemClock.sleep(5);
  }
};

const replay = async ({ id, secret }: Registered, which: object): Promise<number> => {
  const { status, body } = await call('POST', `${WEBHOOKS}/${id}/replay`, { secret, body: which });
  assert.equal(status, 200, JSON.stringify(body));
  return body.replayed;
};

const attemptsOf = (deliveries: readonly Listed[]): number =>
  deliveries.reduce((sum, { attemptLog }) => sum + attemptLog.length, 0);

/** Advances the clock from one attempt to the next until no delivery is due. */
const exhaust = async (webhook: Registered, receiver: Receiver): Promise<readonly Listed[]> => {
  const { clock } = running;
  for (;;) {
    const deliveries = await listedWhen(webhook, (all) => attemptsOf(all) === receiver.received.length);
    const due = deliveries.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).map((at) => Date.parse(at));
    if (due.length === 0) return deliveries;
    // A failure pauses the receiver's due deliveries for one second.
    clock.advance(Math.max(Math.min(...due) - clock.now(), 1_000));
    await receiver.got(receiver.received.length + 1);
  }
};

const idsOf = (received: readonly Received[]): readonly unknown[] =>
  received.map(({ headers }) => headers['webhook-id']).toSorted();

test('WH-7 deliveries that fail through the whole schedule are listed, replayable under the same id, and kept for 30 days', async (t) => {
  const { clock, sandbox } = running;
  let answer = 204;
  const receiver = await startReceiver(t, (_request, response) => void response.writeHead(answer).end());
  const webhook = await registerAnswered(receiver, ['epoch_complete']);
  answer = 503;
  await sandbox.advanceEpochs(EPOCHS);
  await listedWhen(webhook, ({ length }) => length === EPOCHS);

  const dead = await exhaust(webhook, receiver);
  assert.equal(receiver.received.length, EPOCHS * ATTEMPTS);
  for (const { state, attempts, settledAt, attemptLog } of dead) {
    assert.deepEqual([state, attempts, typeof settledAt], ['dead', ATTEMPTS, 'string']);
    assert.deepEqual(
      attemptLog.map(({ number, status, outcome }) => [number, status, outcome]),
      Array.from({ length: ATTEMPTS }, (_, i) => [i + 1, 503, 'refused-status']),
    );
  }
  assert.deepEqual(await listFacts(webhook, '&state=dead'), dead);
  assert.deepEqual(await listFacts(webhook, '&state=pending'), []);
  const refusedBodies = new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]));

  /** Replays deliveries and waits for the results. */
  const replayed = async (which: object): Promise<readonly Received[]> => {
    const before = receiver.received.length;
    const count = await replay(webhook, which);
    // The receiver was paused for one second after the failure.
    clock.advance(1_000);
    await receiver.got(before + count);
    await listedWhen(webhook, (all) => attemptsOf(all) === before + count);
    const came = receiver.received.slice(before);
    assert.equal(came.length, count);
    return came;
  };

  answer = 204;
  const [first, second, third, last] = dead as [Listed, Listed, Listed, Listed];
  assert.deepEqual(idsOf(await replayed({ eventId: first.id })), [first.id]);
  const revived = (await listFacts(webhook))[0]!;
  assert.deepEqual([revived.state, revived.attempts], ['delivered', 1]);
  assert.deepEqual(
    revived.attemptLog.map(({ number }) => number),
    [...dead[0]!.attemptLog.map(({ number }) => number), ATTEMPTS + 1],
  );
  // `from` is inclusive and `to` is exclusive. A delivery that has since succeeded is no longer a dead
  // letter.
  assert.deepEqual(idsOf(await replayed({ from: first.timestamp, to: third.timestamp })), [second.id]);
  assert.deepEqual(await replayed({ from: first.timestamp, to: third.timestamp }), []);
  assert.deepEqual(
    idsOf(await replayed({ from: first.timestamp, to: third.timestamp, states: ['delivered'] })),
    [first.id, second.id].toSorted(),
  );
  assert.deepEqual(idsOf(await replayed({ from: third.timestamp, to: last.timestamp })), [third.id]);
  for (const { headers, body } of receiver.received.slice(EPOCHS * ATTEMPTS)) {
    assert.equal(body, refusedBodies.get(headers['webhook-id']));
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    // The official library uses the machine's clock, which is behind this one. The test therefore recomputes
    // the signature.
    const signature = new Webhook(webhook.secret).sign(String(headers['webhook-id']), at, body);
    assert.equal(headers['webhook-signature'], signature);
  }

  const settled = await listFacts(webhook);
  const deadAtMs = Date.parse(last.settledAt!);
  assert.equal(settled.length, EPOCHS);
  assert.deepEqual(settled.slice(3), dead.slice(3));
  // Pruning runs hourly.
  clock.advance(deadAtMs + 30 * DAY_MS - 2 * HOUR_MS - clock.now());
  assert.deepEqual(await listFacts(webhook), settled);
  // The previous pruning may still be running and would then sleep for another hour.
  await listedWhen(webhook, ({ length }) => {
    clock.advance(4 * HOUR_MS);
    return length === 0;
  });
  assert.equal(await replay(webhook, { eventId: last.id }), 0);
  assert.equal(await replay(webhook, { from: first.timestamp, states: ['dead', 'delivered'] }), 0);
});

test('WH-7 a registration cannot replay another registration’s deliveries, and a replay requires its secret', async (t) => {
  const receiver = await startReceiver(t, (_request, response) => void response.writeHead(410).end());
  const [gone, other] = [await register({ callbackUrl: receiver.url }), await register()];
  await call('POST', `${WEBHOOKS}/${gone.id}/ping`, { secret: gone.secret });
  const [ping] = await listedWhen(gone, (all) => all.some(({ state }) => state === 'dead'), list);
  const before = receiver.received.length;
  const responses = [
    await call('POST', `${WEBHOOKS}/${gone.id}/replay`, { body: { eventId: ping!.id } }),
    await call('POST', `${WEBHOOKS}/${gone.id}/replay`, {
      body: { eventId: ping!.id },
      secret: other.secret,
    }),
    await call('POST', `${WEBHOOKS}/${gone.id}/replay`, { body: { eventId: ping!.id }, secret: gone.secret }),
  ];
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.errorCode]),
    [
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [409, 'WEBHOOK_DISABLED'],
    ],
  );
  assert.equal(await replay(other, { eventId: ping!.id }), 0);
  assert.equal(receiver.received.length, before);
});
