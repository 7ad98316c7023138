// Durable list of delegators: the last recorded state of each account, when it was first seen, its changes, the
// stake by epoch, and the operator's labels for wallets.
import type { Address } from '@solana/kit';
import { type Kysely, sql } from 'kysely';
import { withStoreErrors } from './engine/store-errors.ts';
import type { Database, DelegatorChangeKind } from './schema.ts';

/** An account as last recorded. Rewards alone do not cause an update. */
export interface DelegatorAccount {
  readonly address: Address;
  /** Withdraw authority of the account. */
  readonly wallet: Address;
  readonly staker: Address;
  readonly stakeLamports: bigint;
  readonly credits: bigint;
  /** Null if the stake has been active since genesis. */
  readonly activationEpoch: bigint | null;
  /** Null if the stake is not deactivated. */
  readonly deactivationEpoch: bigint | null;
  /** Slot at which the account was read. */
  readonly slot: bigint;
  readonly firstSeenEpoch: bigint;
  readonly firstSeenAtMs: number;
  /** Null while the account is delegated to the validator. */
  readonly leftAtMs: number | null;
}

export interface DelegatorChange {
  readonly address: Address;
  readonly slot: bigint;
  readonly kind: DelegatorChangeKind;
  /** The withdraw authority after the change; for accounts that left, the last one. */
  readonly wallet: Address;
  readonly epoch: bigint;
  readonly atMs: number;
  /** The affected stake; for `stake_changed`, the difference. */
  readonly lamports: bigint;
}

/** Stake at the last poll of an epoch. */
export interface DelegatorEpoch {
  readonly epoch: bigint;
  readonly accounts: number;
  readonly delegators: number;
  readonly activeLamports: bigint;
  /** Stake that activates at the end of the epoch; null if that end was not observed. */
  readonly activatingLamports: bigint | null;
  /** Stake that deactivates at the end of the epoch; null if that end was not observed. */
  readonly deactivatingLamports: bigint | null;
}

/** Time at which an account was first seen. */
export interface FirstSeen {
  readonly address: Address;
  readonly epoch: bigint;
  readonly atMs: number;
}

/**
 * The delegator list of an open store. All methods reject with `AppError('STORE_UNAVAILABLE')` while the
 * store is unavailable.
 */
export interface Delegators {
  /** Returns accounts by address, at most 500 at a time. */
  readonly find: (addresses: readonly string[]) => Promise<ReadonlyMap<string, DelegatorAccount>>;
  /** Lists addresses recorded as delegated, sorted by address, starting after `after`. */
  readonly delegated: (after: string | null, limit: number) => Promise<readonly Address[]>;
  /** Writes accounts and their changes in one transaction. Never changes when an account was first seen. */
  readonly record: (
    accounts: readonly DelegatorAccount[],
    changes: readonly DelegatorChange[],
  ) => Promise<void>;
  /**
   * Lists entries in the order in which they were first seen, starting at `sinceMs` and, among equal
   * timestamps, after the address `after`.
   */
  readonly seenSince: (sinceMs: number, after: string | null, limit: number) => Promise<readonly FirstSeen[]>;
  /** Lists changes, newest first, for one account, one wallet's accounts, or all accounts. */
  readonly changes: (
    of: { readonly address?: string; readonly wallet?: string },
    limit: number,
  ) => Promise<readonly DelegatorChange[]>;
  /** Lists changes from `fromMs` (inclusive) to `beforeMs` (exclusive), oldest first. */
  readonly changesBetween: (
    fromMs: number,
    beforeMs: number,
    limit: number,
  ) => Promise<readonly DelegatorChange[]>;
  readonly recordEpoch: (epoch: DelegatorEpoch) => Promise<void>;
  /** Lists the last `limit` epochs, newest first. */
  readonly epochs: (limit: number) => Promise<readonly DelegatorEpoch[]>;
  /**
   * Counts the wallets with stake after the end of `epoch`, and those that joined and left since its beginning,
   * so that the earlier count + `joined` - `gone` = `staked`. Stake counts from the end of the epoch in which it
   * was delegated to the end of the epoch in which it was deactivated, or until it left. An account counts for
   * its last wallet.
   */
  readonly countWallets: (
    epoch: bigint,
  ) => Promise<{ readonly staked: number; readonly joined: number; readonly gone: number }>;
  /** True once the list has been filled completely. Accounts that appear afterwards count as joined. */
  readonly isFilled: () => Promise<boolean>;
  readonly setFilled: () => Promise<void>;
  /** Returns the operator's labels by wallet, for at most 500 wallets at a time. */
  readonly labels: (wallets: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Replaces the label of a wallet; null removes it. */
  readonly setLabel: (wallet: Address, label: string | null) => Promise<void>;
}

/** Number of rows per statement. With eleven values each, this stays below every engine's parameter limit. */
const ROWS = 100;
/** Stored instead of null, because the columns are not nullable. */
const UNKNOWN = -1n;
const knownOrNull = (lamports: bigint): bigint | null => (lamports === UNKNOWN ? null : lamports);
const FILLED = 'delegators filled';

export const createDelegators = (db: Kysely<Database>): Delegators => ({
  find: (addresses) =>
    withStoreErrors(async () => {
      if (addresses.length === 0) return new Map();
      const rows = await db
        .selectFrom('delegator_accounts')
        .selectAll()
        .where('address', 'in', addresses)
        .execute();
      return new Map(rows.map((row) => [row.address, accountOf(row)]));
    }),

  delegated: (after, limit) =>
    withStoreErrors(async () => {
      const rows = await db
        .selectFrom('delegator_accounts')
        .select('address')
        .where('left_at_ms', 'is', null)
        .$if(after !== null, (query) => query.where('address', '>', after!))
        .orderBy('address')
        .limit(limit)
        .execute();
      return rows.map(({ address }) => address as Address);
    }),

  record: (accounts, changes) =>
    withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        // Sorted, so two processes that write the same accounts cannot deadlock.
        const sorted = accounts.toSorted((a, b) => (a.address < b.address ? -1 : 1));
        for (let at = 0; at < sorted.length; at += ROWS)
          await upsert(transaction, sorted.slice(at, at + ROWS));
        for (let at = 0; at < changes.length; at += ROWS)
          await transaction
            .insertInto('delegator_changes')
            .values(changes.slice(at, at + ROWS).map(changeRowOf))
            .onConflict((conflict) => conflict.columns(['address', 'slot', 'kind']).doNothing())
            .execute();
      }),
    ),

  seenSince: (sinceMs, after, limit) =>
    withStoreErrors(async () => {
      const rows = await db
        .selectFrom('delegator_accounts')
        .select(['address', 'first_seen_epoch', 'first_seen_at_ms'])
        .where(({ eb, or, and }) =>
          after === null
            ? eb('first_seen_at_ms', '>=', BigInt(sinceMs))
            : or([
                eb('first_seen_at_ms', '>', BigInt(sinceMs)),
                and([eb('first_seen_at_ms', '=', BigInt(sinceMs)), eb('address', '>', after)]),
              ]),
        )
        .orderBy('first_seen_at_ms')
        .orderBy('address')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        address: row.address as Address,
        epoch: row.first_seen_epoch,
        atMs: Number(row.first_seen_at_ms),
      }));
    }),

  changes: ({ address, wallet }, limit) =>
    withStoreErrors(async () => {
      const rows = await db
        .selectFrom('delegator_changes')
        .selectAll()
        .$if(address !== undefined, (query) => query.where('address', '=', address!))
        .$if(wallet !== undefined, (query) => query.where('wallet', '=', wallet!))
        .orderBy('at_ms', 'desc')
        .orderBy('address', 'desc')
        .orderBy('slot', 'desc')
        // Newest first. Among changes recorded together, leaving comes before joining.
        .orderBy('kind', 'desc')
        .limit(limit)
        .execute();
      return rows.map(changeOf);
    }),

  changesBetween: (fromMs, beforeMs, limit) =>
    withStoreErrors(async () => {
      const rows = await db
        .selectFrom('delegator_changes')
        .selectAll()
        .where('at_ms', '>=', BigInt(fromMs))
        .where('at_ms', '<', BigInt(beforeMs))
        .orderBy('at_ms')
        .orderBy('address')
        .orderBy('kind')
        .limit(limit)
        .execute();
      return rows.map(changeOf);
    }),

  recordEpoch: ({ epoch, accounts, delegators, ...stake }) =>
    withStoreErrors(async () => {
      const values = {
        accounts: BigInt(accounts),
        delegators: BigInt(delegators),
        active_lamports: stake.activeLamports,
        activating_lamports: stake.activatingLamports ?? UNKNOWN,
        deactivating_lamports: stake.deactivatingLamports ?? UNKNOWN,
      };
      await db
        .insertInto('delegator_epochs')
        .values({ epoch, ...values })
        .onConflict((conflict) => conflict.column('epoch').doUpdateSet(values))
        .execute();
    }),

  epochs: (limit) =>
    withStoreErrors(async () => {
      const rows = await db
        .selectFrom('delegator_epochs')
        .selectAll()
        .orderBy('epoch', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        epoch: row.epoch,
        accounts: Number(row.accounts),
        delegators: Number(row.delegators),
        activeLamports: row.active_lamports,
        activatingLamports: knownOrNull(row.activating_lamports),
        deactivatingLamports: knownOrNull(row.deactivating_lamports),
      }));
    }),

  countWallets: (epoch) =>
    withStoreErrors(async () => {
      const { rows } = await sql<{ staked: bigint; joined: bigint; gone: bigint }>`
        select
          count(case when is_in = 1 then 1 end) as staked,
          count(case when is_in > was_in then 1 end) as joined,
          count(case when is_in < was_in then 1 end) as gone
        from (select max(${isStakedAt(epoch)}) as was_in, max(${isStakedAt(epoch + 1n)}) as is_in
          from delegator_accounts group by wallet) as wallets`.execute(db);
      const [counts] = rows;
      return {
        staked: Number(counts!.staked),
        joined: Number(counts!.joined),
        gone: Number(counts!.gone),
      };
    }),

  isFilled: () =>
    withStoreErrors(async () => {
      const row = await db
        .selectFrom('checkpoints')
        .select('value')
        .where('name', '=', FILLED)
        .executeTakeFirst();
      return row !== undefined;
    }),

  setFilled: () =>
    withStoreErrors(async () => {
      await db
        .insertInto('checkpoints')
        .values({ name: FILLED, value: '1' })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    }),

  labels: (wallets) =>
    withStoreErrors(async () => {
      if (wallets.length === 0) return new Map();
      const rows = await db
        .selectFrom('wallet_labels')
        .selectAll()
        .where('wallet', 'in', [...new Set(wallets)])
        .execute();
      return new Map(rows.map(({ wallet, label }) => [wallet, label]));
    }),

  setLabel: (wallet, label) =>
    withStoreErrors(async () => {
      if (label === null) await db.deleteFrom('wallet_labels').where('wallet', '=', wallet).execute();
      else
        await db
          .insertInto('wallet_labels')
          .values({ wallet, label })
          .onConflict((conflict) => conflict.column('wallet').doUpdateSet({ label }))
          .execute();
    }),
});

/** SQL expression: 1 if an account had stake at the beginning of `epoch`, otherwise 0. */
const isStakedAt = (epoch: bigint) => sql`case when (activation_epoch is null or activation_epoch < ${epoch})
  and (deactivation_epoch is null or deactivation_epoch >= ${epoch})
  and (left_at_ms is null
    or address in (select address from delegator_changes where kind = 'left' and epoch >= ${epoch}))
  then 1 else 0 end`;

const upsert = async (db: Kysely<Database>, accounts: readonly DelegatorAccount[]): Promise<void> => {
  await db
    .insertInto('delegator_accounts')
    .values(accounts.map(rowOf))
    .onConflict((conflict) =>
      conflict
        .column('address')
        .doUpdateSet((eb) => ({
          wallet: eb.ref('excluded.wallet'),
          staker: eb.ref('excluded.staker'),
          stake_lamports: eb.ref('excluded.stake_lamports'),
          credits: eb.ref('excluded.credits'),
          activation_epoch: eb.ref('excluded.activation_epoch'),
          deactivation_epoch: eb.ref('excluded.deactivation_epoch'),
          slot: eb.ref('excluded.slot'),
          left_at_ms: eb.ref('excluded.left_at_ms'),
        }))
        // A previous leader that is still finishing must not overwrite newer data.
        .where(sql<boolean>`excluded.slot >= delegator_accounts.slot`),
    )
    .execute();
};

const rowOf = (account: DelegatorAccount): Database['delegator_accounts'] => ({
  address: account.address,
  wallet: account.wallet,
  staker: account.staker,
  stake_lamports: account.stakeLamports,
  credits: account.credits,
  activation_epoch: account.activationEpoch,
  deactivation_epoch: account.deactivationEpoch,
  slot: account.slot,
  first_seen_epoch: account.firstSeenEpoch,
  first_seen_at_ms: BigInt(account.firstSeenAtMs),
  left_at_ms: account.leftAtMs === null ? null : BigInt(account.leftAtMs),
});

const accountOf = (row: Database['delegator_accounts']): DelegatorAccount => ({
  address: row.address as Address,
  wallet: row.wallet as Address,
  staker: row.staker as Address,
  stakeLamports: row.stake_lamports,
  credits: row.credits,
  activationEpoch: row.activation_epoch,
  deactivationEpoch: row.deactivation_epoch,
  slot: row.slot,
  firstSeenEpoch: row.first_seen_epoch,
  firstSeenAtMs: Number(row.first_seen_at_ms),
  leftAtMs: row.left_at_ms === null ? null : Number(row.left_at_ms),
});

const changeOf = (row: Database['delegator_changes']): DelegatorChange => ({
  address: row.address as Address,
  slot: row.slot,
  kind: row.kind,
  wallet: row.wallet as Address,
  epoch: row.epoch,
  atMs: Number(row.at_ms),
  lamports: row.lamports,
});

const changeRowOf = (change: DelegatorChange): Database['delegator_changes'] => ({
  address: change.address,
  slot: change.slot,
  kind: change.kind,
  wallet: change.wallet,
  epoch: change.epoch,
  at_ms: BigInt(change.atMs),
  lamports: change.lamports,
});
