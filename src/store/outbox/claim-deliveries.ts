// Claims due deliveries: each goes to one process until its lease ends, however many processes ask at once.
import { type Kysely, sql } from 'kysely';
import type { Database, Engine } from '../schema.ts';
import { isFree, UNLEASED } from './delivery-leases.ts';
import type { ClaimedDelivery, ClaimOptions } from './outbox.ts';

/** Rows settled as dead at once. */
const MAX_GIVEN_UP = 1_000;
/** Attempts within one claim while each finds only deliveries that must not be sent any more. */
const MAX_ROUNDS = 8;
/** Due rows read for each that may be claimed. The second number counts where the first finds none: a few registrations with many events must not hide the others. */
const LOOK_AHEAD = [8, 64];

/** Implements `Outbox.claim`. Deliveries that must not be sent any more are settled as dead on the way. */
export const claimDue = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  options: ClaimOptions,
): Promise<readonly ClaimedDelivery[]> => {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const leased = await leaseDue(db, engine, options);
    const claimed = leased.filter((delivery) => mayBeAttempted(delivery, options.nowMs));
    const givenUp = leased.filter((delivery) => !mayBeAttempted(delivery, options.nowMs));
    if (givenUp.length > 0) await giveUp(db, engine, givenUp, options);
    if (claimed.length > 0 || givenUp.length === 0) return claimed;
  }
  return [];
};

/** Leases the deliveries that are longest due. */
const leaseDue = (
  db: Kysely<Database>,
  engine: Engine['name'],
  options: ClaimOptions,
): Promise<readonly ClaimedDelivery[]> =>
  db.transaction().execute(async (transaction) => {
    let rows: readonly DueRow[] = [];
    for (const ahead of LOOK_AHEAD) {
      rows = await selectDue(transaction, engine, options, options.limit * ahead).execute();
      if (rows.length > 0) break;
    }
    if (rows.length === 0) return [];
    await transaction
      .updateTable('deliveries')
      .set({ lease_owner: options.owner, lease_until_ms: BigInt(options.nowMs + options.leaseMs) })
      .where(
        'event',
        'in',
        rows.map(({ event }) => event),
      )
      .execute();
    return rows.map(claimedOf);
  });

/** The longest due deliveries with their events and registrations, at most so many of each registration. On PostgreSQL they are locked, and those that another process has locked are skipped. */
const selectDue = (
  db: Kysely<Database>,
  engine: Engine['name'],
  { nowMs, limit, limitPerRegistration, except }: ClaimOptions,
  examined: number,
) =>
  db
    .with('due', (query) =>
      query
        .selectFrom('deliveries')
        .select(['event', 'registration', 'due_at_ms', 'at_ms'])
        .where('state', '=', sql.lit('pending'))
        .where('due_at_ms', '<=', BigInt(nowMs))
        .where(isFree(nowMs))
        .$if(except.length > 0, (due) => due.where('registration', 'not in', except))
        .orderBy('due_at_ms')
        .orderBy('at_ms')
        .orderBy('event')
        .limit(examined),
    )
    .with('ranked', (query) =>
      query.selectFrom('due').select(({ fn }) => [
        'due.event',
        fn
          .agg<bigint>('row_number')
          .over((over) =>
            over.partitionBy('registration').orderBy('due_at_ms').orderBy('at_ms').orderBy('due.event'),
          )
          .as('place'),
      ]),
    )
    .selectFrom('ranked')
    .innerJoin('deliveries', 'deliveries.event', 'ranked.event')
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
    .where('ranked.place', '<=', BigInt(limitPerRegistration))
    // Checked again on the row itself: another process may have leased it meanwhile.
    .where('deliveries.state', '=', sql.lit('pending'))
    .where('deliveries.due_at_ms', '<=', BigInt(nowMs))
    .where(isFree(nowMs))
    .orderBy('deliveries.due_at_ms')
    .orderBy('deliveries.at_ms')
    .orderBy('deliveries.event')
    .limit(limit)
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

/** A deleted registration gets only its deregistration notice, a disabled one only pings. Expired deliveries are not sent. */
const mayBeAttempted = (
  { type, expiresAtMs, disabled, deleted }: ClaimedDelivery,
  nowMs: number,
): boolean => {
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return false;
  if (deleted || type === 'registration_deleted')
    return deleted && type === 'registration_deleted' && !disabled;
  return !disabled || type === 'ping';
};

/** Settles deliveries as dead, and with them all other due ones of deleted or disabled registrations: a ping must not wait behind them. */
const giveUp = (
  db: Kysely<Database>,
  engine: Engine['name'],
  givenUp: readonly ClaimedDelivery[],
  { owner, nowMs }: ClaimOptions,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const inactive = new Set(
      givenUp.flatMap(({ registrationId, disabled, deleted }) =>
        disabled || deleted ? [registrationId] : [],
      ),
    );
    const others =
      inactive.size === 0
        ? []
        : await transaction
            .selectFrom('deliveries')
            .innerJoin('events', 'events.key', 'deliveries.event')
            .select('deliveries.event')
            .where('deliveries.registration', 'in', [...inactive])
            .where('deliveries.state', '=', sql.lit('pending'))
            .where('deliveries.due_at_ms', '<=', BigInt(nowMs))
            .where(isFree(nowMs))
            .where('events.type', 'not in', ['ping', 'registration_deleted'])
            .limit(MAX_GIVEN_UP)
            .$if(engine === 'postgres', (query) => query.forUpdate('deliveries').skipLocked())
            .execute();
    const dead = {
      state: 'dead',
      due_at_ms: null,
      settled_at_ms: BigInt(nowMs),
      ...UNLEASED,
    } as const;
    await transaction
      .updateTable('deliveries')
      .set(dead)
      .where(
        'event',
        'in',
        givenUp.map(({ key }) => BigInt(key)),
      )
      // If leasing took longer than the lease, the next owner gives them up.
      .where('lease_owner', '=', owner)
      .execute();
    if (others.length === 0) return;
    await transaction
      .updateTable('deliveries')
      .set(dead)
      .where(
        'event',
        'in',
        others.map(({ event }) => event),
      )
      .execute();
  });
