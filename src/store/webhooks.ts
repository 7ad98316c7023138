// Registrations of webhooks over either engine: caps are counted and written in one transaction; deleted ones are stored for 30 days more.

import { createHash } from 'node:crypto';
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import { type DisabledReason, type EventType, isEventType } from '../domain/notification-types.ts';
import { siteOf } from '../kernel/client-network.ts';
import { inBatches } from './engine/delete-in-batches.ts';
import { guarded } from './engine/store-errors.ts';
import type { NewEvent } from './outbox/outbox.ts';
import { pruneEventsOf } from './outbox/prune-deliveries.ts';
import { recordEvents } from './outbox/record-events.ts';
import type { Database, Engine, RegistrationKind } from './schema.ts';

/** A registration. Its secret is not here: it is derived from the server secret, its id and `secretGeneration`. */
export interface Registration {
  /** 128 random bits, 32 lower-case hexadecimal characters. */
  readonly id: string;
  readonly kind: RegistrationKind;
  readonly walletAddress: string;
  /** WHATWG href. */
  readonly callbackUrl: string;
  /** In the order of `eventTypes`; empty for `autopilot`. */
  readonly events: readonly EventType[];
  readonly createdAtMs: number;
  /** The chain's position at registration: earlier events are not sent. */
  readonly createdEpoch: bigint;
  readonly createdSlot: bigint;
  /** The network it came from, as the rate limit counts it. */
  readonly client: string;
  /** Counts from 0; each rotation adds one. */
  readonly secretGeneration: number;
  /** When the newest generation began; the one before signs beside it for 24 hours. Null before the first rotation. */
  readonly rotatedAtMs: number | null;
  /** When a delivery was last accepted (2xx). */
  readonly lastDeliveryAtMs: number | null;
  /** Since when every attempt has failed; null while the last one succeeded or none was made. */
  readonly failingSinceMs: number | null;
  /** Null while active. */
  readonly disabledReason: DisabledReason | null;
  readonly deletedAtMs: number | null;
  /** No ping was answered 2xx yet: nothing else is sent, and facts wait. */
  readonly awaitsAnswer: boolean;
  /** It was restored with its secret: only its secret deletes it. */
  readonly secretDeletes: boolean;
}

/** The members that a new registration is created from. */
export type NewRegistration = Pick<
  Registration,
  | 'id'
  | 'kind'
  | 'walletAddress'
  | 'callbackUrl'
  | 'events'
  | 'createdAtMs'
  | 'createdEpoch'
  | 'createdSlot'
  | 'client'
>;

/** Most registrations that may exist at once or were made within 24 hours, deleted ones included; an absent cap is none. */
export interface RegistrationCaps {
  /** Of one wallet from one client network. */
  readonly perWalletAndClient: number;
  /** Of one client network. */
  readonly perClient: number;
  /** Of the IPv6 /48 that the client is in. */
  readonly perSite?: number;
  /** Made within 24 hours for one callback host that has not answered them yet. */
  readonly perHost?: number;
  /** Of all. */
  readonly inAll?: number;
}

/** Durable registrations. Every write is on disk when its promise resolves. All reject with `STORE_UNAVAILABLE`. */
export interface Webhooks {
  /** Counts and inserts in one transaction, so that concurrent registrations cannot pass a cap together. `limit` names the cap that was met, `known`: the id is taken; nothing was written then. `autopilot` is neither counted nor limited. With `ping`, which is recorded in the same transaction, nothing else is sent before a ping was answered 2xx. */
  readonly register: (
    registration: NewRegistration,
    caps: RegistrationCaps,
    ping?: NewEvent,
  ) => Promise<
    | { readonly outcome: 'registered' }
    | { readonly outcome: 'limit'; readonly limit: keyof RegistrationCaps }
    | { readonly outcome: 'known' }
  >;
  /** Also deleted ones. */
  readonly find: (id: string) => Promise<Registration | null>;
  /** Not deleted, kind `events`, oldest first, at most `limit` after the one that was made at `after.atMs` under `after.id`. */
  readonly ofWallet: (
    walletAddress: string,
    page: { readonly after: { readonly atMs: number; readonly id: string } | null; readonly limit: number },
  ) => Promise<readonly Registration[]>;
  /** Kind `events`, at most `limit` after `afterId`, by id: what the watcher looks at, also disabled ones and deleted ones that once answered, since they may come back. */
  readonly page: (afterId: string | null, limit: number) => Promise<readonly Registration[]>;
  /** Returns the registration as it is now; null when none of that id exists. */
  readonly rotate: (id: string, nowMs: number) => Promise<Registration | null>;
  /** Active again, and not failing any more. */
  readonly enable: (id: string) => Promise<void>;
  /** Notes deletion (idempotent: the first time stands), and in the same transaction its notice. False when none of that id exists. */
  readonly delete: (id: string, nowMs: number, notice?: NewEvent) => Promise<boolean>;
  /** Undoes a deletion, within the same caps: what came about meanwhile is due now, and from then on only the secret deletes it. Null: nothing of that id. */
  readonly restore: (
    id: string,
    caps: RegistrationCaps,
    nowMs: number,
  ) => Promise<
    | { readonly outcome: 'restored' }
    | { readonly outcome: 'limit'; readonly limit: keyof RegistrationCaps }
    | null
  >;
  /** Prunes those deleted before, with everything stored for them, a few hundred rows at a time. Returns how many went. */
  readonly pruneDeletedBefore: (deletedBeforeMs: number) => Promise<number>;
}

/** The registrations of an open database. */
export const createWebhooks = ({ name: engine, db }: Pick<Engine, 'name' | 'db'>): Webhooks => ({
  register: (registration, caps, ping) =>
    guarded(() =>
      db.transaction().execute(async (transaction) => {
        await lockRegistrations(transaction, engine);
        if (await isKnown(transaction, registration.id)) return { outcome: 'known' };
        const limit = await metCap(transaction, registration, caps, registration.createdAtMs);
        if (limit !== null) return { outcome: 'limit', limit };
        await transaction
          .insertInto('webhooks')
          .values({ ...rowOf(registration), awaits_answer: ping ? 1n : 0n })
          .execute();
        if (ping) await recordEvents(transaction, engine, [ping]);
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
      const rows = await selectEvents(db)
        .where((eb) => eb.or([eb('deleted_at_ms', 'is', null), eb('awaits_answer', '=', 0n)]))
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

  delete: (id, nowMs, notice) =>
    guarded(() =>
      db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('webhooks')
          .set({ deleted_at_ms: BigInt(nowMs) })
          .where('id', '=', id)
          .where('deleted_at_ms', 'is', null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return isKnown(transaction, id);
        if (notice) await recordEvents(transaction, engine, [notice]);
        return true;
      }),
    ),

  restore: (id, caps, nowMs) =>
    guarded(() =>
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
    guarded(() => inBatches((limit) => pruneDeleted(db, deletedBeforeMs, limit), 100)),
});

/** From here to the end of the transaction no other counts registrations; SQLite's transactions are that by themselves. One lock for all, since caps are counted per client, site, host and in all. */
export const lockRegistrations = async (db: Kysely<Database>, engine: Engine['name']): Promise<void> => {
  if (engine !== 'postgres') return;
  const key = createHash('sha256').update('holdfast webhooks').digest().readBigInt64BE();
  await sql`select pg_advisory_xact_lock(${key})`.execute(db);
};

const selectOne = (db: Kysely<Database>, id: string) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();

const isKnown = async (db: Kysely<Database>, id: string): Promise<boolean> =>
  (await selectOne(db, id)) !== undefined;

const selectEvents = (db: Kysely<Database>) =>
  db.selectFrom('webhooks').selectAll().where('kind', '=', sql.lit('events'));

const selectListed = (db: Kysely<Database>) => selectEvents(db).where('deleted_at_ms', 'is', null);

/** Makes deliveries due again that waited or were given up while the registration was deleted, from the first step of the schedule. Runs within the transaction `db`. */
const reviveDeliveries = async (
  db: Kysely<Database>,
  { id, deleted_at_ms, awaits_answer }: Row,
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

type Row = Selectable<Database['webhooks']>;

const COUNTED_MS = 24 * 60 * 60 * 1000;

/** Condition: the row counts towards a cap. Deleted ones count for 24 hours after they were created. */
export const counts =
  (nowMs: number) =>
  (eb: ExpressionBuilder<Database, 'webhooks'>): Expression<SqlBool> =>
    eb.or([eb('deleted_at_ms', 'is', null), eb('created_at_ms', '>', BigInt(nowMs - COUNTED_MS))]);

/** Keys of clients in the same IPv6 /48 lie in [from, to), as text sorts by its bytes; null for IPv4, which has no such site. */
const siteRange = (client: string): { readonly from: string; readonly to: string } | null => {
  const groups = siteOf(client)?.replace('::/48', '');
  return groups === undefined ? null : { from: `${groups}:`, to: `${groups};` };
};

/** Returns the cap that one more registration would exceed, or null. Autopilot registrations have no cap. */
const metCap = async (
  db: Kysely<Database>,
  { id, kind, client, walletAddress, callbackUrl }: NewRegistration,
  caps: RegistrationCaps,
  nowMs: number,
): Promise<keyof RegistrationCaps | null> => {
  if (kind !== 'events') return null;
  const since = BigInt(nowMs - COUNTED_MS);
  const others = db
    .selectFrom('webhooks')
    .where('kind', '=', sql.lit('events'))
    .where('id', '<>', id)
    .where(counts(nowMs))
    .select((eb) => eb.fn.countAll<bigint>().as('count'));
  const isMet = async (most: number | undefined, counted: typeof others): Promise<boolean> =>
    most !== undefined && Number((await counted.executeTakeFirstOrThrow()).count) >= most;
  const ofClient = others.where('client', '=', client);
  if (await isMet(caps.perWalletAndClient, ofClient.where('wallet', '=', walletAddress)))
    return 'perWalletAndClient';
  if (await isMet(caps.perClient, ofClient)) return 'perClient';
  const site = siteRange(client);
  if (
    site &&
    (await isMet(caps.perSite, others.where('client', '>=', site.from).where('client', '<', site.to)))
  )
    return 'perSite';
  const ofHost = others
    .where('awaits_answer', '=', sql.lit(1n))
    .where('callback_host', '=', new URL(callbackUrl).hostname)
    .where('created_at_ms', '>', since);
  if (await isMet(caps.perHost, ofHost)) return 'perHost';
  return (await isMet(caps.inAll, others)) ? 'inAll' : null;
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

/** The row of a new registration. */
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
  callback_host: new URL(registration.callbackUrl).hostname,
  awaits_answer: 0n,
  secret_deletes: 0n,
});

const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value));

const registrationOf = (row: Row): Registration => ({
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
  awaitsAnswer: row.awaits_answer === 1n,
  secretDeletes: row.secret_deletes === 1n,
});
