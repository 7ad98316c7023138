// Settles attempts in one transaction: the log, the deliveries, and the state of their registrations.
import { type Kysely, sql } from 'kysely';
import { alertLevels, type OperatorAlert } from '../../domain/alerts/alert-table.ts';
import type { Database, Engine } from '../schema.ts';
import { attemptLine } from './attempt-log.ts';
import { hasNoLease, UNLEASED } from './delivery-leases.ts';
import { type AttemptResult, isOwnFailure } from './outbox.ts';

/** Implements `Outbox.settle`, within the transaction `db`. */
export const settleAttempts = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  results: readonly AttemptResult[],
): Promise<void> => {
  // Locks registrations before deliveries, both sorted, so two processes cannot deadlock. SQLite has only one
  // writer.
  if (engine === 'postgres') await lockRegistrations(db, results);
  for (const result of results.toSorted((a, b) => a.key - b.key)) {
    const heldLease = await settleDelivery(db, result);
    if (heldLease) await noteInRegistration(db, result);
    else await logAttempt(db, result);
    if (result.enable) await releaseWaiting(db, result);
  }
};

const lockRegistrations = (db: Kysely<Database>, results: readonly AttemptResult[]) =>
  db
    .selectFrom('webhooks')
    .select('id')
    .where(
      'id',
      'in',
      results.map(({ registrationId }) => registrationId),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

const endOf = ({ atMs, durationMs }: AttemptResult['attempt']): bigint => BigInt(atMs + durationMs);

/** Settles one delivery. Returns false and changes nothing if this process no longer holds the lease. */
const settleDelivery = async (
  db: Kysely<Database>,
  { key, owner, attempt, next }: AttemptResult,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set((eb) => ({
      state: next.state,
      // An attempt interrupted by our own shutdown does not consume a step of the schedule.
      attempts: eb('attempts', '+', attempt.outcome === 'interrupted' ? 0n : 1n),
      attempts_ever: eb('attempts_ever', '+', 1n),
      due_at_ms: next.state === 'pending' ? BigInt(next.nextAttemptAtMs) : null,
      settled_at_ms: next.state === 'pending' ? null : endOf(attempt),
      attempt_log: eb('attempt_log', '||', attemptLine(attempt)),
      ...UNLEASED,
    }))
    .where('event', '=', BigInt(key))
    .where('lease_owner', '=', owner)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
};

/** Logs the attempt of a process that no longer holds the lease. The attempt has no other effect. */
const logAttempt = (db: Kysely<Database>, { key, attempt }: AttemptResult) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({
      attempts_ever: eb('attempts_ever', '+', 1n),
      attempt_log: eb('attempt_log', '||', attemptLine(attempt)),
    }))
    .where('event', '=', BigInt(key))
    .execute();

/**
 * Updates the registration after an acceptance or a failure. Failures on our side do not count against the
 * receiver.
 */
const noteInRegistration = async (
  db: Kysely<Database>,
  { registrationId, attempt, disable, enable }: AttemptResult,
): Promise<void> => {
  if (isOwnFailure(attempt.outcome)) return;
  if (attempt.outcome === 'delivered') await releaseAlerts(db, { registrationId, attempt });
  const change =
    attempt.outcome === 'delivered'
      ? { last_delivery_at_ms: laterOf(endOf(attempt)), failing_since_ms: null }
      : { failing_since_ms: sql<bigint>`coalesce(failing_since_ms, ${BigInt(attempt.atMs)})` };
  await db
    .updateTable('webhooks')
    .set({
      ...change,
      ...(disable && { disabled_reason: disable }),
      ...(enable && { disabled_reason: null }),
    })
    .where('id', '=', registrationId)
    .execute();
};

/**
 * Makes refused alerts due once the operator's destination accepts an alert again: critical ones first, then
 * warnings. Other receivers keep their schedule. `failing_since_ms` cannot be used to detect this, because
 * enabling a disabled destination clears it.
 */
const releaseAlerts = async (
  db: Kysely<Database>,
  { registrationId, attempt }: Pick<AttemptResult, 'registrationId' | 'attempt'>,
): Promise<void> => {
  const nowMs = endOf(attempt);
  const waiting = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.key', 'deliveries.event')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.registration')
    .select(['deliveries.event', 'events.data'])
    .where('deliveries.registration', '=', registrationId)
    .where('webhooks.kind', '=', 'operator')
    .where('deliveries.attempts', '>', 0n)
    .where('deliveries.state', '=', 'pending')
    .where('deliveries.due_at_ms', '>', nowMs)
    .where(hasNoLease(Number(nowMs)))
    .execute();
  for (const { event, data } of waiting) {
    const { level } = JSON.parse(data) as OperatorAlert;
    await db
      .updateTable('deliveries')
      .set({ due_at_ms: nowMs - BigInt(alertLevels.indexOf(level)) })
      .where('event', '=', event)
      .execute();
  }
};

const laterOf = (atMs: bigint) =>
  sql<bigint>`case when last_delivery_at_ms > ${atMs} then last_delivery_at_ms else ${atMs} end`;

/**
 * Makes deliveries due that have waited for the receiver's first response. Those of deleted registrations keep
 * waiting.
 */
const releaseWaiting = async (
  db: Kysely<Database>,
  { registrationId, attempt }: AttemptResult,
): Promise<void> => {
  const released = await db
    .updateTable('webhooks')
    .set({ awaits_answer: 0n })
    .where('awaits_answer', '=', sql.lit(1n))
    .where('id', '=', registrationId)
    .returning('deleted_at_ms')
    .executeTakeFirst();
  if (released === undefined || released.deleted_at_ms !== null) return;
  await db
    .updateTable('deliveries')
    .set({ due_at_ms: endOf(attempt) })
    .where('registration', '=', registrationId)
    .where('state', '=', 'pending')
    .where('due_at_ms', 'is', null)
    .execute();
};
