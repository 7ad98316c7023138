// Registrations over either engine: caps are counted and kept in one transaction, and a deletion is only noted.
import { createHash } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { type EventType, isEventType } from '../domain/notification.ts';
import { guarded } from './engine/guarded.ts';
import { inBatches } from './engine/in-batches.ts';
import { forgetEventsOf } from './outbox/outbox-purge-statements.ts';
import { recordEvents } from './outbox/outbox-record-statements.ts';
import type { Database, Engine } from './schema.ts';
import type { NewRegistration, Registration, RegistrationCaps, Webhooks } from './webhooks.ts';

/** The registrations of an open database. */
export const createWebhooks = ({ name: engine, db }: Pick<Engine, 'name' | 'db'>): Webhooks => ({
  register: (registration, caps) =>
    guarded(() =>
      db.transaction().execute(async (transaction) => {
        await lockClient(transaction, engine, registration.client);
        if (await isKnown(transaction, registration.id)) return { outcome: 'known' };
        const limit = await metCap(transaction, registration, caps);
        if (limit !== null) return { outcome: 'limit', limit };
        await transaction.insertInto('webhooks').values(rowOf(registration)).execute();
        return { outcome: 'registered' };
      }),
    ),

  find: (id) =>
    guarded(async () => {
      const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? registrationOf(row) : null;
    }),

  ofWallet: (walletAddress, { after, limit }) =>
    guarded(async () => {
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
    guarded(async () => {
      const rows = await selectListed(db)
        .$if(afterId !== null, (query) => query.where('id', '>', afterId!))
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(registrationOf);
    }),

  rotate: (id, nowMs) =>
    guarded(async () => {
      const row = await db
        .updateTable('webhooks')
        .set({ secret_generation: sql`secret_generation + 1`, rotated_at_ms: BigInt(nowMs) })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row ? registrationOf(row) : null;
    }),

  enable: (id) =>
    guarded(async () => {
      await db
        .updateTable('webhooks')
        .set({ disabled_reason: null, failing_since_ms: null })
        .where('id', '=', id)
        .execute();
    }),

  delete: (id, nowMs, farewell) =>
    guarded(() =>
      db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('webhooks')
          .set({ deleted_at_ms: BigInt(nowMs) })
          .where('id', '=', id)
          .where('deleted_at_ms', 'is', null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return isKnown(transaction, id);
        if (farewell) await recordEvents(transaction, [farewell]);
        return true;
      }),
    ),

  restore: (id, caps) =>
    guarded(() =>
      db.transaction().execute(async (transaction) => {
        const known = await selectOne(transaction, id);
        if (!known) return null;
        // The client is fixed when a registration is made; whether it is deleted is read again behind the lock.
        await lockClient(transaction, engine, known.client);
        const row = await selectOne(transaction, id);
        if (!row) return null;
        if (row.deleted_at_ms === null) return { outcome: 'restored' };
        const limit = await metCap(transaction, registrationOf(row), caps);
        if (limit !== null) return { outcome: 'limit', limit };
        await transaction.updateTable('webhooks').set({ deleted_at_ms: null }).where('id', '=', id).execute();
        return { outcome: 'restored' };
      }),
    ),

  forgetDeletedBefore: (deletedBeforeMs) =>
    guarded(() => inBatches((limit) => forgetDeleted(db, deletedBeforeMs, limit), 100)),
});

/** From here to the end of the transaction no other counts registrations of this client; SQLite's transactions are that by themselves. */
export const lockClient = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  client: string,
): Promise<void> => {
  if (engine !== 'postgres') return;
  const key = createHash('sha256').update(`holdfast webhooks of ${client}`).digest().readBigInt64BE();
  await sql`select pg_advisory_xact_lock(${key})`.execute(db);
};

const selectOne = (db: Kysely<Database>, id: string) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();

const isKnown = async (db: Kysely<Database>, id: string): Promise<boolean> =>
  (await selectOne(db, id)) !== undefined;

const selectListed = (db: Kysely<Database>) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('deleted_at_ms', 'is', null)
    .where('kind', '=', sql.lit('events'));

/** The cap that one more of this client would pass; null where there is room. Those of the autopilot have none. */
const metCap = async (
  db: Kysely<Database>,
  { kind, client, walletAddress }: NewRegistration,
  caps: RegistrationCaps,
): Promise<keyof RegistrationCaps | null> => {
  if (kind === 'autopilot') return null;
  const counted = await db
    .selectFrom('webhooks')
    .select((eb) => [
      eb.fn.countAll<bigint>().as('of_client'),
      eb.fn.count<bigint>(eb.case().when('wallet', '=', walletAddress).then(1).end()).as('of_wallet'),
    ])
    .where('client', '=', client)
    .where('deleted_at_ms', 'is', null)
    .where('kind', '=', sql.lit('events'))
    .executeTakeFirstOrThrow();
  if (Number(counted.of_wallet) >= caps.perWalletAndClient) return 'perWalletAndClient';
  return Number(counted.of_client) >= caps.perClient ? 'perClient' : null;
};

const forgetDeleted = async (
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
    await inBatches((events) => forgetEventsOf(db, id, events));
    await db
      .deleteFrom('webhooks')
      .where('id', '=', id)
      .where('deleted_at_ms', '<', BigInt(deletedBeforeMs))
      .execute();
  }
  return rows.length;
};

/** The row of a registration that was just made. */
export const rowOf = (registration: NewRegistration) => ({
  id: registration.id,
  kind: registration.kind,
  wallet: registration.walletAddress,
  callback_url: registration.callbackUrl,
  events: registration.events.join(','),
  created_at_ms: BigInt(registration.createdAtMs),
  created_epoch: registration.createdEpoch,
  created_slot: registration.createdSlot,
  client: registration.client,
  secret_generation: 0n,
});

const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value));

const registrationOf = (row: Selectable<Database['webhooks']>): Registration => ({
  id: row.id,
  kind: row.kind,
  walletAddress: row.wallet,
  callbackUrl: row.callback_url,
  events: row.events.split(',').filter((name): name is EventType => isEventType(name)),
  createdAtMs: Number(row.created_at_ms),
  createdEpoch: row.created_epoch,
  createdSlot: row.created_slot,
  client: row.client,
  secretGeneration: Number(row.secret_generation),
  rotatedAtMs: numberOrNull(row.rotated_at_ms),
  lastDeliveryAtMs: numberOrNull(row.last_delivery_at_ms),
  failingSinceMs: numberOrNull(row.failing_since_ms),
  disabledReason: row.disabled_reason,
  deletedAtMs: numberOrNull(row.deleted_at_ms),
});
