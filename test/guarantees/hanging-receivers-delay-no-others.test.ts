// WH-2: while half of the endpoints hang, the others receive their deliveries as if none hung.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { deliveryWorld } from '../support/delivery-fixture.ts';
import { startReceiver } from '../support/receiver.ts';
import { createManualClock } from '../support/steerable-clock.ts';

const ENDPOINTS = process.env.HOLDFAST_TEST_FULL === '1' ? 400 : 60;
const EVENTS_EACH = 20;

/**
 * Delivers to `healthy` endpoints and to `hangers`, whose deliveries are due earlier. Time does not advance, so
 * no hanging attempt ends.
 */
const deliverWithHangers = async (
  t: TestContext,
  { hangers, healthy }: { hangers: number; healthy: number },
) => {
  const clock = createManualClock(Date.now());
  const world = await deliveryWorld(t, { clock });
  const receiver = await startReceiver(t, ({ path }, response) => {
    if (path !== '/hangs') response.writeHead(204).end();
  });
  const registerAll = (count: number, path: string): Promise<readonly string[]> =>
    Promise.all(Array.from({ length: count }, () => world.register(receiver.url + path)));
  const record = async (ids: readonly string[], atMs: number): Promise<void> => {
    const events = ids.flatMap((registrationId) =>
      Array.from({ length: EVENTS_EACH }, (_, event) => ({
        id: `evt_${registrationId}_${event}`,
        registrationId,
        type: 'epoch_complete' as const,
        atMs: atMs + event,
        data: '{}',
        expiresAtMs: null,
      })),
    );
    await world.store.outbox.record(events);
  };
  await record(await registerAll(hangers, '/hangs'), clock.now() - 60_000);
  await record(await registerAll(healthy, '/well'), clock.now() - 1_000);
  const wanted = healthy * EVENTS_EACH;
  const all = Promise.withResolvers<void>();
  let [claims, delivered, ended] = [0, 0, 0];
  world.start({
    outbox: {
      ...world.store.outbox,
      claim: (options) => {
        claims += 1;
        return world.store.outbox.claim(options);
      },
    },
    observe: (_claimed, { attempt }) => {
      if (attempt.outcome !== 'delivered') ended += 1;
      else delivered += 1;
      if (delivered === wanted) all.resolve();
    },
  });
  await all.promise;
  const hanging = receiver.received.filter(({ path }) => path === '/hangs').length;
  return { delivered, claims, ended, hanging };
};

test('WH-2 while half of the endpoints hang, the others receive all events in about as many claims as without them', async (t) => {
  const half = ENDPOINTS / 2;
  const alone = await deliverWithHangers(t, { hangers: 0, healthy: half });
  const withHangers = await deliverWithHangers(t, { hangers: half, healthy: half });
  t.diagnostic(
    `${half} endpoints alone: ${alone.claims} claims; next to ${half} that hang: ${withHangers.claims} claims; ${withHangers.delivered} of ${alone.delivered} delivered while all of them hung`,
  );
  assert.equal(alone.delivered, half * EVENTS_EACH);
  assert.equal(withHangers.delivered, alone.delivered);
  assert.equal(withHangers.ended, 0, 'no hanging attempt had to end first');
  assert.equal(withHangers.hanging, half, 'hanging endpoints get one attempt each');
  assert.ok(
    alone.claims >= 0.8 * withHangers.claims,
    `${withHangers.claims} claims instead of ${alone.claims}`,
  );
});

test('WH-2 an endpoint that fails immediately is not retried without a pause and does not delay others', async (t) => {
  const clock = createManualClock(Date.now());
  const world = await deliveryWorld(t, { clock });
  const receiver = await startReceiver(
    t,
    ({ path }, response) => void response.writeHead(path === '/fails' ? 500 : 204).end(),
  );
  const [fails, well] = [
    await world.register(`${receiver.url}/fails`),
    await world.register(`${receiver.url}/well`),
  ];
  world.start();
  for (let event = 0; event < 10; event += 1) await world.tell(fails);
  for (let event = 0; event < 10; event += 1) await world.tell(well);
  await world.settledCount(11);
  const triesOf = (path: string): number => receiver.received.filter((one) => one.path === path).length;
  assert.deepEqual([triesOf('/fails'), triesOf('/well')], [1, 10]);
  // Adds one event per second until the endpoint accepts.
  await clock.sleeping();
  clock.advance(1_000);
  await world.settledCount(12);
  assert.deepEqual([triesOf('/fails'), triesOf('/well')], [2, 10]);
});
