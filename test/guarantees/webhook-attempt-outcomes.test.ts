// WH-4: a receiver's behavior determines exactly the outcome, the next attempt and how much of the response is
// recorded.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { AttemptOutcome } from '../../src/store/outbox/outbox.ts';
import { deliveryWorld } from '../support/delivery-fixture.ts';
import { DEAD_ORIGIN } from '../support/free-port.ts';
import { startReceiver } from '../support/receiver.ts';
import { selfSigned } from '../support/self-signed-certificate.ts';
import { createManualClock } from '../support/steerable-clock.ts';

const GIB = 1_073_741_824;
const CHANCE = 0.25;
/** The first delay: five seconds minus the maximum jitter of ten percent. */
const FIRST_DELAY_MS = 4_500;

interface Expected {
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly answerBytes: number;
  /** Delay of the next attempt, or the final state. */
  readonly next: number | 'delivered' | 'dead';
  readonly disabled?: 'gone';
}

interface Case extends Expected {
  readonly respond: (response: ServerResponse, nowMs: number) => void;
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = '') =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end(body);

const accepted = (code: number, answerBytes = 0): Expected => ({
  outcome: 'delivered',
  status: code,
  answerBytes,
  next: 'delivered',
});
const refused = (code: number, delayMs = FIRST_DELAY_MS, answerBytes = 0): Expected => ({
  outcome: 'refused-status',
  status: code,
  answerBytes,
  next: delayMs,
});
const redirect = (code: number): Expected => ({ ...refused(code), outcome: 'redirect' });
const failed = (outcome: AttemptOutcome): Expected => ({
  outcome,
  status: null,
  answerBytes: 0,
  next: FIRST_DELAY_MS,
});

let writtenOfGib = 0;

/** Sends a gibibyte, as long as the client keeps reading. */
const gibibyte =
  (code: number) =>
  (response: ServerResponse): void => {
    const chunk = Buffer.alloc(65_536);
    response.writeHead(code, { 'content-length': GIB });
    writtenOfGib = 0;
    const write = (): void => {
      while (writtenOfGib < GIB && !response.destroyed) {
        writtenOfGib += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  };

const cases: Readonly<Record<string, Case>> = {
  '200': { ...accepted(200, 2), respond: status(200, {}, 'ok') },
  '204': { ...accepted(204), respond: status(204) },
  '299': { ...accepted(299), respond: status(299) },
  '103-200': {
    ...accepted(200),
    respond: (response) => {
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      response.writeHead(200).end();
    },
  },
  'brotli-200': { ...accepted(200, 5), respond: status(200, { 'content-encoding': 'br' }, 'xxxxx') },
  '65535': { ...accepted(200, 65_535), respond: status(200, {}, 'x'.repeat(65_535)) },
  '65537': { ...accepted(200, 65_536), respond: status(200, {}, 'x'.repeat(65_537)) },
  'gibibyte-200': { ...accepted(200, 65_536), respond: gibibyte(200) },
  'gibibyte-500': { ...refused(500, FIRST_DELAY_MS, 65_536), respond: gibibyte(500) },
  '301': { ...redirect(301), respond: status(301, { location: '/200' }) },
  '304': { ...redirect(304), respond: status(304) },
  '307': { ...redirect(307), respond: status(307, { location: '/200' }) },
  '400': { ...refused(400, FIRST_DELAY_MS, 3), respond: status(400, {}, 'bad') },
  '404': { ...refused(404), respond: status(404) },
  '410': {
    outcome: 'gone',
    status: 410,
    answerBytes: 0,
    next: 'dead',
    disabled: 'gone',
    respond: status(410),
  },
  '429': { ...refused(429), respond: status(429) },
  '429-120': { ...refused(429, 120_000), respond: status(429, { 'retry-after': '120' }) },
  '429-1': { ...refused(429), respond: status(429, { 'retry-after': '1' }) },
  '429-date': {
    ...refused(429, 90_000),
    respond: (response, nowMs) =>
      void response.writeHead(429, { 'retry-after': new Date(nowMs + 90_000).toUTCString() }).end(),
  },
  '429-nonsense': { ...refused(429), respond: status(429, { 'retry-after': 'later' }) },
  '429-month': { ...refused(429, 86_400_000), respond: status(429, { 'retry-after': '2592000' }) },
  '503-600': { ...refused(503, 600_000), respond: status(503, { 'retry-after': '600' }) },
  '500': { ...refused(500), respond: status(500) },
  '500-600': { ...refused(500), respond: status(500, { 'retry-after': '600' }) },
  '599': { ...refused(599), respond: status(599) },
  reset: { ...failed('connection-failed'), respond: (response) => void response.destroy() },
  'cut-200': {
    ...failed('connection-failed'),
    status: 200,
    answerBytes: 4,
    respond: (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('some', () => response.destroy());
    },
  },
  'cut-503': {
    ...refused(503, 60_000, 4),
    respond: (response) => {
      response.writeHead(503, { 'content-length': '100', 'retry-after': '60' });
      response.write('some', () => response.destroy());
    },
  },
};

/** Starts a server that does not respond with HTTP. */
const startNonsense = async (t: TestContext): Promise<string> => {
  const server = createServer(
    (socket) =>
      void socket
        .on('error', () => undefined)
        .resume()
        .end('220 smtp ready\r\n'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

/** Creates a clock at a whole second, the finest resolution of an HTTP date. */
const clockNow = () => createManualClock(Math.floor(Date.now() / 1_000) * 1_000);

type World = Awaited<ReturnType<typeof deliveryWorld>>;

const seen = async (world: World, nowMs: number, registrationId: string, eventId: string) => {
  const { state, nextAttemptAtMs, attemptLog } = await world.poll(registrationId, eventId);
  const registration = await world.store.webhooks.find(registrationId);
  assert.equal(attemptLog.length, 1);
  const { outcome, status: code, answerBytes } = attemptLog[0]!;
  return {
    outcome,
    status: code,
    answerBytes,
    next: state === 'pending' ? nextAttemptAtMs! - nowMs : state,
    ...(registration?.disabledReason ? { disabled: registration.disabledReason } : {}),
  };
};

test('WH-4 every kind of response leads to the expected outcome, next attempt and number of recorded bytes', async (t) => {
  const clock = clockNow();
  const ours = selfSigned(['127.0.0.1', 'right.loopback.example']);
  const world = await deliveryWorld(t, { clock, ca: ours.cert });
  world.start({ random: () => CHANCE });
  const receiver = await startReceiver(t, ({ path }, response) =>
    cases[path.slice(1)]!.respond(response, clock.now()),
  );
  const trusted = await startReceiver(t, undefined, ours);
  const untrusted = await startReceiver(t, undefined, selfSigned(['127.0.0.1']));
  const elsewhere: Readonly<Record<string, readonly [url: string, expected: Expected]>> = {
    'a trusted certificate': [`${trusted.url}/`, accepted(204)],
    'a self-signed certificate': [`${untrusted.url}/`, failed('tls-failed')],
    'a certificate for another name': [
      `https://wrong.loopback.example:${trusted.port}/`,
      failed('tls-failed'),
    ],
    'plain http behind https': [`https://127.0.0.1:${receiver.port}/`, failed('tls-failed')],
    'no HTTP': [await startNonsense(t), failed('connection-failed')],
    'no server listens': [`${DEAD_ORIGIN}/`, failed('connection-failed')],
    'an unknown name': ['https://nobody.example/', failed('name-not-found')],
    'a private address': ['https://10.0.0.1/', failed('target-not-allowed')],
    'a name with a private address': ['https://a.private.example/', failed('target-not-allowed')],
  };
  const expectations = [
    ...Object.entries(cases).map(
      ([name, { respond: _, ...expected }]) => [name, `${receiver.url}/${name}`, expected] as const,
    ),
    ...Object.entries(elsewhere).map(([name, [url, expected]]) => [name, url, expected] as const),
  ];
  const emitted: { name: string; id: string; event: string; expected: Expected }[] = [];
  for (const [name, url, expected] of expectations) {
    const id = await world.register(url);
    emitted.push({ name, id, event: await world.tell(id), expected });
  }
  await world.settledCount(emitted.length);
  const actual: Record<string, unknown> = {};
  for (const { name, id, event } of emitted) actual[name] = await seen(world, clock.now(), id, event);
  assert.deepEqual(actual, Object.fromEntries(emitted.map(({ name, expected }) => [name, expected])));
  assert.ok(writtenOfGib < GIB / 16, `${writtenOfGib} bytes of a gibibyte were read`);
  assert.equal(receiver.received.length, Object.keys(cases).length, 'no redirect was followed');
});

/** Resolves when undici has read `bytes` of a response's body. */
const answerBytesSeen = (t: TestContext, bytes: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let seenBytes = 0;
  const count = (message: unknown): void => {
    seenBytes += (message as { chunk: Buffer }).chunk.length;
    if (seenBytes >= bytes) setImmediate(resolve);
  };
  subscribe('undici:request:bodyChunkReceived', count);
  t.after(() => void unsubscribe('undici:request:bodyChunkReceived', count));
  return promise;
};

test('WH-4 a silent or slow receiver gets 15 seconds in total', async (t) => {
  const clock = clockNow();
  const world = await deliveryWorld(t, { clock });
  world.start({ random: () => CHANCE });
  const silent = await startReceiver(t, () => undefined);
  const dripping = await startReceiver(t, (_request, response) => {
    response.writeHead(200).write('0123456789');
  });
  const refusing = await startReceiver(t, (_request, response) => {
    response.writeHead(500).write('0123456789');
  });
  const dripped = answerBytesSeen(t, 20);
  const emitted = [];
  for (const { url } of [silent, dripping, refusing]) {
    const id = await world.register(url);
    emitted.push({ id, event: await world.tell(id) });
  }
  await Promise.all([silent.got(1), dripping.got(1), refusing.got(1), dripped]);
  clock.advance(14_999);
  assert.equal(world.settled.length, 0);
  clock.advance(1);
  await world.settledCount(3);
  const actual = [];
  for (const { id, event } of emitted) actual.push(await seen(world, clock.now(), id, event));
  assert.deepEqual(actual, [
    failed('timeout'),
    { ...failed('answer-too-slow'), status: 200, answerBytes: 10 },
    refused(500, FIRST_DELAY_MS, 10),
  ]);
  assert.deepEqual(
    world.settled.map(({ attempt }) => attempt.durationMs),
    [15_000, 15_000, 15_000],
  );
});

test('WH-4 a receiver that never accepts gets exactly ten attempts over three days', async (t) => {
  const clock = clockNow();
  const world = await deliveryWorld(t, { clock });
  const startedAtMs = clock.now();
  world.start();
  const receiver = await startReceiver(t, (_request, response) => void response.writeHead(500).end());
  const id = await world.register(receiver.url);
  const event = await world.tell(id);
  const attemptedAfterMs: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await world.settledCount(attempt);
    attemptedAfterMs.push(clock.now() - startedAtMs);
    const { nextAttemptAtMs } = await world.poll(id, event);
    if (nextAttemptAtMs === null) break;
    // Nothing happens until one millisecond before the attempt is due.
    clock.advance(nextAttemptAtMs - clock.now() - 1);
    await clock.sleeping();
    assert.equal(receiver.received.length, attempt);
    clock.advance(1);
  }
  const hour = 3_600_000;
  const delays = [5_000, 300_000, 1_800_000, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
  assert.deepEqual(
    attemptedAfterMs.slice(1).map((at, index) => at - attemptedAfterMs[index]!),
    delays,
  );
  const { state, attempts, attemptLog } = await world.poll(id, event);
  assert.deepEqual([state, attempts], ['dead', 10]);
  assert.deepEqual(
    attemptLog.map(({ number }) => number).toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  assert.deepEqual(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])), new Set([event]));
});
