// Prunes settled deliveries and deliveries that still wait for a response or a restore. Event ids are kept as
// long as their registration, so no event is emitted twice.
import { setImmediate } from 'node:timers/promises';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';
import type { Outbox } from './outbox.ts';
import { splitIntoChunks } from './record-events.ts';

/**
 * Number of deliveries scanned per statement. On the embedded engine, a million take half a second in total, in
 * steps of half a millisecond (2026-11).
 */
const WINDOW_ROWS = 1_000;

/**
 * Deletes deliveries that were settled, or were created and are still waiting, before the given times. Returns
 * their number. Scans all deliveries in windows: this runs once an hour, whereas an index of settled deliveries
 * would be updated with each delivery.
 */
export const pruneSettled = async (db: Kysely<Database>, times: SettledTimes): Promise<number> => {
  let forgotten = 0;
  let window = await nextWindow(db, 0n);
  while (window !== null) {
    const rows = await db
      .selectFrom('deliveries')
      .select('event')
      .where('event', '>', window.after)
      .where('event', '<=', window.last)
      .where(isOver(times))
      .execute();
    for (const events of splitIntoChunks(rows.map(({ event }) => event))) {
      forgotten += await db.transaction().execute((it) => emptyEvents(it, events, times));
      await setImmediate();
    }
    window = await nextWindow(db, window.last);
    await setImmediate();
  }
  return forgotten;
};

type SettledTimes = Parameters<Outbox['pruneSettledBefore']>[0];

const isOver =
  ({ deliveredBeforeMs, deadBeforeMs }: SettledTimes) =>
  ({ or, and, eb }: ExpressionBuilder<Database, 'deliveries'>) =>
    or([
      and([eb('state', '=', 'delivered'), eb('settled_at_ms', '<', BigInt(deliveredBeforeMs))]),
      and([eb('state', '=', 'dead'), eb('settled_at_ms', '<', BigInt(deadBeforeMs))]),
      // A delivery without a due time waits for a response or a restore.
      and([
        eb('state', '=', 'pending'),
        eb('due_at_ms', 'is', null),
        eb('lease_until_ms', 'is', null),
        eb('at_ms', '<', BigInt(deadBeforeMs)),
      ]),
    ]);

const nextWindow = async (
  db: Kysely<Database>,
  after: bigint,
): Promise<{ readonly after: bigint; readonly last: bigint } | null> => {
  const { last } = await db
    .selectFrom(
      db
        .selectFrom('deliveries')
        .select('event')
        .where('event', '>', after)
        .orderBy('event')
        .limit(WINDOW_ROWS)
        .as('ahead'),
    )
    .select(({ fn }) => fn.max('event').as('last'))
    .executeTakeFirstOrThrow();
  return last === null ? null : { after, last };
};

/** Deletes at most `limit` events of a registration, including their ids. Returns their number. */
export const pruneEventsOf = async (
  db: Kysely<Database>,
  registrationId: string,
  limit: number,
): Promise<number> => {
  const rows = await db
    .selectFrom('events')
    .select('key')
    .where('registration', '=', registrationId)
    .limit(limit)
    .execute();
  const keys = rows.map(({ key }) => key);
  if (keys.length === 0) return 0;
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('deliveries').where('event', 'in', keys).execute();
    await transaction.deleteFrom('events').where('key', 'in', keys).execute();
  });
  return keys.length;
};

const emptyEvents = async (
  db: Kysely<Database>,
  events: readonly bigint[],
  times: SettledTimes,
): Promise<number> => {
  // Checked again, so a delivery replayed since the query is kept, whether it is waiting or has just been
  // settled again.
  const gone = await db
    .deleteFrom('deliveries')
    .where('event', 'in', events)
    .where(isOver(times))
    .returning('event')
    .execute();
  const keys = gone.map(({ event }) => event);
  if (keys.length === 0) return 0;
  // A ping's id need not be kept, because a ping reports no event. The exception is a receiver that has never
  // responded, for which the ping records when it was last pinged.
  await db
    .deleteFrom('events')
    .where('key', 'in', keys)
    .where('type', '=', 'ping')
    .where('registration', 'not in', (query) =>
      query.selectFrom('webhooks').select('id').where('awaits_answer', '=', sql.lit(1n)),
    )
    .execute();
  await db.updateTable('events').set({ data: '' }).where('key', 'in', keys).execute();
  return keys.length;
};
