// Webhook registrations on either engine. Caps are checked and the row is written in one transaction; deleted
// registrations are kept for 30 days.
import { type Kysely, sql } from 'kysely';
import { lockRegistrations, metCap, type RegistrationCaps } from './count-registrations.ts';
import { inBatches } from './engine/delete-in-batches.ts';
import { withStoreErrors } from './engine/store-errors.ts';
import { hasNoLease } from './outbox/delivery-leases.ts';
import type { NewEvent } from './outbox/outbox.ts';
import { pruneEventsOf } from './outbox/prune-deliveries.ts';
import { recordEvents } from './outbox/record-events.ts';
import {
  type NewRegistration,
  type Registration,
  type RegistrationRow,
  registrationOf,
  registrationRowOf,
} from './registration-rows.ts';
import type { Database, Engine } from './schema.ts';

/**
 * Durable registrations. Every write is on disk when its promise resolves. All methods reject with
 * `AppError('STORE_UNAVAILABLE')` while the store is unavailable.
 */
export interface Webhooks {
  /**
   * Checks the caps and inserts a registration in one transaction, so concurrent registrations cannot exceed a
   * cap. If a cap would be exceeded, writes nothing and returns the cap as `limit`; if the id exists, returns
   * `known`. Only kind `events` is counted and limited. `ping` is recorded in the same transaction, and nothing
   * else is sent until a ping gets a 2xx response.
   */
  readonly register: (
    registration: NewRegistration,
    caps: RegistrationCaps,
    ping?: NewEvent,
  ) => Promise<
    | { readonly outcome: 'registered' }
    | { readonly outcome: 'limit'; readonly limit: keyof RegistrationCaps }
    | { readonly outcome: 'known' }
  >;
  /** Returns the registration, even if it is deleted. */
  readonly find: (id: string) => Promise<Registration | null>;
  /**
   * Lists registrations of kind `events` that are not deleted, oldest first, at most `limit` of them after the
   * one created at `after.atMs` with id `after.id`.
   */
  readonly ofWallet: (
    walletAddress: string,
    page: { readonly after: { readonly atMs: number; readonly id: string } | null; readonly limit: number },
  ) => Promise<readonly Registration[]>;
  /**
   * Lists registrations of kind `events`, sorted by id, at most `limit` after `afterId`. These are the ones
   * that the watcher polls, including disabled ones and deleted ones that once responded, because they may be
   * enabled or restored.
   */
  readonly page: (afterId: string | null, limit: number) => Promise<readonly Registration[]>;
  /** Starts a new secret generation. Returns the current registration; null if the id is unknown. */
  readonly rotate: (id: string, nowMs: number) => Promise<Registration | null>;
  /**
   * Enables a disabled registration again and clears its failures, which gives it another five days. An enabled
   * registration keeps its failures.
   */
  readonly enable: (id: string) => Promise<void>;
  /**
   * Records the deletion and its notice in one transaction. Idempotent: the time of the first call is kept.
   * Returns false if the id is unknown.
   */
  readonly delete: (id: string, nowMs: number, notice?: NewEvent) => Promise<boolean>;
  /**
   * Undoes a deletion, subject to the same caps. Events since the deletion become due, and from then on only
   * the secret can delete the registration. Returns null if the id is unknown.
   */
  readonly restore: (
    id: string,
    caps: RegistrationCaps,
    nowMs: number,
  ) => Promise<
    | { readonly outcome: 'restored' }
    | { readonly outcome: 'limit'; readonly limit: keyof RegistrationCaps }
    | null
  >;
  /**
   * Prunes registrations that were deleted before the given time, with all their data, a few hundred rows at
   * a time. Returns their number.
   */
  readonly pruneDeletedBefore: (deletedBeforeMs: number) => Promise<number>;
}

export const createWebhooks = ({ name: engine, db }: Pick<Engine, 'name' | 'db'>): Webhooks => ({
  register: (registration, caps, ping) =>
    withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        await lockRegistrations(transaction, engine);
        if (await isKnown(transaction, registration.id)) return { outcome: 'known' };
        const limit = await metCap(transaction, registration, caps, registration.createdAtMs);
        if (limit !== null) return { outcome: 'limit', limit };
        await transaction
          .insertInto('webhooks')
          .values({ ...registrationRowOf(registration), awaits_answer: ping ? 1n : 0n })
          .execute();
        if (ping) await recordEvents(transaction, engine, [ping]);
        return { outcome: 'registered' };
      }),
    ),

  find: (id) =>
    withStoreErrors(async () => {
      const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? registrationOf(row) : null;
    }),

  ofWallet: (walletAddress, { after, limit }) =>
    withStoreErrors(async () => {
      const rows = await selectListed(db)
        .where('wallet', '=', walletAddress)
        .$if(after !== null, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('created_at_ms', 'id'), '>', tuple(BigInt(after!.atMs), after!.id)),
          ),
        )
        .orderBy('created_at_ms')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(registrationOf);
    }),

  page: (afterId, limit) =>
    withStoreErrors(async () => {
      const rows = await selectEvents(db)
        .where((eb) => eb.or([eb('deleted_at_ms', 'is', null), eb('awaits_answer', '=', 0n)]))
        .$if(afterId !== null, (query) => query.where('id', '>', afterId!))
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(registrationOf);
    }),

  rotate: (id, nowMs) =>
    withStoreErrors(async () => {
      const row = await db
        .updateTable('webhooks')
        .set({ secret_generation: sql`secret_generation + 1`, rotated_at_ms: BigInt(nowMs) })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row ? registrationOf(row) : null;
    }),

  enable: (id) =>
    withStoreErrors(async () => {
      await db
        .updateTable('webhooks')
        .set({ disabled_reason: null, failing_since_ms: null })
        .where('id', '=', id)
        .where('disabled_reason', 'is not', null)
        .execute();
    }),

  delete: (id, nowMs, notice) =>
    withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('webhooks')
          .set({ deleted_at_ms: BigInt(nowMs) })
          .where('id', '=', id)
          .where('deleted_at_ms', 'is', null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return isKnown(transaction, id);
        // Makes the deliveries due, so the next claim gives them up. Otherwise, this would happen only at their
        // next attempt, hours later.
        await transaction
          .updateTable('deliveries')
          .set({ due_at_ms: BigInt(nowMs) })
          .where('registration', '=', id)
          .where('state', '=', 'pending')
          .where('due_at_ms', '>', BigInt(nowMs))
          .where(hasNoLease(nowMs))
          .execute();
        if (notice) await recordEvents(transaction, engine, [notice]);
        return true;
      }),
    ),

  restore: (id, caps, nowMs) =>
    withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        await lockRegistrations(transaction, engine);
        const row = await selectOne(transaction, id);
        if (!row) return null;
        if (row.deleted_at_ms === null) return { outcome: 'restored' };
        const limit = await metCap(transaction, registrationOf(row), caps, nowMs);
        if (limit !== null) return { outcome: 'limit', limit };
        await transaction
          .updateTable('webhooks')
          .set({ deleted_at_ms: null, secret_deletes: 1n })
          .where('id', '=', id)
          .execute();
        await reviveDeliveries(transaction, row, nowMs);
        return { outcome: 'restored' };
      }),
    ),

  pruneDeletedBefore: (deletedBeforeMs) =>
    withStoreErrors(() => inBatches((limit) => pruneDeleted(db, deletedBeforeMs, limit), 100)),
});

const selectOne = (db: Kysely<Database>, id: string) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();

const isKnown = async (db: Kysely<Database>, id: string): Promise<boolean> =>
  (await selectOne(db, id)) !== undefined;

const selectEvents = (db: Kysely<Database>) =>
  db.selectFrom('webhooks').selectAll().where('kind', '=', sql.lit('events'));

const selectListed = (db: Kysely<Database>) => selectEvents(db).where('deleted_at_ms', 'is', null);

/**
 * Makes deliveries that waited, or were given up while the registration was deleted, due again from the start
 * of the schedule. Runs within the transaction `db`.
 */
const reviveDeliveries = async (
  db: Kysely<Database>,
  { id, deleted_at_ms, awaits_answer }: RegistrationRow,
  nowMs: number,
): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({
      state: 'pending',
      attempts: 0n,
      settled_at_ms: null,
      due_at_ms: awaits_answer === 1n ? null : BigInt(nowMs),
    })
    .where('registration', '=', id)
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'pending'), eb('due_at_ms', 'is', null)]),
        eb.and([eb('state', '=', 'dead'), eb('settled_at_ms', '>=', deleted_at_ms!)]),
      ]),
    )
    .where('event', 'not in', (query) =>
      query
        .selectFrom('events')
        .select('key')
        .where('registration', '=', id)
        .where('type', 'in', ['ping', 'registration_deleted']),
    )
    .execute();
};

const pruneDeleted = async (
  db: Kysely<Database>,
  deletedBeforeMs: number,
  limit: number,
): Promise<number> => {
  const rows = await db
    .selectFrom('webhooks')
    .select('id')
    .where('deleted_at_ms', '<', BigInt(deletedBeforeMs))
    .orderBy('deleted_at_ms')
    .limit(limit)
    .execute();
  for (const { id } of rows) {
    await inBatches((events) => pruneEventsOf(db, id, events));
    await db
      .deleteFrom('webhooks')
      .where('id', '=', id)
      .where('deleted_at_ms', '<', BigInt(deletedBeforeMs))
      .execute();
  }
  return rows.length;
};
