// Tests that a clock set back delays no receiver, that shutdown waits ten seconds for attempts in progress, and
// that no result is lost while the store is unavailable.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { deliveryWorld } from '../../../test/support/delivery-fixture.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { createManualClock, createRunningClock } from '../../../test/support/steerable-clock.ts';
import { AppError } from '../../kernel/app-error.ts';

const DAY_MS = 86_400_000;

test('a failed receiver pauses for a second, even if the clock is set back in the meantime', async (t) => {
  const clock = createRunningClock();
  const receiver = await startReceiver(t, (_request, response) => void response.writeHead(500).end());
  const world = await deliveryWorld(t, { clock });
  const registration = await world.register(receiver.url);
  world.start({ pollMs: 20 });
  await world.tell(registration);
  await world.settledCount(1);
  clock.setBack(DAY_MS);
  await world.tell(registration);
  await receiver.got(2);
});

test('shutdown waits ten seconds for attempts in progress, and interrupted ones are repeated after the next startup', async (t) => {
  const clock = createManualClock();
  const responses: ServerResponse[] = [];
  const receiver = await startReceiver(t, (_request, response) => void responses.push(response));
  const world = await deliveryWorld(t, { clock });
  const loop = world.start();
  for (let count = 1; count <= 2; count += 1) await world.tell(await world.register(receiver.url));
  await receiver.got(2);
  const closed = loop.close();
  clock.advance(9_999);
  responses[0]!.writeHead(204).end();
  await world.settledCount(1);
  clock.advance(1);
  await closed;
  const nextAttemptAtMs = clock.now();
  assert.deepEqual(
    world.settled.map(({ attempt, next }) => [attempt.outcome, next]),
    [
      ['delivered', { state: 'delivered' }],
      ['interrupted', { state: 'pending', nextAttemptAtMs }],
    ],
  );
});

test('a result that the store refuses is written later, and the delivery is not sent again', async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { clock: createRunningClock() });
  const registration = await world.register(receiver.url);
  t.mock.method(world.store.outbox, 'settle').mock.mockImplementationOnce(async () => {
    throw new AppError('STORE_UNAVAILABLE', 'away');
  });
  const loop = world.start();
  const event = await world.tell(registration);
  await world.settledCount(1);
  const { state, attemptLog } = await world.poll(registration, event);
  assert.deepEqual([state, attemptLog.length, receiver.received.length], ['delivered', 1, 1]);
  await loop.close();
});

test('the result of an attempt that ends while other results are being written is written next', async (t) => {
  const responses: ServerResponse[] = [];
  const receiver = await startReceiver(t, (_request, response) => void responses.push(response));
  const world = await deliveryWorld(t, { clock: createRunningClock() });
  const { settle } = world.store.outbox;
  const [writing, written, ended] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  t.mock.method(world.store.outbox, 'settle').mock.mockImplementationOnce(async (results) => {
    writing!.resolve();
    await written!.promise;
    await settle(results);
  });
  let attempts = 0;
  world.start({ observe: () => void (++attempts === 2 && ended!.resolve()) });
  for (let count = 1; count <= 2; count += 1) await world.tell(await world.register(receiver.url));
  await receiver.got(2);
  responses[0]!.writeHead(204).end();
  await writing!.promise;
  responses[1]!.writeHead(204).end();
  await ended!.promise;
  written!.resolve();
  await world.settledCount(2);
});
