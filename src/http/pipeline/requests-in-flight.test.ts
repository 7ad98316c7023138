import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { exchangeOf } from '../../../test/support/test-exchange.ts';
import type { Target } from '../../adapter/exchange.ts';
import type { AppError } from '../../kernel/app-error.ts';
import { RequestsInFlight } from './requests-in-flight.ts';

const READ = { acts: false };
const ACT = { acts: true };
const PROBE = { isProbe: true };
const AT_ONCE = { graceMs: 0, actGraceMs: 0 };
const NEVER = 2 ** 30;

/** Creates an exchange that records why it was aborted and whether its response closes the connection. */
const under = (target: Partial<Target>) => {
  const exchange = exchangeOf({ target });
  const reasons: AppError[] = [];
  mock.method(exchange, 'giveUp', (reason: AppError) => reasons.push(reason));
  const { mock: ending } = mock.method(exchange, 'endConnection');
  return { exchange, reasons, endsConnection: () => ending.callCount() > 0 };
};

test('during shutdown reads may still start, but chain operations and probes may not', () => {
  const inFlight = new RequestsInFlight();
  const all = [
    ['a read', under(READ), null],
    ['an act', under(ACT), 'SHUTTING_DOWN'],
    ['a probe', under(PROBE), 'SHUTTING_DOWN'],
    ['a request without a declaration', under({}), null],
  ] as const;
  for (const [what, { exchange, endsConnection }] of all) {
    inFlight.enter(exchange);
    assert.equal(inFlight.refuse(exchange), null, what);
    assert.equal(endsConnection(), false);
    inFlight.leave(exchange);
  }
  inFlight.startDraining();
  for (const [what, { exchange, endsConnection }, code] of all) {
    inFlight.enter(exchange);
    assert.equal(inFlight.refuse(exchange)?.code ?? null, code, what);
    assert.equal(endsConnection(), true, what);
  }
});

test('a shutdown without running requests ends immediately, whatever the grace period', async () => {
  await new RequestsInFlight().drained({ graceMs: NEVER, actGraceMs: NEVER });
});

test('running requests close their connections, and the shutdown ends with the last of them', async () => {
  const inFlight = new RequestsInFlight();
  const [one, other] = [under(READ), under(ACT)];
  inFlight.enter(one.exchange);
  inFlight.enter(other.exchange);
  inFlight.startDraining();
  assert.deepEqual([one.endsConnection(), other.endsConnection()], [true, true]);
  let over = false;
  const drained = inFlight.drained({ graceMs: NEVER, actGraceMs: NEVER }).then(() => {
    over = true;
  });
  inFlight.leave(one.exchange);
  await new Promise(setImmediate);
  assert.equal(over, false);
  inFlight.leave(other.exchange);
  await drained;
  assert.deepEqual([one.reasons, other.reasons, inFlight.size], [[], [], 0]);
});

test('shutdown waits for a request that arrives while the last one ends', async () => {
  const inFlight = new RequestsInFlight();
  const { exchange } = under(READ);
  inFlight.enter(exchange);
  let over = false;
  const drained = inFlight.drained({ graceMs: NEVER, actGraceMs: NEVER }).then(() => {
    over = true;
  });
  inFlight.leave(exchange);
  inFlight.enter(exchange);
  await new Promise(setImmediate);
  assert.equal(over, false);
  inFlight.leave(exchange);
  await drained;
});

test('reads are aborted after the grace period, and chain operations get more time', async () => {
  const inFlight = new RequestsInFlight();
  const [read, act, mounted] = [under(READ), under(ACT), under(ACT)];
  const gaveUp = Promise.withResolvers<AppError>();
  mock.method(read.exchange, 'giveUp', gaveUp.resolve);
  for (const { exchange } of [read, act, mounted]) inFlight.enter(exchange);
  const drained = inFlight.drained({ graceMs: 0, actGraceMs: NEVER });
  const reason = await gaveUp.promise;
  assert.deepEqual([reason.code, reason.retryAfterSeconds], ['SHUTTING_DOWN', 5]);
  assert.equal(inFlight.size, 2);
  // The handler of the abandoned request ends later and calls `leave` again.
  inFlight.leave(read.exchange);
  for (const { exchange } of [act, mounted]) inFlight.leave(exchange);
  await drained;
  assert.deepEqual([act.reasons, mounted.reasons], [[], []]);
});

test('every request is aborted at the end of the shutdown', async () => {
  const inFlight = new RequestsInFlight();
  const [act, read] = [under(ACT), under(READ)];
  for (const { exchange } of [act, read]) inFlight.enter(exchange);
  await inFlight.drained(AT_ONCE);
  assert.deepEqual([act.reasons.length, read.reasons.length, inFlight.size], [1, 1, 0]);
});
