// Policies of the autopilot: one per wallet, ordered by an increasing nonce, with the last outcome. A deleted
// policy is kept for its nonce.
import type { Address } from '@solana/kit';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SkipReason } from '../domain/autopilot/decide-autopilot-offer.ts';
import type { StakingPolicy } from '../domain/autopilot/policy-text.ts';
import { countsTowardsCap, lockRegistrations } from './count-registrations.ts';
import { withStoreErrors } from './engine/store-errors.ts';
import { type NewRegistration, registrationRowOf } from './registration-rows.ts';
import type { Database, Engine } from './schema.ts';

/** The last stake that was offered. */
interface LastSweep {
  readonly epoch: bigint;
  readonly lamports: bigint;
  readonly eventId: string;
  readonly atMs: number;
}

/** The reason and time of the last check that offered no stake. */
interface LastSkip {
  readonly epoch: bigint;
  readonly reason: SkipReason;
  readonly atMs: number;
}

export interface PolicyRecord extends StakingPolicy {
  /** Registration of the policy's callback, kind `autopilot`. */
  readonly registrationId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly deletedAtMs: number | null;
  /** The latest offer to the wallet, across all its policies. */
  readonly lastSweep: LastSweep | null;
  readonly lastSkip: LastSkip | null;
}

/** A new policy with the signature that authorizes it. */
export interface SignedPolicy extends StakingPolicy {
  /** Signature in base58; stored as evidence, never shown. */
  readonly signature: string;
}

/** Result of storing a policy. `stale`: the wallet has already used this nonce or a greater one. */
type PutPolicyOutcome =
  | { readonly outcome: 'stored'; readonly record: PolicyRecord; readonly isNewRegistration: boolean }
  | { readonly outcome: 'stale'; readonly nonce: number }
  | { readonly outcome: 'limit' };

/**
 * Durable policies. Every write is on disk when its promise resolves. All methods reject with
 * `AppError('STORE_UNAVAILABLE')` while the store is unavailable.
 */
export interface Policies {
  /** Returns the policy, including a deleted one (with `deletedAtMs`). */
  readonly find: (walletAddress: Address) => Promise<PolicyRecord | null>;
  /**
   * Stores the policy if its nonce is greater than all earlier nonces of the wallet. An existing policy keeps
   * its registration, with the new callback. Otherwise, `registration` is created, unless the client already
   * has `mostPerClient` registrations that exist or were created within 24 hours.
   */
  readonly put: (
    policy: SignedPolicy,
    registration: NewRegistration,
    mostPerClient: number,
    nowMs: number,
  ) => Promise<PutPolicyOutcome>;
  /** Deletes the policy and its registration if the nonce is greater. `none`: the wallet has no policy. */
  readonly delete: (
    walletAddress: Address,
    nonce: number,
    nowMs: number,
  ) => Promise<
    { readonly outcome: 'deleted' | 'none' } | { readonly outcome: 'stale'; readonly nonce: number }
  >;
  /** Lists policies that are neither paused nor deleted, by wallet, at most `limit` after `afterWallet`. */
  readonly active: (afterWallet: string | null, limit: number) => Promise<readonly PolicyRecord[]>;
  /** Records an offer. Never replaces an offer of a later epoch. */
  readonly noteSweep: (walletAddress: Address, sweep: LastSweep) => Promise<void>;
  readonly noteSkip: (walletAddress: Address, skip: LastSkip) => Promise<void>;
}

type Row = Selectable<Database['policies']>;

export const createPolicies = ({ name: engine, db }: Pick<Engine, 'name' | 'db'>): Policies => ({
  find: (walletAddress) =>
    withStoreErrors(async () => {
      const row = await db
        .selectFrom('policies')
        .selectAll()
        .where('wallet', '=', walletAddress)
        .executeTakeFirst();
      return row ? recordOf(row) : null;
    }),

  put: async (policy, registration, mostPerClient, nowMs) => {
    for (;;) {
      const outcome = await withStoreErrors(() =>
        db
          .transaction()
          .execute((transaction) => put(transaction, engine, policy, registration, mostPerClient, nowMs)),
      ).catch(nullIfRaced);
      if (outcome !== null) return outcome;
    }
  },

  delete: (walletAddress, nonce, nowMs) =>
    withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        const known = await lockedRow(transaction, engine, walletAddress);
        if (!known) return { outcome: 'none' } as const;
        if (known.nonce >= BigInt(nonce)) return stale(known);
        if (known.deleted_at_ms !== null) return { outcome: 'none' } as const;
        const at = BigInt(nowMs);
        await transaction
          .updateTable('policies')
          .set({ nonce: BigInt(nonce), deleted_at_ms: at, updated_at_ms: at })
          .where('wallet', '=', walletAddress)
          .execute();
        await transaction
          .updateTable('webhooks')
          .set({ deleted_at_ms: at })
          .where('id', '=', known.registration)
          .execute();
        return { outcome: 'deleted' } as const;
      }),
    ),

  active: (afterWallet, limit) =>
    withStoreErrors(async () => {
      const rows = await db
        .selectFrom('policies')
        .selectAll()
        .where('deleted_at_ms', 'is', null)
        .where('paused', '=', sql.lit(0n))
        .$if(afterWallet !== null, (query) => query.where('wallet', '>', afterWallet!))
        .orderBy('wallet')
        .limit(limit)
        .execute();
      return rows.map(recordOf);
    }),

  noteSweep: (walletAddress, { epoch, lamports, eventId, atMs }) =>
    withStoreErrors(async () => {
      await db
        .updateTable('policies')
        .set({
          sweep_epoch: epoch,
          sweep_lamports: lamports,
          sweep_event: eventId,
          sweep_at_ms: BigInt(atMs),
        })
        .where('wallet', '=', walletAddress)
        .where((eb) => eb.or([eb('sweep_epoch', 'is', null), eb('sweep_epoch', '<=', epoch)]))
        .execute();
    }),

  noteSkip: (walletAddress, { epoch, reason, atMs }) =>
    withStoreErrors(async () => {
      await db
        .updateTable('policies')
        .set({ skip_epoch: epoch, skip_reason: reason, skip_at_ms: BigInt(atMs) })
        .where('wallet', '=', walletAddress)
        .execute();
    }),
});

/**
 * Thrown if another process stored the wallet's first policy in the meantime. The transaction is rolled back
 * and repeated.
 */
class RacedError extends Error {}

const nullIfRaced = (error: unknown): null => {
  if (error instanceof Error && error.cause instanceof RacedError) return null;
  throw error;
};

const put = async (
  db: Kysely<Database>,
  engine: Engine['name'],
  policy: SignedPolicy,
  registration: NewRegistration,
  mostPerClient: number,
  nowMs: number,
): Promise<PutPolicyOutcome> => {
  await lockRegistrations(db, engine);
  const known = await lockedRow(db, engine, policy.walletAddress);
  if (known && known.nonce >= BigInt(policy.nonce)) return stale(known);
  const living = known !== undefined && known.deleted_at_ms === null ? known : null;
  if (living) await followCallback(db, living.registration, policy.callbackUrl);
  else {
    if ((await policiesOf(db, registration.client, nowMs)) >= mostPerClient) return { outcome: 'limit' };
    await db.insertInto('webhooks').values(registrationRowOf(registration)).execute();
  }
  const row = await keep(
    db,
    policy,
    living?.registration ?? registration.id,
    living?.created_at_ms ?? BigInt(nowMs),
    nowMs,
  );
  if (!row) throw new RacedError();
  return { outcome: 'stored', record: recordOf(row), isNewRegistration: living === null };
};

const stale = ({ nonce }: Pick<Row, 'nonce'>) => ({ outcome: 'stale', nonce: Number(nonce) }) as const;

/** Locks the wallet's row until the transaction ends. SQLite transactions lock everything. */
const lockedRow = (db: Kysely<Database>, engine: Engine['name'], wallet: string): Promise<Row | undefined> =>
  db
    .selectFrom('policies')
    .selectAll()
    .where('wallet', '=', wallet)
    .$if(engine === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();

const followCallback = (db: Kysely<Database>, registration: string, callbackUrl: string): Promise<unknown> =>
  db
    .updateTable('webhooks')
    // Enables the callback again and clears its failures. A new URL also starts without a last delivery.
    .set({
      callback_url: callbackUrl,
      last_delivery_at_ms: sql<
        bigint | null
      >`case when callback_url = ${callbackUrl} then last_delivery_at_ms end`,
      callback_host: new URL(callbackUrl).hostname,
      disabled_reason: null,
      failing_since_ms: null,
    })
    .where('id', '=', registration)
    .execute();

const policiesOf = async (
  db: Kysely<Database>,
  client: NewRegistration['client'],
  nowMs: number,
): Promise<number> => {
  const { count } = await db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('client', '=', client)
    .where(countsTowardsCap(nowMs))
    .where('kind', '=', sql.lit('autopilot'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

const keep = (
  db: Kysely<Database>,
  policy: SignedPolicy,
  registration: string,
  createdAtMs: bigint,
  nowMs: number,
): Promise<Row | undefined> => {
  const values = {
    keep_liquid_lamports: policy.keepLiquidLamports,
    min_sweep_lamports: policy.minSweepLamports,
    callback_url: policy.callbackUrl,
    paused: policy.paused ? 1n : 0n,
    nonce: BigInt(policy.nonce),
    signature: policy.signature,
    registration,
    created_at_ms: createdAtMs,
    updated_at_ms: BigInt(nowMs),
    deleted_at_ms: null,
  };
  return db
    .insertInto('policies')
    .values({ wallet: policy.walletAddress, ...values })
    .onConflict((conflict) =>
      conflict
        .column('wallet')
        .doUpdateSet(values)
        .where('policies.nonce', '<', values.nonce)
        // A row that the transaction did not see belongs to a policy that another transaction has just created.
        .where((eb) =>
          eb.or([
            eb('policies.deleted_at_ms', 'is not', null),
            eb('policies.registration', '=', registration),
          ]),
        ),
    )
    .returningAll()
    .executeTakeFirst();
};

const recordOf = (row: Row): PolicyRecord => ({
  walletAddress: row.wallet as Address,
  keepLiquidLamports: row.keep_liquid_lamports,
  minSweepLamports: row.min_sweep_lamports,
  callbackUrl: row.callback_url,
  paused: row.paused === 1n,
  nonce: Number(row.nonce),
  registrationId: row.registration,
  createdAtMs: Number(row.created_at_ms),
  updatedAtMs: Number(row.updated_at_ms),
  deletedAtMs: row.deleted_at_ms === null ? null : Number(row.deleted_at_ms),
  lastSweep:
    row.sweep_epoch === null
      ? null
      : {
          epoch: row.sweep_epoch,
          lamports: row.sweep_lamports!,
          eventId: row.sweep_event!,
          atMs: Number(row.sweep_at_ms),
        },
  lastSkip:
    row.skip_epoch === null
      ? null
      : { epoch: row.skip_epoch, reason: row.skip_reason!, atMs: Number(row.skip_at_ms) },
});
