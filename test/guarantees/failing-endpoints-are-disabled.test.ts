// WH-6: a registration that has accepted no delivery for five days is disabled. Missed events are kept, and an
// accepted ping enables it again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryWorld } from '../support/delivery-fixture.ts';
import { startReceiver } from '../support/receiver.ts';
import { createManualClock } from '../support/steerable-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('WH-6 a receiver that fails for five days is disabled after exactly that time', async (t) => {
  const clock = createManualClock(Date.now());
  const world = await deliveryWorld(t, { clock });
  let answer = 500;
  const receiver = await startReceiver(t, (_request, response) => void response.writeHead(answer).end());
  const id = await world.register(receiver.url);
  world.start();
  const startedAtMs = clock.now();
  const reason = async () => (await world.store.webhooks.find(id))?.disabledReason;

  await world.tell(id);
  await world.settledCount(1);
  assert.equal((await world.store.webhooks.find(id))?.failingSinceMs, startedAtMs);
  // Every due attempt fails. A new event every 12 hours causes more attempts.
  let disabledAtMs: number | null = null;
  let nextEventMs = startedAtMs + DAY_MS / 2;
  while (disabledAtMs === null) {
    const dueMs = Math.min((await world.store.outbox.nextDueMs()) ?? nextEventMs, nextEventMs);
    await clock.sleeping();
    // A failure pauses due deliveries for one second.
    clock.advance(dueMs > clock.now() ? dueMs - clock.now() : 1_000);
    const attemptsBefore = world.settled.length;
    if (clock.now() >= nextEventMs) {
      nextEventMs += DAY_MS / 2;
      await world.tell(id);
    }
    await world.settledCount(attemptsBefore + 1);
    assert.ok(clock.now() < startedAtMs + 7 * DAY_MS, 'it should have been disabled by now');
    if ((await reason()) !== null) disabledAtMs = clock.now();
    else
      assert.ok(
        clock.now() < startedAtMs + 5 * DAY_MS,
        'it should have been disabled by the first failure after five days',
      );
  }
  assert.equal(await reason(), 'failing');
  assert.ok(disabledAtMs >= startedAtMs + 5 * DAY_MS);
  const attempts = receiver.received.length;

  const missed = await world.tell(id);
  clock.advance(30 * HOUR_MS);
  await clock.sleeping();
  assert.equal(receiver.received.length, attempts);
  assert.equal((await world.poll(id, missed)).state, 'dead');

  // A failed ping changes nothing. An accepted ping enables the registration again, and missed events can then
  // be replayed.
  await world.tell(id, { type: 'ping', data: '{}' });
  await world.settledCount(attempts + 1);
  assert.equal(await reason(), 'failing');
  answer = 204;
  await clock.sleeping();
  clock.advance(1_000);
  await world.tell(id, { type: 'ping', data: '{}' });
  await world.settledCount(attempts + 2);
  assert.equal(await reason(), null);
  assert.equal((await world.store.webhooks.find(id))?.failingSinceMs, null);
  assert.equal(await world.store.outbox.replay(id, { eventId: missed }, clock.now()), 1);
  const fresh = await world.tell(id);
  await world.settledCount(attempts + 4);
  assert.equal((await world.poll(id, missed)).state, 'delivered');
  assert.equal((await world.poll(id, fresh)).state, 'delivered');
});

test('WH-6 one accepted delivery in five days is enough for a receiver to stay enabled', async (t) => {
  const clock = createManualClock(Date.now());
  const world = await deliveryWorld(t, { clock });
  let answer = 500;
  const receiver = await startReceiver(t, (_request, response) => void response.writeHead(answer).end());
  const id = await world.register(receiver.url);
  let settled = 0;
  const attemptAt = async (day: number, code: number): Promise<void> => {
    answer = code;
    clock.advance(day * DAY_MS);
    // Starts a new loop each time, so retries due on the skipped days are not sent.
    const loop = world.start();
    await world.tell(id, { expiresAtMs: clock.now() + 1_000 });
    settled += 1;
    await world.settledCount(settled);
    await loop.close();
  };
  await attemptAt(0, 500);
  await attemptAt(4.9, 200);
  await attemptAt(4.9, 500);
  await attemptAt(4.9, 500);
  const registration = await world.store.webhooks.find(id);
  assert.equal(registration?.disabledReason, null);
  assert.equal(registration?.failingSinceMs, clock.now() - 4.9 * DAY_MS);
  await attemptAt(0.2, 500);
  assert.equal((await world.store.webhooks.find(id))?.disabledReason, 'failing');
});

test('WH-6 a 410 response disables a registration immediately, and other registrations of the wallet are unaffected', async (t) => {
  const clock = createManualClock(Date.now());
  const world = await deliveryWorld(t, { clock });
  const receiver = await startReceiver(
    t,
    ({ path }, response) => void response.writeHead(path === '/gone' ? 410 : 204).end(),
  );
  const [gone, other] = [await world.register(`${receiver.url}/gone`), await world.register(receiver.url)];
  world.start();
  await world.tell(gone);
  await world.settledCount(1);
  await Promise.all([world.tell(gone), world.tell(other)]);
  await world.settledCount(2);
  assert.equal((await world.store.webhooks.find(gone))?.disabledReason, 'gone');
  assert.equal((await world.store.webhooks.find(other))?.disabledReason, null);
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/gone', '/'],
  );
});
