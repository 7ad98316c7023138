// Records events with their deliveries: each id once, and only for who still wants to be told.
import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';
import type { NewEvent } from './outbox.ts';

/** Rows of one insert: at most seven values each, below every engine's limit on parameters. */
const INSERT_ROWS = 500;

/** Records `events` within the transaction `db` as `Outbox.record` promises. Returns the ids that were new. */
export const recordEvents = async (
  db: Kysely<Database>,
  events: readonly NewEvent[],
): Promise<readonly string[]> => {
  const added: string[] = [];
  for (const chunk of chunksOf(await tellable(db, events))) added.push(...(await insertEvents(db, chunk)));
  return added;
};

/** `items` in the numbers that one statement takes. */
export const chunksOf = <Item>(items: readonly Item[]): (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / INSERT_ROWS) }, (_, index) =>
    items.slice(index * INSERT_ROWS, (index + 1) * INSERT_ROWS),
  );

/** In one order, so that two processes that write the same rows cannot wait for each other. */
export const sortedBy = <Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] =>
  items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));

/**
 * Those whose registration is there and not deleted; a farewell is for a deleted one. Each id once. In the order in which they will be claimed, so
 * that a claim's rows lie side by side: in the order of their ids each claim and each settling wrote every page (8 kB a delivery, 2026-11). Two
 * processes that record the same events agree on it, so that they cannot wait for each other.
 */
const tellable = async (db: Kysely<Database>, events: readonly NewEvent[]): Promise<readonly NewEvent[]> => {
  const deleted = new Map<string, boolean>();
  const registrations = [...new Set(events.map(({ registrationId }) => registrationId))];
  for (const ids of chunksOf(registrations)) {
    const rows = await db
      .selectFrom('webhooks')
      .select(['id', 'deleted_at_ms'])
      .where('id', 'in', ids)
      .execute();
    for (const { id, deleted_at_ms } of rows) deleted.set(id, deleted_at_ms !== null);
  }
  const wanted = events.filter(({ registrationId, type }) => {
    const isDeleted = deleted.get(registrationId);
    return isDeleted === false || (isDeleted === true && type === 'registration_deleted');
  });
  return [...new Map(wanted.map((event) => [event.id, event])).values()].sort(
    (a, b) => dueOf(a) - dueOf(b) || (a.id < b.id ? -1 : 1),
  );
};

const dueOf = ({ dueAtMs, atMs }: NewEvent): number => dueAtMs ?? atMs;

const insertEvents = async (db: Kysely<Database>, events: readonly NewEvent[]): Promise<string[]> => {
  const rows = await db
    .insertInto('events')
    .values(
      events.map((event) => ({
        id: event.id,
        registration: event.registrationId,
        type: event.type,
        at_ms: BigInt(event.atMs),
        data: event.data,
        expires_at_ms: event.expiresAtMs === null ? null : BigInt(event.expiresAtMs),
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'key'])
    .execute();
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  const fresh = events.filter(({ id }) => keys.has(id));
  if (fresh.length > 0)
    await db
      .insertInto('deliveries')
      .values(
        fresh.map((event) => ({
          event: keys.get(event.id)!,
          registration: event.registrationId,
          at_ms: BigInt(event.atMs),
          state: 'pending' as const,
          attempts: 0n,
          attempts_ever: 0n,
          attempt_log: '',
          due_at_ms: BigInt(dueOf(event)),
        })),
      )
      .execute();
  return [...keys.keys()];
};
