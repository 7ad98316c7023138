// Reads the delivery log of a registration, and replays deliveries for its owner.
import { type Kysely, sql } from 'kysely';
import type { Database, Engine } from '../schema.ts';
import { readAttemptLog } from './attempt-log.ts';
import { hasNoLease, UNLEASED } from './delivery-leases.ts';
import type { Attempt, Delivery, Outbox } from './outbox.ts';

type LogOptions = Parameters<Outbox['deliveries']>[1];
type Which = Parameters<Outbox['replay']>[1];

/** Implements `Outbox.deliveries`. */
export const deliveryLog = async (
  db: Kysely<Database>,
  registrationId: string | null,
  { limit, before, state, id }: LogOptions,
): Promise<readonly (Delivery & { readonly attemptLog: readonly Attempt[] })[]> => {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.key', 'deliveries.event')
    .select([
      'events.id',
      'deliveries.registration',
      'events.type',
      'deliveries.at_ms',
      'events.data',
      'events.expires_at_ms',
      'deliveries.state',
      'deliveries.attempts',
      'deliveries.due_at_ms',
      'deliveries.settled_at_ms',
      'deliveries.attempt_log',
    ])
    .$if(registrationId !== null, (query) => query.where('deliveries.registration', '=', registrationId!))
    .$if(id !== undefined, (query) => query.where('events.id', '=', id!))
    .$if(state !== null, (query) => query.where('deliveries.state', '=', state!))
    .$if(before !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('deliveries.at_ms', 'deliveries.event'),
          '<',
          tuple(BigInt(before!.atMs), selectKey(db, before!.id)),
        ),
      ),
    )
    .orderBy('deliveries.at_ms', 'desc')
    .orderBy('deliveries.event', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    registrationId: row.registration,
    type: row.type,
    atMs: Number(row.at_ms),
    data: row.data,
    expiresAtMs: numberOrNull(row.expires_at_ms),
    state: row.state,
    attempts: Number(row.attempts),
    nextAttemptAtMs: numberOrNull(row.due_at_ms),
    settledAtMs: numberOrNull(row.settled_at_ms),
    attemptLog: readAttemptLog(row.attempt_log),
  }));
};

/** Selects the event's key, or 0 for a pruned event, which skips the other events of the same millisecond. */
const selectKey = (db: Kysely<Database>, id: string) =>
  sql<bigint>`coalesce((${db.selectFrom('events').select('key').where('id', '=', id)}), 0)`;

const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value));

/** Implements `Outbox.replay` within the transaction `db`. */
export const replayDeliveries = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  registrationId: string,
  which: Which,
  nowMs: number,
): Promise<number> => {
  const now = BigInt(nowMs);
  const registration = await db
    .selectFrom('webhooks')
    .select('awaits_answer')
    .where('id', '=', registrationId)
    .executeTakeFirst();
  const awaitsAnswer = registration?.awaits_answer === 1n;
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.key', 'deliveries.event')
    .select('deliveries.event')
    .where('deliveries.registration', '=', registrationId)
    .$if('eventId' in which, (query) =>
      query.where('events.id', '=', (which as Extract<Which, { eventId: string }>).eventId),
    )
    .$if('states' in which, (query) => {
      const { fromMs, toMs, states } = which as Extract<Which, { fromMs: number }>;
      return query
        .where('deliveries.at_ms', '>=', BigInt(fromMs))
        .where('deliveries.at_ms', '<', BigInt(toMs))
        .where('deliveries.state', 'in', states);
    })
    .where('events.type', '<>', 'registration_deleted')
    .$if(awaitsAnswer, (query) => query.where('events.type', '<>', 'ping'))
    .where(({ or, eb }) => or([eb('events.expires_at_ms', 'is', null), eb('events.expires_at_ms', '>', now)]))
    // A delivery whose attempt is in progress is skipped, because its outcome decides what comes next.
    .where(hasNoLease(nowMs))
    .orderBy('deliveries.event')
    .$if(engine === 'postgres', (query) => query.forNoKeyUpdate('deliveries'))
    .execute();
  const events = rows.map(({ event }) => event);
  for (let at = 0; at < events.length; at += UPDATE_ROWS)
    await db
      .updateTable('deliveries')
      .set({
        state: sql.lit('pending'),
        attempts: 0n,
        // A receiver that has not responded yet gets only pings.
        due_at_ms: awaitsAnswer ? null : now,
        ...UNLEASED,
        settled_at_ms: null,
      })
      .where('event', 'in', events.slice(at, at + UPDATE_ROWS))
      .execute();
  return events.length;
};

/** Number of deliveries per update, which stays below every engine's parameter limit. */
const UPDATE_ROWS = 1_000;
