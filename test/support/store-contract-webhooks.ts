// Contract tests, run on every engine, for webhook registrations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAppError } from '../../src/kernel/app-error.ts';
import type { Registration } from '../../src/store/registration-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { openRivals, openTestStore } from './store-fixture.ts';
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

const DELETED_MS = EXAMPLE_START_MS + 1_000_000;
/** On the next day, registrations made at startup count only if they are active. */
const DAY_MS = 24 * 60 * 60 * 1000;
const NEXT_DAY_MS = EXAMPLE_START_MS + 2 * DAY_MS;
const ALL = { after: null, limit: 1_000 };
const CAPS = { perWalletAndClient: 3, perClient: 5 };

const register = async ({ webhooks }: Store, ...numbers: readonly number[]): Promise<void> => {
  for (const number of numbers)
    assert.deepEqual(await webhooks.register(exampleRegistration(number), NO_CAPS), {
      outcome: 'registered',
    });
};

const idsOf = (registrations: readonly Registration[]): readonly string[] =>
  registrations.map(({ id }) => id);

const outcomesOf = async (
  registering: readonly Promise<{ readonly outcome: string; readonly limit?: string }>[],
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { outcome, limit } of await Promise.all(registering)) {
    const name = limit ?? outcome;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

export const webhooksContract = (makeVenue: MakeVenue): void => {
  test('a registration is read back completely when the store is next opened, and starts without results', async (t) => {
    const { location } = await makeVenue(t);
    await register(await openTestStore(t, location), 1);
    const next = await openTestStore(t, location);
    assert.deepEqual(await next.webhooks.find(exampleId(1)), {
      ...exampleRegistration(1),
      secretGeneration: 0,
      rotatedAtMs: null,
      lastDeliveryAtMs: null,
      failingSinceMs: null,
      disabledReason: null,
      deletedAtMs: null,
      awaitsAnswer: false,
      secretDeletes: false,
    });
    assert.equal(await next.webhooks.find(exampleId(2)), null);
  });

  test('limits hold when 20 registrations are concurrent, and the reached limit is named', async (t) => {
    const { location } = await makeVenue(t);
    const stores = await openRivals(t, location, 2);
    const ofOneWallet = Array.from({ length: 20 }, (_, index) =>
      stores[index % 2]!.webhooks.register(exampleRegistration(index), CAPS),
    );
    assert.deepEqual(await outcomesOf(ofOneWallet), { registered: 3, perWalletAndClient: 17 });
    const ofMany = Array.from({ length: 20 }, (_, index) =>
      stores[index % 2]!.webhooks.register(
        exampleRegistration(100 + index, { walletAddress: `wallet ${index}` }),
        CAPS,
      ),
    );
    assert.deepEqual(await outcomesOf(ofMany), { registered: 2, perClient: 18 });
    const elsewhere = exampleRegistration(200, { client: '2001:db8::' });
    assert.deepEqual(await stores[0]!.webhooks.register(elsewhere, CAPS), { outcome: 'registered' });
    assert.equal((await stores[0]!.webhooks.ofWallet('wallet', ALL)).length, 4);
  });

  test('registrations of the autopilot are not limited, counted or listed', async (t) => {
    const { webhooks } = await openTestStore(t, (await makeVenue(t)).location);
    const one = { perWalletAndClient: 1, perClient: 1 };
    for (const number of [1, 2, 3]) {
      const registration = exampleRegistration(number, { kind: 'autopilot', events: [] });
      assert.deepEqual(await webhooks.register(registration, one), { outcome: 'registered' });
    }
    assert.deepEqual(await webhooks.register(exampleRegistration(4), one), { outcome: 'registered' });
    const further = exampleRegistration(5, { kind: 'autopilot', events: [] });
    assert.deepEqual(await webhooks.register(further, one), { outcome: 'registered' });
    assert.deepEqual(idsOf(await webhooks.ofWallet('wallet', ALL)), [exampleId(4)]);
    assert.deepEqual(idsOf(await webhooks.page(null, 10)), [exampleId(4)]);
    assert.deepEqual((await webhooks.find(exampleId(1)))?.events, []);
  });

  test('an id can be taken only once: of 10 concurrent registrations with the same id, one succeeds, and it stays unchanged', async (t) => {
    const { location } = await makeVenue(t);
    const stores = await openRivals(t, location, 2);
    const same = Array.from({ length: 10 }, (_, index) =>
      stores[index % 2]!.webhooks.register(exampleRegistration(1), NO_CAPS),
    );
    assert.deepEqual(await outcomesOf(same), { registered: 1, known: 9 });
    const other = exampleRegistration(1, { walletAddress: 'another' });
    assert.deepEqual(await stores[0]!.webhooks.register(other, NO_CAPS), { outcome: 'known' });
    assert.equal((await stores[0]!.webhooks.find(exampleId(1)))?.walletAddress, 'wallet');
  });

  test('lists of webhooks are oldest first and complete, by wallet and page by page, without deleted webhooks', async (t) => {
    const { webhooks } = await openTestStore(t, (await makeVenue(t)).location);
    for (const number of [5, 3, 1, 4, 2])
      await webhooks.register(exampleRegistration(number, { createdAtMs: 100 - number }), NO_CAPS);
    await webhooks.register(exampleRegistration(6, { walletAddress: 'another' }), NO_CAPS);
    await webhooks.delete(exampleId(4), DELETED_MS);
    assert.deepEqual(idsOf(await webhooks.ofWallet('wallet', ALL)), [5, 3, 2, 1].map(exampleId));
    const first = await webhooks.page(null, 3);
    assert.deepEqual(idsOf(first), [1, 2, 3].map(exampleId));
    const rest = [4, 5, 6].map(exampleId);
    assert.deepEqual(idsOf(await webhooks.page(exampleId(3), 3)), rest, 'a deleted webhook may be restored');
    assert.deepEqual(await webhooks.page(exampleId(6), 3), []);
  });

  test('a wallet’s list continues after any entry, even among equal timestamps, and neither skips nor repeats an entry', async (t) => {
    const { webhooks } = await openTestStore(t, (await makeVenue(t)).location);
    for (const number of [7, 2, 5, 1, 6, 3, 4])
      await webhooks.register(exampleRegistration(number, { createdAtMs: number > 4 ? 200 : 100 }), NO_CAPS);
    await webhooks.register(exampleRegistration(8, { walletAddress: 'another', createdAtMs: 100 }), NO_CAPS);
    const whole = await webhooks.ofWallet('wallet', ALL);
    assert.deepEqual(idsOf(whole), [1, 2, 3, 4, 5, 6, 7].map(exampleId));
    for (const [index, { createdAtMs, id }] of whole.entries()) {
      const page = await webhooks.ofWallet('wallet', { after: { atMs: createdAtMs, id }, limit: 2 });
      assert.deepEqual(page, whole.slice(index + 1, index + 3), `behind ${index}`);
    }
    assert.deepEqual(
      idsOf(await webhooks.ofWallet('wallet', { after: null, limit: 3 })),
      [1, 2, 3].map(exampleId),
    );
  });

  test('each rotation of a secret adds a generation, even if several rotations run concurrently', async (t) => {
    const store = await openTestStore(t, (await makeVenue(t)).location);
    await register(store, 1);
    const rotated = await Promise.all([1, 2, 3].map((at) => store.webhooks.rotate(exampleId(1), at)));
    assert.deepEqual(rotated.map((it) => it?.secretGeneration).toSorted(), [1, 2, 3]);
    const now = await store.webhooks.find(exampleId(1));
    assert.deepEqual(
      rotated.find((it) => it?.secretGeneration === 3),
      now,
    );
    assert.equal(await store.webhooks.rotate(exampleId(2), 1), null);
  });

  test('a deletion keeps its first timestamp, frees its slot a day after registration and can be undone while there is room', async (t) => {
    const { webhooks } = await openTestStore(t, (await makeVenue(t)).location);
    const caps = { perWalletAndClient: 2, perClient: 2 };
    for (const number of [1, 2]) await webhooks.register(exampleRegistration(number), caps);
    assert.equal(await webhooks.delete(exampleId(1), DELETED_MS), true);
    assert.equal(await webhooks.delete(exampleId(1), DELETED_MS + 5), true);
    assert.equal((await webhooks.find(exampleId(1)))?.deletedAtMs, DELETED_MS);
    assert.equal(await webhooks.delete(exampleId(9), DELETED_MS), false);
    assert.deepEqual(await webhooks.register(exampleRegistration(3), caps), {
      outcome: 'limit',
      limit: 'perWalletAndClient',
    });
    const tomorrow = exampleRegistration(3, { createdAtMs: NEXT_DAY_MS });
    assert.deepEqual(await webhooks.register(tomorrow, caps), { outcome: 'registered' });
    assert.deepEqual(await webhooks.restore(exampleId(1), caps, NEXT_DAY_MS), {
      outcome: 'limit',
      limit: 'perWalletAndClient',
    });
    assert.equal((await webhooks.find(exampleId(1)))?.deletedAtMs, DELETED_MS, 'still deleted');
    await webhooks.delete(exampleId(3), NEXT_DAY_MS);
    const later = 2 * NEXT_DAY_MS;
    for (let times = 0; times < 2; times += 1)
      assert.deepEqual(await webhooks.restore(exampleId(1), caps, later), { outcome: 'restored' });
    assert.equal((await webhooks.find(exampleId(1)))?.secretDeletes, true);
    assert.deepEqual(idsOf(await webhooks.ofWallet('wallet', ALL)), [1, 2].map(exampleId));
    assert.equal(await webhooks.restore(exampleId(9), caps, EXAMPLE_START_MS), null);
  });

  test('restoring webhooks concurrently never exceeds the limit', async (t) => {
    const { location } = await makeVenue(t);
    const stores = await openRivals(t, location, 2);
    for (let number = 0; number < 12; number += 1) {
      await register(stores[0]!, number);
      await stores[0]!.webhooks.delete(exampleId(number), DELETED_MS);
    }
    const restoring = Array.from({ length: 12 }, async (_, index) => {
      const outcome = await stores[index % 2]!.webhooks.restore(exampleId(index), CAPS, NEXT_DAY_MS);
      assert.ok(outcome);
      return outcome;
    });
    assert.deepEqual(await outcomesOf(restoring), { restored: 3, perWalletAndClient: 9 });
  });

  test('registering and deleting in a loop reaches the caps, because they count all registrations of the last 24 hours', async (t) => {
    const { webhooks } = await openTestStore(t, (await makeVenue(t)).location);
    let number = 0;
    const made = async (caps: Partial<typeof NO_CAPS>, overrides: object = {}) => {
      number += 1;
      const registration = exampleRegistration(number, overrides);
      const ping = exampleEvent(1_000 + number, { registrationId: registration.id, type: 'ping' });
      const result = await webhooks.register(registration, { ...NO_CAPS, ...caps }, ping);
      if (result.outcome === 'registered') await webhooks.delete(registration.id, DELETED_MS);
      return result.outcome === 'limit' ? result.limit : result.outcome;
    };
    const outcomes = async (caps: Partial<typeof NO_CAPS>, of: (index: number) => object) => {
      const all: string[] = [];
      for (let index = 0; index < 3; index += 1) all.push(await made(caps, of(index)));
      return all;
    };
    assert.deepEqual(await outcomes({ perClient: 2 }, (index) => ({ walletAddress: `${index}` })), [
      ...['registered', 'registered', 'perClient'],
    ]);
    const inSite = (index: number) => ({ client: `2001:db8:1:${index}::/64`, walletAddress: 'a' });
    assert.deepEqual(await outcomes({ perSite: 2 }, inSite), ['registered', 'registered', 'perSite']);
    assert.equal(await made({ perSite: 2 }, { client: '2001:db8:10:1::/64' }), 'registered');
    const atHost = (index: number) => ({
      client: `${index}`,
      callbackUrl: `https://victim.example/${index}`,
    });
    assert.deepEqual(await outcomes({ perHost: 2 }, atHost), ['registered', 'registered', 'perHost']);
    assert.equal(await made({ perHost: 2 }, { callbackUrl: 'https://other.example/' }), 'registered');
    assert.equal(await made({ inAll: 8 }), 'inAll');
    assert.equal(await made({ inAll: 8, perHost: 2 }, { createdAtMs: NEXT_DAY_MS }), 'registered');
  });

  test('events recorded before the first accepted ping, or while the registration was deleted, wait and become due afterwards', async (t) => {
    const { webhooks, outbox } = await openTestStore(t, (await makeVenue(t)).location);
    const ping = exampleEvent(1, { type: 'ping' });
    await webhooks.register(exampleRegistration(1), NO_CAPS, ping);
    assert.equal((await webhooks.find(exampleId(1)))?.awaitsAnswer, true);
    const refused = exampleEvent(4, { type: 'ping' });
    await outbox.record([exampleEvent(2), refused]);
    const due = async () =>
      (await outbox.claim(exampleClaim({ nowMs: EXAMPLE_START_MS + 2 * NEXT_DAY_MS }))).map(({ id }) => id);
    const keyed = rememberingKeys(outbox);
    const pings = (await keyed.claim(exampleClaim())).map(({ id }) => id);
    assert.deepEqual(pings.toSorted(), [ping.id, refused.id].toSorted());
    // An event that has a due time keeps it, because an accepted ping only makes waiting events due.
    const attempt = exampleAttempt({ outcome: 'refused-status', status: 500 });
    const again = { state: 'pending', nextAttemptAtMs: EXAMPLE_START_MS + 3 * NEXT_DAY_MS } as const;
    await keyed.settle([exampleResult(4, { attempt, next: again })]);
    const end = exampleResult(1, { next: { state: 'delivered' }, enable: true });
    await keyed.settle([end]);
    assert.equal((await webhooks.find(exampleId(1)))?.awaitsAnswer, false);
    assert.deepEqual(await due(), [exampleEvent(2).id]);
    await webhooks.delete(exampleId(1), DELETED_MS);
    assert.deepEqual(await outbox.record([exampleEvent(3)]), [exampleEvent(3).id]);
    assert.ok(!(await due()).includes(exampleEvent(3).id), 'nothing is sent to a deleted webhook');
    await webhooks.restore(exampleId(1), NO_CAPS, DELETED_MS + 1);
    const claim = exampleClaim({ nowMs: EXAMPLE_START_MS + 4 * NEXT_DAY_MS });
    const ids = (await outbox.claim(claim)).map(({ id }) => id);
    assert.ok(ids.includes(exampleEvent(3).id), 'missed events are due');
  });

  test('a ping response that arrives after the deletion makes no delivery due, and deliveries wait until the registration is restored', async (t) => {
    const { webhooks, outbox } = await openTestStore(t, (await makeVenue(t)).location);
    await webhooks.register(exampleRegistration(1), NO_CAPS, exampleEvent(1, { type: 'ping' }));
    await outbox.record([exampleEvent(2)]);
    const keyed = rememberingKeys(outbox);
    await keyed.claim(exampleClaim());
    await webhooks.delete(exampleId(1), DELETED_MS);
    await keyed.settle([exampleResult(1, { next: { state: 'delivered' }, enable: true })]);
    const claim = exampleClaim({ nowMs: EXAMPLE_START_MS + 2 * NEXT_DAY_MS });
    assert.deepEqual(await outbox.claim(claim), []);
    const [waiting] = await outbox.deliveries(exampleId(1), { limit: 1, before: null, state: null });
    assert.deepEqual([waiting?.id, waiting?.state], [exampleEvent(2).id, 'pending']);
    await webhooks.restore(exampleId(1), NO_CAPS, DELETED_MS + 1);
    assert.equal((await outbox.claim(claim))[0]?.id, exampleEvent(2).id);
  });

  test('events that wait too long are deleted, but their ids stay known', async (t) => {
    const { webhooks, outbox } = await openTestStore(t, (await makeVenue(t)).location);
    const ping = exampleEvent(1, { type: 'ping' });
    await webhooks.register(exampleRegistration(1), NO_CAPS, ping);
    await outbox.record([exampleEvent(2), exampleEvent(3)]);
    const keyed = rememberingKeys(outbox);
    await keyed.claim(exampleClaim());
    await keyed.settle([exampleResult(1, { next: { state: 'dead' } })]);
    const log = async () =>
      (await outbox.deliveries(exampleId(1), { limit: 10, before: null, state: null })).map(({ id }) => id);
    const deadBeforeMs = exampleEvent(3).atMs;
    await outbox.pruneSettledBefore({ deliveredBeforeMs: 0, deadBeforeMs });
    assert.deepEqual(await log(), [exampleEvent(3).id, ping.id]);
    assert.deepEqual(await outbox.record([exampleEvent(2)]), [], 'no fact is reported twice');
    await outbox.pruneSettledBefore({ deliveredBeforeMs: 0, deadBeforeMs: EXAMPLE_START_MS * 2 });
    assert.deepEqual(await log(), []);
  });

  test('a receiver that did not respond is pinged at most once in 24 hours, and one that responded recently is pinged immediately', async (t) => {
    const { webhooks, outbox } = await openTestStore(t, (await makeVenue(t)).location);
    const first = exampleEvent(1, { type: 'ping' });
    await webhooks.register(exampleRegistration(1), NO_CAPS, first);
    const again = (number: number, afterMs: number) =>
      outbox.ask(exampleEvent(number, { type: 'ping', atMs: first.atMs + afterMs }));
    assert.equal(await again(2, 1_000), first.id, 'the ping in progress');
    const keyed = rememberingKeys(outbox);
    await keyed.claim(exampleClaim());
    await keyed.settle([exampleResult(1, { next: { state: 'dead' } })]);
    assert.equal(await again(3, DAY_MS - 1), null);
    assert.equal(await again(4, DAY_MS), exampleEvent(4).id);
    await keyed.claim(exampleClaim({ nowMs: first.atMs + DAY_MS }));
    // The receiver responds to the ping after the attempt was already reported as failed.
    await keyed.settle([exampleResult(4, { next: { state: 'delivered' }, enable: true })]);
    assert.equal(await again(5, DAY_MS + 1), exampleEvent(5).id);
  });

  test('enabling a disabled webhook clears its failures and the reason why it was disabled, and an enabled one keeps its failures', async (t) => {
    const store = await openTestStore(t, (await makeVenue(t)).location);
    await register(store, 1);
    await store.outbox.record([exampleEvent(1)]);
    const outbox = rememberingKeys(store.outbox);
    await outbox.claim(exampleClaim());
    const attempt = exampleAttempt({ outcome: 'gone', status: 410 });
    await outbox.settle([exampleResult(1, { attempt, next: { state: 'dead' }, disable: 'gone' })]);
    const failing = await store.webhooks.find(exampleId(1));
    assert.equal(failing?.disabledReason, 'gone');
    assert.equal(failing?.failingSinceMs, attempt.atMs);
    await store.webhooks.enable(exampleId(1));
    assert.deepEqual(await store.webhooks.find(exampleId(1)), {
      ...failing,
      disabledReason: null,
      failingSinceMs: null,
    });
    await store.outbox.record([exampleEvent(2)]);
    await outbox.claim(exampleClaim());
    const down = exampleAttempt({ outcome: 'refused-status', status: 500 });
    await outbox.settle([exampleResult(2, { attempt: down, next: { state: 'dead' } })]);
    await store.webhooks.enable(exampleId(1));
    assert.equal((await store.webhooks.find(exampleId(1)))?.failingSinceMs, down.atMs);
  });

  test('registrations that were deleted long ago are removed with all their data, and all others stay', async (t) => {
    const store = await openTestStore(t, (await makeVenue(t)).location);
    const { webhooks } = store;
    const outbox = rememberingKeys(store.outbox);
    const many = Array.from({ length: 110 }, (_, index) => index + 1);
    await register(store, ...many, 500);
    const events = Array.from({ length: 620 }, (_, index) => exampleEvent(index));
    await outbox.record([...events, exampleEvent(900, { registrationId: exampleId(500) })]);
    await outbox.claim(exampleClaim({ limit: 5 }));
    await outbox.settle([exampleResult(0), exampleResult(1)]);
    await Promise.all(many.map((number) => webhooks.delete(exampleId(number), DELETED_MS + (number % 2))));
    assert.equal(await webhooks.pruneDeletedBefore(DELETED_MS + 1), 55);
    assert.ok(await webhooks.find(exampleId(1)));
    assert.equal(await webhooks.pruneDeletedBefore(DELETED_MS + 2), 55);
    assert.equal(await webhooks.find(exampleId(1)), null);
    assert.deepEqual(await webhooks.page(null, 500).then(idsOf), [exampleId(500)]);
    assert.deepEqual((await outbox.backlog()).pending, 1);
    const log = await outbox.deliveries(exampleId(1), { limit: 9, before: null, state: null });
    assert.deepEqual(log, []);
    await register(store, 1);
    assert.deepEqual(await outbox.record([exampleEvent(0)]), [exampleEvent(0).id], 'nothing of it is left');
  });

  test('an unavailable store causes STORE_UNAVAILABLE for registrations and the outbox', async (t) => {
    const { webhooks, outbox, close } = await openTestStore(t, (await makeVenue(t)).location);
    await close();
    const work = [
      () => webhooks.register(exampleRegistration(1), NO_CAPS),
      () => webhooks.ofWallet('wallet', ALL),
      () => webhooks.restore(exampleId(1), NO_CAPS, EXAMPLE_START_MS),
      () => webhooks.pruneDeletedBefore(1),
      () => outbox.record([exampleEvent(1)]),
      () => outbox.claim(exampleClaim()),
      () => outbox.settle([exampleResult(1)]),
      () => outbox.replay(exampleId(1), { eventId: 'evt' }, 1),
      () => outbox.backlog(),
    ];
    for (const [index, one] of work.entries())
      await assert.rejects(one(), (error) => isAppError(error, 'STORE_UNAVAILABLE'), String(index));
  });
};
