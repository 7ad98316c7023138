// Contract tests, run on every engine, for the outbox: an event is stored once, sent by one process at a time,
// and not deleted early.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt, Outbox } from '../../src/store/outbox/outbox.ts';
import type { DeliveryState } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { openRegisteredStore } from './registered-store.ts';
import { outboxClaimContract } from './store-contract-outbox-claims.ts';
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
const ALL = { limit: 1_000, before: null, state: null };

const logOf = (outbox: Outbox, options: Partial<Parameters<Outbox['deliveries']>[1]> = {}) =>
  outbox.deliveries(exampleId(1), { ...ALL, ...options });

const statesOf = async (outbox: Outbox): Promise<Record<string, DeliveryState>> =>
  Object.fromEntries((await logOf(outbox)).map(({ id, state }) => [id, state]));

/** Settles the named events with one claim. */
const settleAs = async (
  { outbox }: Store,
  states: Readonly<Record<number, 'delivered' | 'dead'>>,
  attempt: Attempt = exampleAttempt(),
): Promise<void> => {
  await outbox.claim(exampleClaim());
  await outbox.settle(
    Object.entries(states).map(([number, state]) =>
      exampleResult(Number(number), { attempt, next: { state } }),
    ),
  );
};

export const outboxContract = (makeVenue: MakeVenue): void => {
  test('an event is stored once even if it is recorded again, and only the first recording counts as new', async (t) => {
    const { location } = await makeVenue(t);
    const stores = await openRivals(t, location, 2);
    await stores[0]!.webhooks.register(exampleRegistration(1), NO_CAPS);
    const events = Array.from({ length: 600 }, (_, index) => exampleEvent(index));
    const recorded = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        stores[index % 2]!.outbox.record(index % 3 ? events : events.toReversed()),
      ),
    );
    assert.deepEqual(recorded.flat().toSorted(), events.map(({ id }) => id).toSorted());
    assert.equal((await stores[0]!.outbox.backlog()).pending, 600);
    assert.deepEqual(await stores[0]!.outbox.record([events[0]!, events[0]!, exampleEvent(600)]), [
      exampleEvent(600).id,
    ]);
  });

  test('nothing is recorded for an unknown registration, a deleted one gets no ping, and its missed events wait', async (t) => {
    const { webhooks, outbox } = await openRegisteredStore(t, makeVenue, [1, 2]);
    await webhooks.delete(exampleId(2), EXAMPLE_START_MS);
    const deregistration = exampleEvent(4, { registrationId: exampleId(2), type: 'registration_deleted' });
    const added = await outbox.record([
      exampleEvent(1),
      exampleEvent(2, { registrationId: exampleId(2) }),
      exampleEvent(3, { registrationId: exampleId(3) }),
      deregistration,
    ]);
    assert.deepEqual([...added].sort(), [exampleEvent(1).id, exampleEvent(2).id, deregistration.id]);
    const ping = exampleEvent(5, { registrationId: exampleId(2), type: 'ping' });
    assert.deepEqual(await outbox.record([ping]), []);
  });

  test('checkpoints are recorded together with the events or not at all', async (t) => {
    const { outbox } = await openRegisteredStore(t, makeVenue);
    assert.equal(await outbox.checkpoint('watcher'), null);
    await outbox.record([exampleEvent(1)], [{ name: 'watcher', value: '7' }]);
    await outbox.record(
      [],
      [
        { name: 'watcher', value: '8' },
        { name: 'other', value: 'x' },
      ],
    );
    assert.equal(await outbox.checkpoint('watcher'), '8');
    const impossible = { name: 'watcher', value: null as unknown as string };
    await assert.rejects(outbox.record([exampleEvent(2)], [impossible]));
    assert.equal(await outbox.checkpoint('watcher'), '8');
    assert.deepEqual(Object.keys(await statesOf(outbox)), [exampleEvent(1).id]);
  });

  test('the log is read newest first, in pages and by state, with every attempt in order', async (t) => {
    const store = await openRegisteredStore(t, makeVenue, [1, 2]);
    const { outbox } = store;
    const twins = [exampleEvent(2, { atMs: EXAMPLE_START_MS + 3 }), exampleEvent(3)];
    await outbox.record([exampleEvent(1), ...twins, exampleEvent(4, { registrationId: exampleId(2) })]);
    await settleAs(store, { 1: 'delivered', 3: 'dead' });
    const ids = (await logOf(outbox)).map(({ id }) => id);
    assert.deepEqual(
      ids,
      [3, 2, 1].map((number) => exampleEvent(number).id),
    );
    const [first] = await logOf(outbox, { limit: 1 });
    assert.ok(first);
    assert.deepEqual(
      (await logOf(outbox, { before: first })).map(({ id }) => id),
      ids.slice(1),
    );
    const [dead] = await logOf(outbox, { state: 'dead' });
    assert.deepEqual(dead, {
      ...exampleEvent(3),
      state: 'dead',
      attempts: 1,
      nextAttemptAtMs: null,
      settledAtMs: CLAIM_MS + 40,
      attemptLog: [exampleAttempt()],
    });
    assert.deepEqual(await logOf(outbox, { state: 'pending' }).then((log) => log.length), 1);
  });

  test('events with the same timestamp are listed with the last recorded first, and a page continues after the event that it names', async (t) => {
    const { outbox } = await openRegisteredStore(t, makeVenue);
    for (const number of [7, 2, 5]) await outbox.record([exampleEvent(number, { atMs: EXAMPLE_START_MS })]);
    const idsBefore = async (before: { readonly atMs: number; readonly id: string } | null) =>
      (await logOf(outbox, { before, limit: 2 })).map(({ id }) => id);
    const [five, two] = await idsBefore(null);
    assert.deepEqual([five, two], [exampleEvent(5).id, exampleEvent(2).id]);
    assert.deepEqual(await idsBefore({ atMs: EXAMPLE_START_MS, id: two! }), [exampleEvent(7).id]);
    assert.deepEqual(await idsBefore({ atMs: EXAMPLE_START_MS, id: 'evt_gone' }), []);
    assert.equal((await idsBefore({ atMs: EXAMPLE_START_MS + 1, id: 'evt_gone' })).length, 2);
  });

  test('a replay sends one event or a range again, starting with the first step, and continues its log', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    const { outbox } = store;
    await outbox.record([1, 2, 3, 4, 5].map((number) => exampleEvent(number)));
    await settleAs(store, { 1: 'delivered', 2: 'dead', 3: 'dead', 4: 'delivered', 5: 'dead' });
    const range = { fromMs: EXAMPLE_START_MS + 2, toMs: EXAMPLE_START_MS + 5 };
    const now = CLAIM_MS + 1_000;
    assert.equal(await outbox.replay(exampleId(1), { ...range, states: ['dead'] }, now), 2);
    assert.equal(await outbox.replay(exampleId(1), { eventId: exampleEvent(1).id }, now), 1);
    assert.equal(await outbox.replay(exampleId(2), { eventId: exampleEvent(4).id }, now), 0, 'not its own');
    const claimed = await outbox.claim(exampleClaim({ nowMs: now }));
    assert.deepEqual(
      claimed.map(({ id, attempts, attemptsEver }) => ({ id, attempts, attemptsEver })),
      [1, 2, 3].map((number) => ({ id: exampleEvent(number).id, attempts: 0, attemptsEver: 1 })),
    );
    const again = exampleAttempt({ number: 2, atMs: now, status: 204 });
    await outbox.settle([exampleResult(2, { attempt: again })]);
    const delivered = (await logOf(outbox, { state: 'delivered' })).find(
      ({ id }) => id === exampleEvent(2).id,
    );
    assert.equal(delivered?.attempts, 1);
    assert.deepEqual(delivered?.attemptLog, [exampleAttempt(), again]);
  });

  test('a replay omits expired events, notices of deletion and attempts in progress', async (t) => {
    const { webhooks, outbox } = await openRegisteredStore(t, makeVenue, [1, 2]);
    await outbox.record([
      exampleEvent(1, { expiresAtMs: CLAIM_MS + 10 }),
      exampleEvent(2),
      exampleEvent(3, { atMs: CLAIM_MS + 1 }),
    ]);
    await outbox.claim(exampleClaim());
    const range = { fromMs: 0, toMs: CLAIM_MS * 2, states: ['pending', 'delivered', 'dead'] } as const;
    assert.equal(await outbox.replay(exampleId(1), range, CLAIM_MS + 10), 1, 'the unclaimed one');
    assert.equal(await outbox.replay(exampleId(1), range, CLAIM_MS + 60_000), 2, 'the lease ended');
    await webhooks.delete(exampleId(2), CLAIM_MS);
    const deregistration = { registrationId: exampleId(2), type: 'registration_deleted' } as const;
    await outbox.record([exampleEvent(4, deregistration)]);
    assert.equal(await outbox.replay(exampleId(2), range, CLAIM_MS + 60_000), 0);
  });

  test('deliveries settled long ago are deleted except for their ids, so no event is reported twice', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    const { outbox } = store;
    const ping = exampleEvent(1_300, { type: 'ping' });
    await outbox.record([...Array.from({ length: 1_205 }, (_, index) => exampleEvent(index)), ping]);
    await outbox.claim(exampleClaim({ limit: 2_000, limitPerRegistration: 2_000 }));
    await outbox.settle([
      ...Array.from({ length: 1_100 }, (_, index) => exampleResult(index)),
      ...Array.from({ length: 100 }, (_, index) => exampleResult(1_100 + index, { next: { state: 'dead' } })),
      exampleResult(1_300),
    ]);
    const settledAtMs = CLAIM_MS + 40;
    const forget = (deliveredBeforeMs: number, deadBeforeMs: number): Promise<number> =>
      outbox.pruneSettledBefore({ deliveredBeforeMs, deadBeforeMs });
    assert.equal(await forget(settledAtMs, settledAtMs), 0);
    assert.equal(await forget(settledAtMs + 1, settledAtMs), 1_101);
    assert.deepEqual(await outbox.backlog(), { pending: 5, oldestDueMs: CLAIM_MS + 30_000, dead: 100 });
    assert.equal(await forget(settledAtMs + 1, settledAtMs + 1), 100);
    assert.deepEqual(await outbox.record([exampleEvent(0), exampleEvent(1_199)]), []);
    assert.equal(await outbox.replay(exampleId(1), { eventId: exampleEvent(0).id }, CLAIM_MS), 0);
    assert.deepEqual(await outbox.record([ping]), [ping.id], 'a ping has no fact');
    assert.equal((await logOf(outbox)).length, 6);
  });

  test('the backlog counts waiting and dead deliveries', async (t) => {
    const store = await openRegisteredStore(t, makeVenue);
    const { outbox } = store;
    assert.deepEqual(await outbox.backlog(), { pending: 0, oldestDueMs: null, dead: 0 });
    assert.equal(await outbox.nextDueMs(), null);
    const late = exampleEvent(3, { atMs: EXAMPLE_START_MS - 5, dueAtMs: EXAMPLE_START_MS + 9 });
    await outbox.record([exampleEvent(1), exampleEvent(2), late]);
    assert.equal(await outbox.nextDueMs(), EXAMPLE_START_MS + 1);
    assert.deepEqual(await outbox.backlog(), { pending: 3, oldestDueMs: EXAMPLE_START_MS + 1, dead: 0 });
    await settleAs(store, { 1: 'delivered', 2: 'dead' });
    assert.deepEqual(await outbox.backlog(), { pending: 1, oldestDueMs: CLAIM_MS + 30_000, dead: 1 });
  });

  test('receivers are listed with their waiting and failed deliveries, those with the most first', async (t) => {
    const store = await openRegisteredStore(t, makeVenue, [1, 2]);
    const { outbox } = store;
    assert.deepEqual(await outbox.receivers(), []);
    const other = { registrationId: exampleId(2) };
    await outbox.record([exampleEvent(1), exampleEvent(2), exampleEvent(3, other), exampleEvent(4, other)]);
    await outbox.record([exampleEvent(5, other)]);
    const refused = exampleAttempt({ outcome: 'refused-status', status: 500 });
    await outbox.claim(exampleClaim());
    await outbox.settle([
      exampleResult(1),
      exampleResult(2, { attempt: refused, next: { state: 'pending', nextAttemptAtMs: CLAIM_MS + 7 } }),
      exampleResult(3, { ...other, attempt: refused, next: { state: 'dead' } }),
    ]);
    assert.deepEqual(
      (await outbox.receivers()).map((one) => [
        one.registrationId,
        one.waiting,
        one.dead,
        one.nextAttemptAtMs,
        one.lastAttempt?.status,
        one.failingSinceMs === null,
      ]),
      [
        [exampleId(2), 2, 1, EXAMPLE_START_MS + 4, 500, false],
        [exampleId(1), 1, 0, CLAIM_MS + 7, 500, false],
      ],
    );
    await store.webhooks.delete(exampleId(2), CLAIM_MS);
    const deleted = async () =>
      (await outbox.receivers()).map((one) => [one.isDeleted, one.nextAttemptAtMs, one.lastAcceptedAtMs]);
    const acceptedMs = exampleAttempt().atMs + exampleAttempt().durationMs;
    const kept = [false, CLAIM_MS + 7, acceptedMs];
    assert.deepEqual(await deleted(), [[true, null, null], kept]);
    await outbox.record([exampleEvent(6, { ...other, type: 'registration_deleted' })]);
    assert.deepEqual(await deleted(), [[true, EXAMPLE_START_MS + 6, null], kept]);
  });

  test('alerts that an operator’s destination refused become due once it accepts one, with critical ones first', async (t) => {
    const { location } = await makeVenue(t);
    const [store] = await openRivals(t, location, 1);
    const { webhooks } = store!;
    const outbox = rememberingKeys(store!.outbox);
    await webhooks.register(exampleRegistration(1, { kind: 'operator' }), NO_CAPS);
    await webhooks.register(exampleRegistration(2), NO_CAPS);
    const other = { registrationId: exampleId(2) };
    const level = (name: string) => ({ data: JSON.stringify({ alert: 'a', level: name }) });
    await outbox.record([
      exampleEvent(1, level('info')),
      exampleEvent(2, level('critical')),
      exampleEvent(3, level('warning')),
      exampleEvent(4, { ...other, ...level('critical') }),
      exampleEvent(5, level('info')),
      exampleEvent(6, { ...other, ...level('info') }),
    ]);
    const nextAttemptAtMs = CLAIM_MS + 86_400_000;
    const attempt = exampleAttempt({ outcome: 'refused-status', status: 500 });
    const retry = { attempt, next: { state: 'pending', nextAttemptAtMs } } as const;
    await outbox.claim(exampleClaim());
    await outbox.settle([
      ...[1, 2, 3].map((number) => exampleResult(number, { ...retry, disable: 'failing' })),
      exampleResult(4, { ...other, ...retry }),
    ]);
    // A test alert and a restart enable the registration. This also clears the failures of a disabled
    // registration.
    await webhooks.enable(exampleId(1));
    await outbox.settle([exampleResult(5), exampleResult(6, other)]);
    const due = await outbox.claim(exampleClaim({ nowMs: CLAIM_MS + 60_000, owner: 'process two' }));
    assert.deepEqual(
      due.map(({ id }) => id),
      [2, 3, 1].map((number) => exampleEvent(number).id),
    );
  });

  outboxClaimContract(makeVenue);
};
