// Claims due deliveries. Only one process gets each delivery until its lease ends, even if several claim at
// once.
import { type Kysely, sql } from 'kysely';
import type { Database, Engine } from '../schema.ts';
import { hasNoLease, UNLEASED } from './delivery-leases.ts';
import type { ClaimedDelivery, ClaimOptions } from './outbox.ts';

/**
 * Number of due rows read per requested delivery, so a registration with many due deliveries does not fill a
 * claim. If one still does, the next claim excludes it.
 */
const LOOK_AHEAD = 4;

/** Implements `Outbox.claim`. Repeats until something has been claimed or nothing else is due. */
export const claimDue = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  options: ClaimOptions,
): Promise<readonly ClaimedDelivery[]> => {
  for (;;) {
    const { claimed, givenUp } = await db
      .transaction()
      .execute((transaction) => leaseDue(transaction, engine, options));
    if (claimed.length > 0 || givenUp === 0) return claimed;
  }
};

/** Leases the deliveries that have been due longest, and marks those that must not be sent as dead. */
const leaseDue = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  options: ClaimOptions,
): Promise<{ readonly claimed: readonly ClaimedDelivery[]; readonly givenUp: number }> => {
  const due = (await selectDue(db, engine, options).execute()).map(claimedOf);
  const { owner, nowMs, leaseMs } = options;
  const givenUp = due.filter((delivery) => !mayBeAttempted(delivery, nowMs));
  const claimed = share(
    due.filter((delivery) => mayBeAttempted(delivery, nowMs)),
    options,
  );
  if (claimed.length > 0)
    await updateAll(db, claimed)
      .set({ lease_owner: owner, lease_until_ms: BigInt(nowMs + leaseMs) })
      .execute();
  if (givenUp.length > 0)
    await updateAll(db, givenUp)
      .set({ state: 'dead', due_at_ms: null, settled_at_ms: BigInt(nowMs), ...UNLEASED })
      .execute();
  return { claimed, givenUp: givenUp.length };
};

/**
 * Selects due deliveries with their events and registrations, longest due first. PostgreSQL locks the rows and
 * skips those that another process is claiming; SQLite has only one writer.
 */
const selectDue = (db: Kysely<Database>, engine: Engine['name'], { nowMs, limit, except }: ClaimOptions) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.key', 'deliveries.event')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.registration')
    .select([
      'deliveries.event',
      'deliveries.registration',
      'deliveries.attempts',
      'deliveries.attempts_ever',
    ])
    .select(['events.id', 'events.type', 'events.at_ms', 'events.data', 'events.expires_at_ms'])
    .select(['callback_url', 'secret_generation', 'rotated_at_ms', 'wallet'])
    .select(['failing_since_ms', 'disabled_reason', 'deleted_at_ms'])
    .where('deliveries.state', '=', sql.lit('pending'))
    .where('deliveries.due_at_ms', '<=', BigInt(nowMs))
    .where(hasNoLease(nowMs))
    .$if(except.length > 0, (query) => query.where('deliveries.registration', 'not in', except))
    .orderBy('deliveries.due_at_ms')
    .orderBy('deliveries.at_ms')
    .orderBy('deliveries.event')
    .limit(limit * LOOK_AHEAD)
    .$if(engine === 'postgres', (query) => query.forUpdate('deliveries').skipLocked());

type DueRow = Awaited<ReturnType<ReturnType<typeof selectDue>['execute']>>[number];

const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value));

const claimedOf = (row: DueRow): ClaimedDelivery => ({
  key: Number(row.event),
  id: row.id,
  registrationId: row.registration,
  type: row.type,
  atMs: Number(row.at_ms),
  data: row.data,
  expiresAtMs: numberOrNull(row.expires_at_ms),
  attempts: Number(row.attempts),
  attemptsEver: Number(row.attempts_ever),
  callbackUrl: row.callback_url,
  secretGeneration: Number(row.secret_generation),
  rotatedAtMs: numberOrNull(row.rotated_at_ms),
  walletAddress: row.wallet,
  failingSinceMs: numberOrNull(row.failing_since_ms),
  disabled: row.disabled_reason !== null,
  deleted: row.deleted_at_ms !== null,
});

/** Takes the first `limit` rows, but at most `limitPerRegistration` of each registration. */
const share = (
  due: readonly ClaimedDelivery[],
  { limit, limitPerRegistration }: ClaimOptions,
): readonly ClaimedDelivery[] => {
  const counts = new Map<string, number>();
  return due
    .filter(({ registrationId }) => {
      const count = (counts.get(registrationId) ?? 0) + 1;
      counts.set(registrationId, count);
      return count <= limitPerRegistration;
    })
    .slice(0, limit);
};

/**
 * True if a delivery may be sent: a deleted registration gets only its deregistration notice, and a disabled
 * one only pings. Expired deliveries are not sent.
 */
const mayBeAttempted = (
  { type, expiresAtMs, disabled, deleted }: ClaimedDelivery,
  nowMs: number,
): boolean => {
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return false;
  if (deleted !== (type === 'registration_deleted')) return false;
  return !disabled || type === 'ping';
};

const updateAll = (db: Kysely<Database>, deliveries: readonly ClaimedDelivery[]) =>
  db.updateTable('deliveries').where(
    'event',
    'in',
    deliveries.map(({ key }) => BigInt(key)),
  );
