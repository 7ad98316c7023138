import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createTestRoutes } from '../../../test/support/http-operations.ts';
import type { AppError } from '../../kernel/app-error.ts';
import { Exchange } from './exchange.ts';
import { InFlight } from './in-flight.ts';
import type { Mount } from './mount.ts';
import type { Route } from './route.ts';

const [READ, , ACT, PROBE] = createTestRoutes() as [Route, Route, Route, Route];
const AT_ONCE = { graceMs: 0, actGraceMs: 0 };
const NEVER = 2 ** 30;
const mount = (acts: boolean): Mount => ({ acts }) as Mount;

/** An exchange that notes why it was given up. */
const under = (route: Route | null, by: Mount | null = null) => {
  const exchange = new Exchange({} as IncomingMessage, {} as ServerResponse, route, 'id', by);
  const reasons: AppError[] = [];
  exchange.onGiveUp = (reason) => reasons.push(reason);
  return { exchange, reasons };
};

test('before a stop everything may start; after it reads may, what acts and probes may not', () => {
  const inFlight = new InFlight();
  const all = [
    ['a read', under(READ), null],
    ['an act', under(ACT), 'SHUTTING_DOWN'],
    ['a probe', under(PROBE), 'SHUTTING_DOWN'],
    ['a mount that acts', under(null, mount(true)), 'SHUTTING_DOWN'],
    ['a mount that does not', under(null, mount(false)), null],
    ['what nothing is meant by', under(null), null],
  ] as const;
  for (const [what, { exchange }] of all) {
    assert.equal(inFlight.refuse(exchange), null, what);
    assert.equal(exchange.lastOnConnection, false);
  }
  inFlight.startDraining();
  for (const [what, { exchange }, code] of all) {
    assert.equal(inFlight.refuse(exchange)?.code ?? null, code, what);
    assert.equal(exchange.lastOnConnection, true, what);
  }
});

test('a stop with nothing under way is over at once, whatever it would wait for', async () => {
  await new InFlight().drained({ graceMs: NEVER, actGraceMs: NEVER });
});

test('requests under way end their connections, and the stop ends with the last of them', async () => {
  const inFlight = new InFlight();
  const [one, other] = [under(READ), under(ACT)];
  inFlight.enter(one.exchange);
  inFlight.enter(other.exchange);
  inFlight.startDraining();
  assert.deepEqual([one.exchange.lastOnConnection, other.exchange.lastOnConnection], [true, true]);
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

test('one that leaves and enters anew in one step is waited for still', async () => {
  const inFlight = new InFlight();
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

test('after the grace reads are given up, once, while what acts is waited for longer', async () => {
  const inFlight = new InFlight();
  const [read, act, mounted] = [under(READ), under(ACT), under(null, mount(true))];
  const gaveUp = Promise.withResolvers<AppError>();
  read.exchange.onGiveUp = gaveUp.resolve;
  for (const { exchange } of [read, act, mounted]) inFlight.enter(exchange);
  const drained = inFlight.drained({ graceMs: 0, actGraceMs: NEVER });
  const reason = await gaveUp.promise;
  assert.deepEqual([reason.code, reason.retryAfterSeconds], ['SHUTTING_DOWN', 5]);
  assert.equal(inFlight.size, 2);
  // Its handler ends later, and leaves what it has left.
  inFlight.leave(read.exchange);
  for (const { exchange } of [act, mounted]) inFlight.leave(exchange);
  await drained;
  assert.deepEqual([act.reasons, mounted.reasons], [[], []]);
});

test('in the end everything is given up, also what nobody can be told of', async () => {
  const inFlight = new InFlight();
  const [act, deaf] = [under(ACT), under(READ)];
  deaf.exchange.onGiveUp = null;
  for (const { exchange } of [act, deaf]) inFlight.enter(exchange);
  await inFlight.drained(AT_ONCE);
  assert.deepEqual([act.reasons.length, inFlight.size], [1, 0]);
});
