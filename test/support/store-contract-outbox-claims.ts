// Contract tests, run on every engine, for claims and their outcomes: one process per delivery, even if
// processes end or registrations change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outbox } from '../../src/store/outbox/outbox.ts';
import type { Registration } from '../../src/store/registration-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { openRegisteredStore } from './registered-store.ts';
import { openRivals } from './store-fixture.ts';
import type { MakeVenue } from './store-venue.ts';
import {
  EXAMPLE_START_MS,
  exampleAttempt,
  exampleClaim,
  exampleEvent,
  exampleId,
  exampleRegistration,
  exampleResult,
  NO_CAPS,
  rememberingKeys,
} from './webhook-examples.ts';

const CLAIM_MS = exampleClaim().nowMs;
const REFUSED = exampleAttempt({ outcome: 'refused-status', status: 500 });

const claimIds = async (
  outbox: Outbox,
  overrides: Parameters<typeof exampleClaim>[0] = {},
): Promise<readonly string[]> => (await outbox.claim(exampleClaim(overrides))).map(({ id }) => id);

const idsOf = (...numbers: readonly number[]): readonly string[] =>
  numbers.map((number) => exampleEvent(number).id);

const healthOf = async ({ webhooks }: Store, number = 1): Promise<Partial<Registration>> => {
  const registration = await webhooks.find(exampleId(number));
  assert.ok(registration);
  const { lastDeliveryAtMs, failingSinceMs, disabledReason } = registration;
  return { lastDeliveryAtMs, failingSinceMs, disabledReason };
};

const deliveryOf = async ({ outbox }: Store, number: number, registration = 1) => {
  const log = await outbox.deliveries(exampleId(registration), { limit: 100, before: null, state: null });
  const delivery = log.find(({ id }) => id === exampleEvent(number).id);
  assert.ok(delivery);
  return delivery;
};

export const outboxClaimContract = (makeVenue: MakeVenue): void => {
  test('20 processes that claim concurrently get each delivery only once', async (t) => {
    const { location } = await makeVenue(t);
    const stores = await openRivals(t, location, 3);
    const events = Array.from({ length: 400 }, (_, index) =>
      exampleEvent(index, { registrationId: exampleId(index % 7) }),
    );
    for (let number = 0; number < 7; number += 1)
      await stores[0]!.webhooks.register(exampleRegistration(number), NO_CAPS);
    await stores[0]!.outbox.record(events);
    const claimed: string[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { outbox } = stores[index % 3]!;
        while (claimed.length < events.length) {
          const got = await claimIds(outbox, { owner: `process ${index}`, limit: 5 });
          claimed.push(...got);
          if (got.length === 0 && (await outbox.nextDueMs())! > CLAIM_MS) return;
        }
      }),
    );
    assert.deepEqual(claimed.toSorted(), events.map(({ id }) => id).toSorted());
    assert.deepEqual(await claimIds(stores[0]!.outbox), []);
  });

  test('a claim contains everything needed to send the delivery, and after its lease has expired, another process can claim it', async (t) => {
    const { outbox, webhooks } = await openRegisteredStore(t, makeVenue);
    await webhooks.rotate(exampleId(1), 5);
    const event = exampleEvent(1, { expiresAtMs: CLAIM_MS * 2 });
    await outbox.record([event]);
    assert.deepEqual(await claimIds(outbox, { nowMs: event.atMs - 1 }), [], 'not due');
    const [claimed, ...none] = await outbox.claim(exampleClaim());
    assert.deepEqual(none, []);
    assert.deepEqual(
      { ...claimed, key: null },
      {
        ...event,
        key: null,
        attempts: 0,
        attemptsEver: 0,
        callbackUrl: exampleRegistration(1).callbackUrl,
        secretGeneration: 1,
        rotatedAtMs: 5,
        walletAddress: 'wallet',
        failingSinceMs: null,
        disabled: false,
        deleted: false,
      },
    );
    assert.equal(await outbox.nextDueMs(), CLAIM_MS + 30_000);
    assert.deepEqual(await claimIds(outbox, { owner: 'two', nowMs: CLAIM_MS + 29_999 }), []);
    assert.deepEqual(await claimIds(outbox, { owner: 'two', nowMs: CLAIM_MS + 30_000 }), idsOf(1));
  });

  test('the time of the next claim is that of the next due delivery or the end of a lease, whichever comes first', async (t) => {
    const { outbox } = await openRegisteredStore(t, makeVenue, [1, 2]);
    await outbox.record([
      exampleEvent(1),
      exampleEvent(2, { registrationId: exampleId(2) }),
      exampleEvent(3, { dueAtMs: CLAIM_MS + 20_000 }),
      exampleEvent(4, { dueAtMs: CLAIM_MS + 40_000 }),
    ]);
    assert.deepEqual(await claimIds(outbox, { limit: 1, leaseMs: 30_000 }), idsOf(1));
    assert.deepEqual(await claimIds(outbox, { limit: 1, leaseMs: 10_000 }), idsOf(2));
    assert.equal(
      await outbox.nextDueMs(),
      CLAIM_MS + 10_000,
      'the shorter of two leases, although its delivery was due later',
    );
    const expired = { owner: 'two', nowMs: CLAIM_MS + 10_000, leaseMs: 90_000 };
    assert.deepEqual(await claimIds(outbox, expired), idsOf(2));
    assert.equal(
      await outbox.nextDueMs(),
      CLAIM_MS + 20_000,
      'the free one, before the lease that ends later',
    );
    assert.deepEqual(await claimIds(outbox, { ...expired, nowMs: CLAIM_MS + 20_000 }), idsOf(3));
    assert.equal(await outbox.nextDueMs(), CLAIM_MS + 30_000, 'the first lease, long before the free one');
  });

  test('deliveries that have been due longest come first, a few per registration, and never those of excluded registrations', async (t) => {
    const { outbox } = await openRegisteredStore(t, makeVenue, [1, 2, 3]);
    await outbox.record([
      ...[1, 2, 3, 4].map((number) => exampleEvent(number)),
      ...[5, 6].map((number) => exampleEvent(number, { registrationId: exampleId(2) })),
      exampleEvent(7, { registrationId: exampleId(3), atMs: EXAMPLE_START_MS }),
    ]);
    const options = { limitPerRegistration: 2, limit: 4, except: [exampleId(2)] };
    assert.deepEqual(await claimIds(outbox, options), idsOf(7, 1, 2));
    assert.deepEqual(await claimIds(outbox, { limitPerRegistration: 1, limit: 1 }), idsOf(3));
    assert.deepEqual(await claimIds(outbox, { limit: 2 }), idsOf(4, 5));
    assert.deepEqual(await claimIds(outbox), idsOf(6));
  });

  test('a registration with far more due deliveries than allowed gets its share, and does not hide others once it is excluded', async (t) => {
    const { outbox } = await openRegisteredStore(t, makeVenue, [1, 2]);
    const many = Array.from({ length: 500 }, (_, index) => exampleEvent(index));
    await outbox.record(many);
    const options = { limit: 10, limitPerRegistration: 2 };
    assert.deepEqual(await claimIds(outbox, options), idsOf(0, 1));
    await outbox.record([exampleEvent(900, { registrationId: exampleId(2) })]);
    assert.deepEqual(await claimIds(outbox, { ...options, except: [exampleId(1)] }), idsOf(900));
    assert.deepEqual(await claimIds(outbox, options), idsOf(2, 3));
  });

  test('an expired delivery becomes dead without an attempt and takes no slot', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    await store.outbox.record([exampleEvent(1, { expiresAtMs: CLAIM_MS }), exampleEvent(2)]);
    assert.deepEqual(await claimIds(store.outbox), idsOf(2));
    const { state, settledAtMs, attemptLog } = await deliveryOf(store, 1);
    assert.deepEqual(
      { state, settledAtMs, attemptLog },
      { state: 'dead', settledAtMs: CLAIM_MS, attemptLog: [] },
    );
  });

  test('a deleted registration gets only the notice of its deletion, and its waiting deliveries are dead until replayed', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    const { outbox, webhooks } = store;
    // The fourth delivery, whose next attempt is due in a few hours, is also given up immediately.
    await outbox.record([exampleEvent(1), exampleEvent(4, { dueAtMs: CLAIM_MS + 36_000_000 })]);
    await webhooks.delete(exampleId(1), EXAMPLE_START_MS, exampleEvent(2, { type: 'registration_deleted' }));
    await webhooks.delete(exampleId(1), EXAMPLE_START_MS, exampleEvent(3, { type: 'registration_deleted' }));
    const claimed = await outbox.claim(exampleClaim());
    assert.deepEqual(
      claimed.map(({ id, deleted }) => [id, deleted]),
      [[exampleEvent(2).id, true]],
    );
    for (const number of [1, 4])
      assert.equal((await deliveryOf(store, number)).state, 'dead', String(number));
    await webhooks.restore(exampleId(1), NO_CAPS, EXAMPLE_START_MS);
    assert.equal(await outbox.replay(exampleId(1), { eventId: exampleEvent(1).id }, CLAIM_MS), 1);
    assert.deepEqual((await claimIds(outbox)).toSorted(), idsOf(1, 4).toSorted());
  });

  test('a disabled registration gets only pings, and an accepted ping enables it again', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    const { outbox } = store;
    await outbox.record([exampleEvent(1)]);
    await outbox.claim(exampleClaim());
    await outbox.settle([
      exampleResult(1, { attempt: REFUSED, next: { state: 'dead' }, disable: 'failing' }),
    ]);
    assert.equal((await healthOf(store)).disabledReason, 'failing');
    await outbox.record([exampleEvent(2), exampleEvent(3, { type: 'ping' })]);
    assert.deepEqual(await claimIds(outbox), idsOf(3));
    assert.equal((await deliveryOf(store, 2)).state, 'dead');
    await outbox.settle([exampleResult(3, { enable: true })]);
    const accepted = { lastDeliveryAtMs: CLAIM_MS + 40, failingSinceMs: null, disabledReason: null };
    assert.deepEqual(await healthOf(store), accepted);
    await outbox.record([exampleEvent(4)]);
    assert.deepEqual(await claimIds(outbox), idsOf(4));
  });

  test('a failed attempt is due again at its next time, and the registration counts as failing since its first failure', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    const { outbox } = store;
    await outbox.record([exampleEvent(1)]);
    await outbox.claim(exampleClaim());
    const retry = { state: 'pending', nextAttemptAtMs: CLAIM_MS + 5_000 } as const;
    await outbox.settle([exampleResult(1, { attempt: REFUSED, next: retry })]);
    assert.equal(await outbox.nextDueMs(), CLAIM_MS + 5_000);
    const [again] = await outbox.claim(exampleClaim({ nowMs: CLAIM_MS + 5_000 }));
    assert.equal(again?.attempts, 1);
    assert.equal(again?.failingSinceMs, CLAIM_MS);
    const second = { ...REFUSED, number: 2, atMs: CLAIM_MS + 5_000 };
    await outbox.settle([exampleResult(1, { attempt: second, next: retry })]);
    assert.equal((await healthOf(store)).failingSinceMs, CLAIM_MS);
    await outbox.claim(exampleClaim({ nowMs: CLAIM_MS + 5_000 }));
    await outbox.settle([exampleResult(1, { attempt: exampleAttempt({ number: 3 }) })]);
    assert.deepEqual((await healthOf(store)).failingSinceMs, null);
    const { attemptLog, state, attempts } = await deliveryOf(store, 1);
    assert.deepEqual(
      { numbers: attemptLog.map(({ number }) => number), state, attempts },
      {
        numbers: [1, 2, 3],
        state: 'delivered',
        attempts: 3,
      },
    );
  });

  test('a failure of the service does not count against the receiver', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    await store.outbox.record([exampleEvent(1), exampleEvent(2)]);
    await store.outbox.claim(exampleClaim());
    const next = { state: 'pending', nextAttemptAtMs: CLAIM_MS } as const;
    const ours = (['interrupted', 'compose-failed'] as const).map((outcome, index) =>
      exampleResult(index + 1, { attempt: exampleAttempt({ outcome, status: null }), next }),
    );
    await store.outbox.settle(ours);
    assert.equal((await healthOf(store)).failingSinceMs, null);
    assert.equal((await deliveryOf(store, 1)).attemptLog[0]?.status, null);
    const attempts = [1, 2].map(async (number) => (await deliveryOf(store, number)).attempts);
    assert.deepEqual(await Promise.all(attempts), [0, 1], 'only the interrupted attempt costs no step');
  });

  test('a process that lost its lease settles nothing, and its attempt is in the log next to the attempt that counts', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    const { outbox } = store;
    await outbox.record([exampleEvent(1)]);
    await outbox.claim(exampleClaim());
    await outbox.claim(exampleClaim({ owner: 'process two', nowMs: CLAIM_MS + 30_000 }));
    await outbox.settle([
      exampleResult(1, { attempt: REFUSED, next: { state: 'dead' }, disable: 'failing' }),
    ]);
    assert.deepEqual(await healthOf(store), {
      lastDeliveryAtMs: null,
      failingSinceMs: null,
      disabledReason: null,
    });
    assert.equal((await deliveryOf(store, 1)).state, 'pending');
    await outbox.settle([exampleResult(1, { owner: 'process two' })]);
    const { state, attempts, attemptLog } = await deliveryOf(store, 1);
    assert.deepEqual({ state, attempts }, { state: 'delivered', attempts: 1 });
    assert.deepEqual(
      attemptLog.map(({ number, outcome }) => [number, outcome]),
      [
        [1, 'refused-status'],
        [2, 'delivered'],
      ],
    );
    await outbox.settle([exampleResult(1, { attempt: REFUSED, next: { state: 'dead' } })]);
    assert.equal((await deliveryOf(store, 1)).state, 'delivered');
  });

  test('the first of two results of a claim settles the delivery, and the second only appears in the log', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    await store.outbox.record([exampleEvent(1), exampleEvent(2)]);
    await store.outbox.claim(exampleClaim());
    const next = { state: 'dead' } as const;
    await store.outbox.settle([
      exampleResult(1),
      exampleResult(1, { attempt: REFUSED, next, disable: 'failing' }),
      exampleResult(2, { attempt: REFUSED, next }),
    ]);
    const { state, attempts, attemptLog } = await deliveryOf(store, 1);
    assert.deepEqual({ state, attempts }, { state: 'delivered', attempts: 1 });
    assert.deepEqual(
      attemptLog.map(({ number, outcome }) => [number, outcome]),
      [
        [1, 'delivered'],
        [2, 'refused-status'],
      ],
    );
    assert.deepEqual(await healthOf(store), {
      lastDeliveryAtMs: CLAIM_MS + 40,
      failingSinceMs: CLAIM_MS,
      disabledReason: null,
    });
  });

  test('an earlier acceptance recorded late does not replace the time of the latest one', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    await store.outbox.record([exampleEvent(1), exampleEvent(2)]);
    await store.outbox.claim(exampleClaim());
    await store.outbox.settle([exampleResult(2)]);
    await store.outbox.settle([exampleResult(1, { attempt: exampleAttempt({ atMs: CLAIM_MS - 9_000 }) })]);
    assert.equal((await healthOf(store)).lastDeliveryAtMs, CLAIM_MS + 40);
  });

  test('deliveries with the same due time are claimed in the order in which they were recorded', async (t) => {
    const { outbox } = await openRegisteredStore(t, makeVenue, [1, 2]);
    for (const number of [5, 3, 9, 1])
      await outbox.record([
        exampleEvent(number, { atMs: EXAMPLE_START_MS, registrationId: exampleId(1 + (number % 2)) }),
      ]);
    assert.deepEqual(await claimIds(outbox), idsOf(5, 3, 9, 1));
  });

  test('several processes settle many outcomes at once, and each registration gets its own outcome', async (t) => {
    const { location } = await makeVenue(t);
    const keys = new Map<string, number>();
    const stores = (await openRivals(t, location, 2)).map((store) => ({
      ...store,
      outbox: rememberingKeys(store.outbox, keys),
    }));
    const registrations = Array.from({ length: 40 }, (_, index) => index);
    for (const number of registrations)
      await stores[0]!.webhooks.register(exampleRegistration(number), NO_CAPS);
    const events = Array.from({ length: 400 }, (_, index) =>
      exampleEvent(index, { registrationId: exampleId(index % 40) }),
    );
    await stores[0]!.outbox.record(events);
    await stores[0]!.outbox.claim(exampleClaim({ limit: 5_000, limitPerRegistration: 5_000 }));
    const results = events.map(({ registrationId }, index) =>
      exampleResult(index, {
        registrationId,
        ...(index % 40 < 20 ? {} : { attempt: REFUSED, next: { state: 'dead' } }),
      }),
    );
    // Updated in two different orders, to check that no two transactions wait for each other.
    await Promise.all([
      stores[0]!.outbox.settle(results.slice(0, 200)),
      stores[1]!.outbox.settle(results.slice(200).toReversed()),
    ]);
    assert.deepEqual(await stores[0]!.outbox.backlog(), { pending: 0, oldestDueMs: null, dead: 200 });
    const failing = await Promise.all(registrations.map((number) => healthOf(stores[0]!, number)));
    assert.equal(failing.filter(({ failingSinceMs }) => failingSinceMs === CLAIM_MS).length, 20);
    assert.equal(failing.filter(({ lastDeliveryAtMs }) => lastDeliveryAtMs === CLAIM_MS + 40).length, 20);
    await stores[0]!.outbox.settle([]);
    await stores[0]!.outbox.settle([exampleResult(99_999)]);
  });
};
