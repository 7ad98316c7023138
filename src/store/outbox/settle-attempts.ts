// Settles attempts in one transaction: the log, the deliveries, and the state of their registrations.
import { type Kysely, sql } from 'kysely';
import type { Database, Engine } from '../schema.ts';
import { attemptLine, deliveryChange, registrationChanges } from './attempt-effects.ts';
import { UNLEASED } from './delivery-leases.ts';
import type { AttemptResult } from './outbox.ts';

/** Implements `Outbox.settle`, within the transaction `db`. */
export const settleAttempts = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  results: readonly AttemptResult[],
): Promise<void> => {
  // Registrations before deliveries, each in one order, so that two processes never wait for each other.
  const registrations = await lockRegistrationRows(db, engine, results);
  const owners = await lockDeliveries(db, engine, results);
  const counting: AttemptResult[] = [];
  for (const result of results) {
    const key = BigInt(result.key);
    if (owners.get(key) === result.owner) {
      await settleDelivery(db, result);
      counting.push(result);
    } else await logAttempt(db, result);
    // A second result for the same delivery is only logged.
    owners.delete(key);
  }
  for (const change of registrationChanges(counting)) {
    const row = registrations.get(change.id);
    if (row === undefined) continue;
    const { lastDeliveryAtMs, failingSinceMs, disabledReason } = change;
    const last = lastDeliveryAtMs === null ? null : BigInt(lastDeliveryAtMs);
    const failing = failingSinceMs === null ? null : BigInt(failingSinceMs);
    await db
      .updateTable('webhooks')
      .set({
        last_delivery_at_ms:
          last === null || (row.last_delivery_at_ms ?? 0n) > last ? row.last_delivery_at_ms : last,
        failing_since_ms: (change.keepsFailing ? row.failing_since_ms : null) ?? failing,
        disabled_reason: disabledReason === undefined ? row.disabled_reason : disabledReason,
      })
      .where('id', '=', change.id)
      .execute();
  }
  const answered = results.filter(({ enable }) => enable);
  if (answered.length > 0) await releaseWaiting(db, answered);
};

const lockRegistrationRows = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  results: readonly AttemptResult[],
) => {
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'last_delivery_at_ms', 'failing_since_ms', 'disabled_reason'])
    .where('id', 'in', [...new Set(results.map(({ registrationId }) => registrationId))])
    .orderBy('id')
    .$if(engine === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
};

/** Locks the deliveries and returns the owner of each lease. */
const lockDeliveries = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  results: readonly AttemptResult[],
) => {
  const rows = await db
    .selectFrom('deliveries')
    .select(['event', 'lease_owner'])
    .where(
      'event',
      'in',
      results.map(({ key }) => BigInt(key)),
    )
    .orderBy('event')
    .$if(engine === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  return new Map(rows.map(({ event, lease_owner }) => [event, lease_owner]));
};

const settleDelivery = async (db: Kysely<Database>, result: AttemptResult): Promise<void> => {
  const { state, attempts, dueAtMs, settledAtMs } = deliveryChange(result);
  await db
    .updateTable('deliveries')
    .set((eb) => ({
      state,
      attempts: eb('attempts', '+', BigInt(attempts)),
      attempts_ever: eb('attempts_ever', '+', 1n),
      due_at_ms: dueAtMs === null ? null : BigInt(dueAtMs),
      settled_at_ms: settledAtMs === null ? null : BigInt(settledAtMs),
      attempt_log: eb('attempt_log', '||', attemptLine(result.attempt)),
      ...UNLEASED,
    }))
    .where('event', '=', BigInt(result.key))
    .execute();
};

/** Logs the attempt of a process that no longer holds the lease; it has no consequences. */
const logAttempt = async (db: Kysely<Database>, { key, attempt }: AttemptResult): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set((eb) => ({
      attempts_ever: eb('attempts_ever', '+', 1n),
      attempt_log: eb('attempt_log', '||', attemptLine(attempt)),
    }))
    .where('event', '=', BigInt(key))
    .execute();
};

/** Makes deliveries due that waited for the receiver's first answer. Those of deleted registrations keep waiting. */
const releaseWaiting = async (db: Kysely<Database>, answered: readonly AttemptResult[]): Promise<void> => {
  const nowMs = Math.max(...answered.map(({ attempt }) => attempt.atMs + attempt.durationMs));
  const rows = await db
    .updateTable('webhooks')
    .set({ awaits_answer: 0n })
    .where('awaits_answer', '=', sql.lit(1n))
    .where(
      'id',
      'in',
      answered.map(({ registrationId }) => registrationId),
    )
    .returning(['id', 'deleted_at_ms'])
    .execute();
  const ids = rows.filter(({ deleted_at_ms }) => deleted_at_ms === null).map(({ id }) => id);
  if (ids.length === 0) return;
  await db
    .updateTable('deliveries')
    .set({ due_at_ms: BigInt(nowMs) })
    .where('registration', 'in', ids)
    .where('state', '=', 'pending')
    .where('due_at_ms', 'is', null)
    .execute();
};
