// Tests one call over a real connection: its time limit, its idempotency key, its result if the response is cut
// off, and its cleanup.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { json, type ScriptedResponse, startScriptedService } from '../test/client/scripted-service.ts';
import { createManualClock } from '../test/support/steerable-clock.ts';
import { isHoldfastError } from './holdfast-error.ts';
import type { CallOptions, OperationFacts } from './operation-facts.ts';
import { type CallDependencies, sendCall } from './send-call.ts';

const reading: OperationFacts = { method: 'GET', path: '/secret-path', effect: 'read', query: [], body: [] };
const acting: OperationFacts = {
  ...reading,
  method: 'POST',
  effect: 'act',
  idempotency: 'made',
  body: ['a'],
};

/** Starts a service with these responses, and a client whose clock advances only on request. */
const start = async (
  t: TestContext,
  responses: readonly ScriptedResponse[],
  more: Partial<CallDependencies> = {},
) => {
  const service = await startScriptedService(t, responses);
  const clock = createManualClock();
  const made: string[] = [];
  const calling: CallDependencies = {
    baseUrl: service.url,
    fetch,
    clock,
    random: () => 0,
    timeoutMs: undefined,
    retries: 0,
    source: 'client',
    newIdempotencyKey: (operation) => {
      made.push(operation);
      return `made-${made.length}`;
    },
    ...more,
  };
  const send = (facts: OperationFacts, options: CallOptions = {}, input: Record<string, unknown> = {}) =>
    sendCall(calling, { operation: 'op', facts, input, options });
  return { service, clock, send, made };
};

test('the time limit of a call takes precedence over the client’s, and the client’s over the operation’s', async (t) => {
  for (const [facts, client, own, due] of [
    [reading, undefined, undefined, 30_000],
    [{ ...reading, effect: 'build' }, undefined, undefined, 30_000],
    [acting, undefined, undefined, 180_000],
    [acting, 7000, undefined, 7000],
    [reading, 7000, 5000, 5000],
    [reading, 7000, 1, 1],
  ] as const) {
    const { service, clock, send } = await start(t, ['hang'], { timeoutMs: client });
    const late = assert.rejects(send(facts, { timeoutMs: own }), {
      errorCode: 'TIMEOUT',
      message: `${service.url} did not respond within ${due === 1 ? '1 ms' : `${due / 1_000} s`}.`,
    });
    await service.arrived(1);
    assert.deepEqual(clock.due(), [due]);
    clock.advance(due);
    await late;
  }
});

test('a caller is notified once per attempt that the service has not responded, and a hanging call is repeated once, so its error states the time of both attempts', async (t) => {
  const told: unknown[] = [];
  const { service, clock, send } = await start(t, ['hang'], {
    retries: 3,
    onSlow: (...slow) => told.push(slow),
  });
  const late = assert.rejects(send(reading), {
    errorCode: 'TIMEOUT',
    message: `${service.url} did not respond within 60 s.`,
  });
  for (const attempt of [1, 2]) {
    await service.arrived(attempt);
    clock.advance(4_000);
    await turn();
    assert.deepEqual(told, Array(attempt).fill(['op', 26_000]));
    clock.advance(26_000);
    if (attempt === 2) break;
    await turn();
    await clock.sleeping();
    clock.advance(150);
  }
  await late;
  assert.equal(service.seen.length, 2);
});

test('an agent learns within 20 seconds that the service does not respond', async (t) => {
  const { service, clock, send } = await start(t, ['hang'], { retries: 3, source: 'mcp-stdio' });
  const late = assert.rejects(send(reading), {
    errorCode: 'TIMEOUT',
    message: `${service.url} did not respond within 20 s.`,
  });
  await service.arrived(1);
  clock.advance(20_000);
  await late;
  assert.equal(service.seen.length, 1);
});

test('the error for a missing response says that the call may have taken effect, unless it was a read, and names only a key that was sent', async (t) => {
  for (const [facts, key, advice] of [
    [acting, 'k', 'It may have taken effect. Repeat it with the same idempotency key.'],
    [{ ...acting, idempotency: 'own' }, undefined, 'It may have taken effect. Repeat it unchanged.'],
    [
      { ...reading, method: 'DELETE', effect: 'build' },
      undefined,
      'It may have taken effect. Check that before you repeat it.',
    ],
    [reading, 'k', undefined],
    [{ ...acting, effect: 'build' }, 'k', undefined],
  ] as const) {
    // The body is shorter than announced: the connection closes early.
    const { send, clock } = await start(t, [
      { status: 200, headers: { 'content-length': '100', connection: 'close' }, body: '{"a":' },
    ]);
    await assert.rejects(send(facts, { idempotencyKey: key }), (error) => {
      assert.ok(isHoldfastError(error, 'NETWORK'));
      assert.deepEqual([error.suggestedAction, error.idempotencyKey], [advice, key]);
      assert.ok(!error.message.includes('secret-path'));
      return true;
    });
    assert.deepEqual(clock.due(), [], 'no time-limit timer is left running');
  }
});

test('on a page of another origin, the error for a missing response names CORS as a possible cause', async (t) => {
  const { send, service } = await start(t, [
    { status: 200, headers: { 'content-length': '100', connection: 'close' }, body: '{"a":' },
  ]);
  t.after(() => Reflect.deleteProperty(globalThis, 'location'));
  for (const [origin, isNamed] of [
    ['https://app.example', true],
    [service.url, false],
  ] as const) {
    Object.assign(globalThis, { location: { origin } });
    await assert.rejects(send(acting), ({ message }: Error) => message.includes('CORS') === isNamed);
  }
});

test('the idempotency key comes from the call’s options, then from the input, and is otherwise generated; a read has none', async (t) => {
  const { send, service, made } = await start(t, [json(200, {})]);
  const keys = [
    await send(acting, { idempotencyKey: 'own' }, { idempotencyKey: 'member' }),
    await send(acting, {}, { idempotencyKey: 'member' }),
    await send(acting, {}, { idempotencyKey: 7 }),
    await send(acting),
    await send(reading),
    await send({ ...acting, idempotency: 'own' }),
  ].map(({ idempotencyKey }) => idempotencyKey);
  assert.deepEqual(keys, ['own', 'member', 'made-1', 'made-2', undefined, undefined]);
  assert.deepEqual(
    service.seen.map(({ headers }) => headers['idempotency-key']),
    keys,
  );
  assert.deepEqual(made, ['op', 'op']);
});

test('a Retry-After date is compared with the client’s current time', async (t) => {
  const busy = (seconds: number): ScriptedResponse =>
    json(
      503,
      { errorCode: 'UPSTREAM_UNAVAILABLE' },
      { 'retry-after': new Date(1_800_000_000_000 + seconds * 1000).toUTCString() },
    );
  // The second date is 15 s after the end of the first wait.
  const { send, clock, service } = await start(t, [busy(10), busy(25), json(200, { fine: true })], {
    retries: 2,
  });
  const call = send(reading);
  for (const [attempt, wait] of [
    [1, 10_000],
    [2, 15_000],
  ] as const) {
    await service.arrived(attempt);
    // Until then, the clock's only timer is the attempt's time limit.
    while (clock.due()[0] !== wait) await new Promise(setImmediate);
    clock.advance(wait);
  }
  assert.deepEqual((await call).body, { fine: true });
  assert.deepEqual(clock.due(), []);
});

test('a finished call leaves no listener on a long-lived signal', async (t) => {
  const { send } = await start(t, [json(200, {}), 'drop', json(404, { errorCode: 'NOT_FOUND' })]);
  const { signal } = new AbortController();
  await send(reading, { signal });
  for (let failing = 0; failing < 2; failing += 1) await assert.rejects(send(reading, { signal }));
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a call aborted while it waits for a retry reports the abort and its key', async (t) => {
  const { send, clock, service } = await start(t, ['drop'], { retries: 3 });
  const stop = new AbortController();
  const ended = assert.rejects(send(acting, { signal: stop.signal }), {
    errorCode: 'ABORTED',
    idempotencyKey: 'made-1',
    operation: 'op',
  });
  await service.arrived(1);
  while (clock.due()[0] !== 150) await new Promise(setImmediate);
  stop.abort();
  await ended;
  assert.equal(service.seen.length, 1);
});

test('invalid input is refused without a wait or a request, even if retries are allowed', async (t) => {
  const { send, clock, service } = await start(t, [json(200, {})], { retries: 9 });
  await assert.rejects(send(acting, { bearer: 'a\nb' }), { errorCode: 'INVALID_INPUT' });
  assert.deepEqual([clock.due(), service.seen.length], [[], 0]);
});
