// Records events with their deliveries: each id once, and only for registrations that still accept them.
import type { Kysely } from 'kysely';
import type { Database, Engine, RegistrationKind } from '../schema.ts';
import type { NewEvent } from './outbox.ts';

/**
 * Number of rows per insert. With at most seven values each, this stays below every engine's parameter limit.
 */
const INSERT_ROWS = 500;

/** Implements `Outbox.record` within the transaction `db`. Returns the new ids. */
export const recordEvents = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  events: readonly NewEvent[],
): Promise<readonly string[]> => {
  const added: string[] = [];
  for (const chunk of splitIntoChunks(await wantedEvents(db, engine, events)))
    added.push(...(await insertEvents(db, chunk)));
  return added;
};

/** Splits `items` into chunks that each fit into one statement. */
export const splitIntoChunks = <Item>(items: readonly Item[]): (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / INSERT_ROWS) }, (_, index) =>
    items.slice(index * INSERT_ROWS, (index + 1) * INSERT_ROWS),
  );

/** Sorts the rows, so two processes that write the same rows cannot deadlock. */
export const sortedBy = <Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] =>
  items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));

/**
 * Selects the events whose registration exists, each id once. Events of a deleted registration wait for its
 * restore; a deregistration notice requires the deletion. Sorted in the order of later claims, so the rows of a
 * claim are adjacent; when events were sorted by id, each claim and each settlement wrote every page (8 kB per
 * delivery, 2026-11). All processes use this order, so two that record the same events cannot deadlock.
 */
const wantedEvents = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  events: readonly NewEvent[],
): Promise<readonly Recorded[]> => {
  const addressees = new Map<string, Addressee>();
  const registrations = [...new Set(events.map(({ registrationId }) => registrationId))];
  for (const ids of splitIntoChunks(registrations)) {
    const select = db
      .selectFrom('webhooks')
      .select(['id', 'kind', 'deleted_at_ms', 'awaits_answer'])
      .where('id', 'in', ids);
    const rows = await select.execute();
    for (const row of rows) addressees.set(row.id, row);
    const held = rows.filter(isHeld);
    if (engine !== 'postgres' || held.length === 0) continue;
    // Read again under a lock, because a concurrent response or restore makes all waiting deliveries due, and
    // must not miss these.
    const locked = await select
      .where(
        'id',
        'in',
        held.map(({ id }) => id),
      )
      .orderBy('id')
      .forShare()
      .execute();
    for (const row of locked) addressees.set(row.id, row);
  }
  const wanted = events.flatMap((event): Recorded[] => {
    const addressee = addressees.get(event.registrationId);
    if (addressee === undefined) return [];
    const { type } = event;
    const isDeleted = addressee.deleted_at_ms !== null;
    if (type === 'registration_deleted') return isDeleted ? [{ event, waits: false }] : [];
    if (isDeleted && (type === 'ping' || addressee.kind !== 'events')) return [];
    return [{ event, waits: isHeld(addressee) && type !== 'ping' }];
  });
  return [...new Map(wanted.map((one) => [one.event.id, one])).values()].sort(
    (a, b) => dueOf(a.event) - dueOf(b.event) || (a.event.id < b.event.id ? -1 : 1),
  );
};

interface Recorded {
  readonly event: NewEvent;
  /**
   * True if deliveries wait because the receiver has never responded to a ping or its registration is deleted.
   */
  readonly waits: boolean;
}

interface Addressee {
  readonly id: string;
  readonly kind: RegistrationKind;
  readonly deleted_at_ms: bigint | null;
  readonly awaits_answer: bigint;
}

const isHeld = ({ deleted_at_ms, awaits_answer }: Addressee): boolean =>
  deleted_at_ms !== null || awaits_answer === 1n;

const dueOf = ({ dueAtMs, atMs }: NewEvent): number => dueAtMs ?? atMs;

const insertEvents = async (db: Kysely<Database>, recorded: readonly Recorded[]): Promise<string[]> => {
  const rows = await db
    .insertInto('events')
    .values(
      recorded.map(({ event }) => ({
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
  const fresh = recorded.filter(({ event }) => keys.has(event.id));
  if (fresh.length > 0)
    await db
      .insertInto('deliveries')
      .values(
        fresh.map(({ event, waits }) => ({
          event: keys.get(event.id)!,
          registration: event.registrationId,
          at_ms: BigInt(event.atMs),
          state: 'pending' as const,
          attempts: 0n,
          attempts_ever: 0n,
          attempt_log: '',
          due_at_ms: waits ? null : BigInt(dueOf(event)),
        })),
      )
      .execute();
  return [...keys.keys()];
};

/**
 * Minimum time, in ms, between two pings of a receiver that has never responded. Each ping is attempted at most
 * ten times.
 */
const ASK_AGAIN_MS = 24 * 60 * 60 * 1000;

/** Implements `Outbox.ask` within the transaction `db`. */
export const askReceiver = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  ping: NewEvent,
): Promise<string | null> => {
  const latest = await db
    .selectFrom('events')
    .innerJoin('deliveries', 'deliveries.event', 'events.key')
    .select(['events.id', 'events.key', 'events.at_ms', 'deliveries.state', 'deliveries.due_at_ms'])
    .where('events.registration', '=', ping.registrationId)
    .where('events.type', '=', 'ping')
    .orderBy('events.key', 'desc')
    .limit(1)
    .executeTakeFirst();
  const now = BigInt(ping.atMs);
  if (latest?.state === 'pending') {
    await db
      .updateTable('deliveries')
      .set({ due_at_ms: now })
      .where('event', '=', latest.key)
      .where('state', '=', 'pending')
      .where('due_at_ms', '>', now)
      .execute();
    return latest.id;
  }
  // A `delivered` last ping means that the receiver responded after the caller had read that it had not.
  if (latest?.state === 'dead' && latest.at_ms > now - BigInt(ASK_AGAIN_MS)) return null;
  await recordEvents(db, engine, [ping]);
  return ping.id;
};
