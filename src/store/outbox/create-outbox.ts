// Outbox for both engines. An event, its delivery and the watcher's checkpoint are written in one transaction,
// and each delivery is claimed by one process.
import { sql } from 'kysely';
import { withStoreErrors } from '../engine/store-errors.ts';
import type { Engine } from '../schema.ts';
import { claimDue } from './claim-deliveries.ts';
import { nextDue } from './delivery-leases.ts';
import { deliveryLog, replayDeliveries } from './delivery-log.ts';
import { listReceivers } from './list-receivers.ts';
import type { Outbox } from './outbox.ts';
import { pruneSettled } from './prune-deliveries.ts';
import { askReceiver, recordEvents, sortedBy, splitIntoChunks } from './record-events.ts';
import { settleAttempts } from './settle-attempts.ts';

export const createOutbox = ({ name: engine, db }: Pick<Engine, 'name' | 'db'>): Outbox => ({
  record: (events, marks = []) =>
    withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        const added = await recordEvents(transaction, engine, events);
        if (marks.length > 0)
          await transaction
            .insertInto('checkpoints')
            .values(sortedBy(marks, ({ name }) => name))
            .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`excluded.value` }))
            .execute();
        return added;
      }),
    ),

  ask: (ping) =>
    withStoreErrors(() => db.transaction().execute((transaction) => askReceiver(transaction, engine, ping))),

  checkpoint: (name) =>
    withStoreErrors(async () => {
      const row = await db
        .selectFrom('checkpoints')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirst();
      return row?.value ?? null;
    }),

  claim: (options) => withStoreErrors(() => claimDue(db, engine, options)),

  nextDueMs: () => withStoreErrors(() => nextDue(db)),

  settle: (results) =>
    withStoreErrors(async () => {
      for (const chunk of splitIntoChunks(results))
        await db.transaction().execute((transaction) => settleAttempts(transaction, engine, chunk));
    }),

  states: (eventIds) =>
    withStoreErrors(async () => {
      if (eventIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('events')
        .innerJoin('deliveries', 'deliveries.event', 'events.key')
        .select(['events.id', 'deliveries.state'])
        .where('events.id', 'in', eventIds)
        .execute();
      return new Map(rows.map(({ id, state }) => [id, state]));
    }),

  deliveries: (registrationId, options) => withStoreErrors(() => deliveryLog(db, registrationId, options)),

  replay: (registrationId, which, nowMs) =>
    withStoreErrors(() =>
      db
        .transaction()
        .execute((transaction) => replayDeliveries(transaction, engine, registrationId, which, nowMs)),
    ),

  pruneSettledBefore: (times) => withStoreErrors(() => pruneSettled(db, times)),

  receivers: () => withStoreErrors(() => listReceivers(db)),

  backlog: () =>
    withStoreErrors(async () => {
      const pending = await db
        .selectFrom('deliveries')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .where('state', '=', sql.lit('pending'))
        .executeTakeFirstOrThrow();
      const dead = await db
        .selectFrom('deliveries')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .where('state', '=', sql.lit('dead'))
        .executeTakeFirstOrThrow();
      return {
        pending: Number(pending.count),
        oldestDueMs: await nextDue(db),
        dead: Number(dead.count),
      };
    }),
});
