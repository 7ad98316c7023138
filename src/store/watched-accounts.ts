// Stores the stake accounts of registered wallets in the state from which events were last derived, because the
// chain no longer shows that state.
import type { Address } from '@solana/kit';
import { type Kysely, sql } from 'kysely';
import { withStoreErrors } from './engine/store-errors.ts';
import type { Database } from './schema.ts';

/** An account in the state from which events were last derived. */
export interface WatchedAccount {
  readonly address: Address;
  /** The withdraw authority at that time. */
  readonly wallet: Address;
  /** Finalized slot up to which events have been emitted. */
  readonly slot: bigint;
  readonly lamports: bigint;
  /** The 200 bytes of the account. */
  readonly data: Uint8Array;
  /** Epoch of the last delegation in the part of the account's history that has been searched. */
  readonly delegatedEpoch: bigint | null;
}

/**
 * Durable memory of the watcher. All methods reject with `AppError('STORE_UNAVAILABLE')` while the store is
 * unavailable.
 */
export interface WatchedAccounts {
  /** Lists at most `limit` accounts after `afterAddress`, sorted by address. */
  readonly page: (afterAddress: string | null, limit: number) => Promise<readonly WatchedAccount[]>;
  /** Writes the accounts and deletes those in `gone`, in one transaction. */
  readonly save: (accounts: readonly WatchedAccount[], gone: readonly Address[]) => Promise<void>;
}

/** Number of rows per statement. With six values each, this stays below every engine's parameter limit. */
const ROWS = 100;

export const createWatchedAccounts = (db: Kysely<Database>): WatchedAccounts => ({
  page: (afterAddress, limit) =>
    withStoreErrors(async () => {
      const rows = await db
        .selectFrom('watched_accounts')
        .selectAll()
        .$if(afterAddress !== null, (query) => query.where('address', '>', afterAddress!))
        .orderBy('address')
        .limit(limit)
        .execute();
      return rows.map(accountOf);
    }),

  save: (accounts, gone) =>
    withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        // Sorted, so two processes that write the same accounts cannot deadlock.
        const sorted = accounts.toSorted((a, b) => (a.address < b.address ? -1 : 1));
        for (let at = 0; at < sorted.length; at += ROWS)
          await upsert(transaction, sorted.slice(at, at + ROWS));
        const leaving = gone.toSorted();
        for (let at = 0; at < leaving.length; at += ROWS)
          await transaction
            .deleteFrom('watched_accounts')
            .where('address', 'in', leaving.slice(at, at + ROWS))
            .execute();
      }),
    ),
});

const upsert = async (db: Kysely<Database>, accounts: readonly WatchedAccount[]): Promise<void> => {
  await db
    .insertInto('watched_accounts')
    .values(
      accounts.map(({ address, wallet, slot, lamports, data, delegatedEpoch }) => ({
        address,
        wallet,
        slot,
        lamports,
        data,
        delegated_epoch: delegatedEpoch,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('address')
        .doUpdateSet((eb) => ({
          wallet: eb.ref('excluded.wallet'),
          slot: eb.ref('excluded.slot'),
          lamports: eb.ref('excluded.lamports'),
          data: eb.ref('excluded.data'),
          delegated_epoch: eb.ref('excluded.delegated_epoch'),
        }))
        // A previous leader that is still finishing must not overwrite newer data.
        .where(sql<boolean>`excluded.slot >= watched_accounts.slot`),
    )
    .execute();
};

const accountOf = (row: Database['watched_accounts']): WatchedAccount => ({
  address: row.address as Address,
  wallet: row.wallet as Address,
  slot: row.slot,
  lamports: row.lamports,
  data: new Uint8Array(row.data),
  delegatedEpoch: row.delegated_epoch,
});
