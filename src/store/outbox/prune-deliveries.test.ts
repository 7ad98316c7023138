// Tests that pruning keeps any delivery that is replayed between the query and the deletion.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Kysely } from 'kysely';
import { EXAMPLE_OPTIONS } from '../../../test/support/store-fixture.ts';
import {
  exampleAttempt,
  exampleClaim,
  exampleEvent,
  exampleId,
  exampleRegistration,
  exampleResult,
  NO_CAPS,
  rememberingKeys,
} from '../../../test/support/webhook-examples.ts';
import { prepareStore } from '../engine/migrate.ts';
import { openSqliteEngine } from '../engine/sqlite-engine.ts';
import { migrations } from '../migrations/all.ts';
import type { Database } from '../schema.ts';
import { createWebhooks } from '../webhooks.ts';
import { createOutbox } from './create-outbox.ts';
import { pruneEventsOf, pruneSettled } from './prune-deliveries.ts';

const SETTLED_MS = exampleClaim().nowMs + 40;
const LONG_AGO = { deliveredBeforeMs: SETTLED_MS + 1, deadBeforeMs: SETTLED_MS + 1 };
const NOW_MS = SETTLED_MS + 86_400_000;

/** Opens an outbox with `count` delivered events of registration 1. */
const open = async (t: TestContext, count: number) => {
  const engine = openSqliteEngine(':memory:');
  t.after(() => engine.close());
  assert.equal(await prepareStore(engine, { ...EXAMPLE_OPTIONS, migrations }), null);
  await createWebhooks(engine).register(exampleRegistration(1), NO_CAPS);
  const outbox = rememberingKeys(createOutbox(engine));
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  await outbox.record(numbers.map((number) => exampleEvent(number)));
  await outbox.claim(exampleClaim({ limit: count, limitPerRegistration: count }));
  await outbox.settle(numbers.map((number) => exampleResult(number)));
  const log = async () =>
    (await outbox.deliveries(exampleId(1), { limit: count, before: null, state: null }))
      .toReversed()
      .map(({ id, state, data }) => [Number(id.slice(4)), state, data]);
  const replay = (number: number) =>
    outbox.replay(exampleId(1), { eventId: exampleEvent(number).id }, NOW_MS - 1_000);
  const claim = (limit: number) => outbox.claim(exampleClaim({ nowMs: NOW_MS - 1_000, limit }));
  return { db: engine.db, outbox, log, replay, claim };
};

/** Wraps the database so that its first transaction waits until `meanwhile` is done. */
const interrupted = (db: Kysely<Database>, meanwhile: () => Promise<unknown>): Kysely<Database> => {
  let first: Promise<unknown> | null = null;
  return new Proxy(db, {
    get: (target, name) => {
      const member = Reflect.get(target, name, target);
      if (name !== 'transaction') return typeof member === 'function' ? member.bind(target) : member;
      return () => ({
        execute: async (work: Parameters<ReturnType<typeof db.transaction>['execute']>[0]) => {
          first ??= meanwhile();
          await first;
          return db.transaction().execute(work);
        },
      });
    },
  });
};

test('a delivery replayed between the query and the deletion is kept, whether pending, in progress or settled again', async (t) => {
  const { db, outbox, log, replay, claim } = await open(t, 5);
  const again = exampleAttempt({ number: 2, atMs: NOW_MS - 1_000 });
  const meanwhile = async () => {
    for (const number of [1, 2]) await replay(number);
    assert.equal((await claim(2)).length, 2);
    await outbox.settle([
      exampleResult(1, { attempt: again }),
      exampleResult(2, { attempt: again, next: { state: 'dead' } }),
    ]);
    await replay(3);
    assert.equal((await claim(1)).length, 1);
    await replay(4);
  };
  assert.equal(await pruneSettled(interrupted(db, meanwhile), LONG_AGO), 1);
  assert.deepEqual(await log(), [
    [1, 'delivered', exampleEvent(1).data],
    [2, 'dead', exampleEvent(2).data],
    [3, 'pending', exampleEvent(3).data],
    [4, 'pending', exampleEvent(4).data],
  ]);
  const later = { deliveredBeforeMs: NOW_MS, deadBeforeMs: NOW_MS };
  assert.equal(
    await pruneSettled(db, later),
    2,
    'the two deliveries that were settled again are pruned when they are old enough',
  );
});

test('two concurrent pruning runs remove each delivery once', async (t) => {
  const { db, log } = await open(t, 1_100);
  const counts = await Promise.all([pruneSettled(db, LONG_AGO), pruneSettled(db, LONG_AGO)]);
  assert.equal(counts[0] + counts[1], 1_100);
  assert.deepEqual(await log(), []);
});

test('pruning continues past a thousand deliveries that must be kept', async (t) => {
  const { db, log, replay } = await open(t, 1_003);
  for (let number = 1; number <= 1_001; number += 1) await replay(number);
  assert.equal(await pruneSettled(db, LONG_AGO), 2);
  assert.equal((await log()).length, 1_001);
});

test('a registration’s events are removed in batches, whatever the state of their deliveries', async (t) => {
  const { db, outbox, replay } = await open(t, 5);
  await replay(2);
  await pruneSettled(db, { ...LONG_AGO, deadBeforeMs: 0 });
  const taken: number[] = [];
  for (;;) {
    const count = await pruneEventsOf(db, exampleId(1), 2);
    taken.push(count);
    if (count === 0) break;
  }
  assert.deepEqual(taken, [2, 2, 1, 0]);
  assert.deepEqual(await outbox.backlog(), { pending: 0, oldestDueMs: null, dead: 0 });
  assert.deepEqual(
    await outbox.record([exampleEvent(1)]),
    [exampleEvent(1).id],
    'the ids of its events were removed too',
  );
  assert.equal(await pruneEventsOf(db, exampleId(2), 2), 0);
});
