// Records of landed transactions, each stored once and exact to the lamport, and of the range of the chain that
// was searched.

import { type Kysely, sql } from 'kysely';
import type { TransactionKind } from '../domain/transaction/transaction-kinds.ts';
import type { TransactionLeg } from '../domain/transaction/transaction-legs.ts';
import { guardedQuery, withStoreErrors } from './engine/store-errors.ts';
import { formatCursor, parseCursor, requirePageSize } from './history-cursor.ts';
import type { Database, RecordSource } from './schema.ts';
import { type TransactionStatistics, transactionStatistics } from './transaction-statistics.ts';

export interface TransactionRecord {
  readonly type: TransactionKind;
  readonly signature: string;
  /** Wallet that signed. */
  readonly wallet: string;
  /** Null for a donation. */
  readonly stakeAccountAddress: string | null;
  /** 0 to 2^63 − 1. */
  readonly amountLamports: bigint;
  readonly slot: bigint;
  readonly epoch: bigint;
  /** Milliseconds since the Unix epoch. */
  readonly confirmedAtMs: number;
  readonly source: RecordSource;
  /** True if the transaction has our memo. */
  readonly hasMemo: boolean;
  /** Effects of the transaction on stake accounts, in order. */
  readonly legs: readonly TransactionLeg[];
}

/** The recorded transaction that brought stake into an account. */
export interface AccountSource {
  readonly signature: string;
  readonly slot: bigint;
  readonly source: RecordSource;
  /** True if the transaction has our memo. */
  readonly hasMemo: boolean;
}

interface HistoryPageRequest {
  /** 1 to 200. Default: 50. */
  readonly limit?: number;
  /** `nextCursor` from the previous page. New entries do not cause others to be repeated or skipped. */
  readonly cursor?: string | undefined;
  /** Omits transactions after this slot, for instance those that are not finalized yet. */
  readonly throughSlot?: bigint;
}

interface HistoryPage {
  readonly entries: readonly TransactionRecord[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** A range of an address's signatures that was searched without gaps. */
export interface Coverage {
  readonly address: string;
  readonly fromSlot: bigint;
  /** The oldest signature found, from which a search further back starts. Null if none was found. */
  readonly fromSignature: string | null;
  readonly toSlot: bigint;
  /** The newest signature found, at which the next search ends. Null if none was found. */
  readonly toSignature: string | null;
  /** True if the RPC knows no older transactions. */
  readonly reachesStart: boolean;
}

/**
 * Durable record of landed transactions. Every write is on disk when its promise resolves. All methods reject
 * with `AppError('STORE_UNAVAILABLE')` while the store is unavailable, and with
 * `AppError('UPSTREAM_UNAVAILABLE')` for a statement that it cannot execute.
 */
export interface TransactionRecords {
  /**
   * Stores each transaction once, by signature, and returns how many were new. The first record is kept, except
   * that a transaction first found on chain is later attributed to the interface that executed it.
   */
  readonly record: (records: readonly TransactionRecord[]) => Promise<number>;
  /** Rejects with `AppError('VALIDATION_ERROR')` for an invalid limit or cursor. */
  readonly pageWalletHistory: (wallet: string, page?: HistoryPageRequest) => Promise<HistoryPage>;
  /** Returns the records of these signatures, at most 500 at a time. */
  readonly find: (signatures: readonly string[]) => Promise<ReadonlyMap<string, TransactionRecord>>;
  /**
   * Lists accounts from which stake or lamports were moved, each with the wallet that moved them. Some now
   * hold only their rent-exempt minimum.
   */
  readonly movedOutOf: () => Promise<readonly { readonly account: string; readonly wallet: string }[]>;
  /**
   * Returns, for each of these stake accounts, the first recorded transaction that delegated it or split it
   * off. At most 500 at a time.
   */
  readonly waysIn: (stakeAccounts: readonly string[]) => Promise<ReadonlyMap<string, AccountSource>>;
  /**
   * Lists the recorded transactions of these epochs that affected one of these stake accounts, newest first.
   * Accepts at most 200 epochs and 200 accounts.
   */
  readonly thatChanged: (
    stakeAccounts: readonly string[],
    epochs: readonly bigint[],
  ) => Promise<readonly TransactionRecord[]>;
  /** Returns null if the address was never searched. */
  readonly coverage: (address: string) => Promise<Coverage | null>;
  /**
   * Merges a searched range with the known range of its address. If they do not touch, keeps the newer one, so
   * the stored range never covers a gap. Returns the stored range.
   */
  readonly extendCoverage: (searched: Coverage) => Promise<Coverage>;
  /**
   * Counts all transactions. The time windows end at `nowMs`; `recent` is the number of newest transactions
   * to list, default 10.
   */
  readonly statistics: (
    nowMs: number,
    recent?: number,
  ) => Promise<TransactionStatistics & { readonly recent: readonly TransactionRecord[] }>;
}

/** Number of rows per insert. With ten values each, this stays below every engine's parameter limit. */
const INSERT_ROWS = 100;
const DEFAULT_PAGE = 50;
const MAX_INTEGER = 2n ** 63n - 1n;

export const createTransactionRecords = (db: Kysely<Database>): TransactionRecords => ({
  record: (records) => {
    for (const { amountLamports } of records)
      if (amountLamports < 0n || amountLamports > MAX_INTEGER)
        throw new RangeError(`${amountLamports} lamports are out of range and cannot be stored`);
    return withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        let added = 0;
        // Sorted, so two processes that record the same transactions cannot deadlock.
        const sorted = records.toSorted((a, b) => (a.signature < b.signature ? -1 : 1));
        for (let at = 0; at < sorted.length; at += INSERT_ROWS)
          added += await insertRecords(transaction, sorted.slice(at, at + INSERT_ROWS));
        return added;
      }),
    );
  },

  pageWalletHistory: async (wallet, { limit = DEFAULT_PAGE, cursor, throughSlot } = {}) => {
    requirePageSize(limit);
    const after = cursor === undefined ? null : parseCursor(cursor);
    return guardedQuery(async () => {
      const rows = await db
        .selectFrom('transactions')
        .selectAll()
        .where('wallet', '=', wallet)
        .$if(throughSlot !== undefined, (query) => query.where('slot', '<=', throughSlot!))
        .$if(after !== null, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('slot', 'signature'), '<', tuple(after!.slot, after!.signature)),
          ),
        )
        .orderBy('slot', 'desc')
        .orderBy('signature', 'desc')
        .limit(limit + 1)
        .execute();
      const entries = await withLegs(db, rows.slice(0, limit));
      const last = entries.at(-1);
      return { entries, nextCursor: rows.length > limit && last ? formatCursor(last) : null };
    });
  },

  find: (signatures) =>
    guardedQuery(async () => {
      const rows =
        signatures.length === 0
          ? []
          : await db.selectFrom('transactions').selectAll().where('signature', 'in', signatures).execute();
      return new Map((await withLegs(db, rows)).map((record) => [record.signature, record]));
    }),

  movedOutOf: () =>
    guardedQuery(async () => {
      const rows = await db
        .selectFrom('transaction_legs')
        .innerJoin('transactions', 'transactions.signature', 'transaction_legs.signature')
        .select(['transaction_legs.stake_account', 'transactions.wallet'])
        .distinct()
        .where('transaction_legs.type', 'in', ['moveStake', 'moveLamports'])
        .execute();
      return rows.flatMap(({ stake_account, wallet }) =>
        stake_account === null ? [] : [{ account: stake_account, wallet }],
      );
    }),

  waysIn: (stakeAccounts) => guardedQuery(() => findAccountSources(db, stakeAccounts)),

  thatChanged: (stakeAccounts, epochs) =>
    guardedQuery(async () => {
      if (stakeAccounts.length === 0) return [];
      const rows = await db
        .selectFrom('transactions')
        .selectAll()
        .where('epoch', 'in', epochs)
        .where('signature', 'in', (leg) =>
          leg
            .selectFrom('transaction_legs')
            .select('signature')
            .where((is) =>
              is.or([is('stake_account', 'in', stakeAccounts), is('counter_account', 'in', stakeAccounts)]),
            ),
        )
        .orderBy('slot', 'desc')
        .execute();
      return withLegs(db, rows);
    }),

  ...coverageStatements(db),

  statistics: (nowMs, recent = 10) =>
    guardedQuery(async () => ({
      ...(await transactionStatistics(db, nowMs)),
      recent: await withLegs(
        db,
        await db
          .selectFrom('transactions')
          .selectAll()
          .orderBy('confirmed_at_ms', 'desc')
          .orderBy('signature', 'desc')
          .limit(recent)
          .execute(),
      ),
    })),
});

const findAccountSources = async (
  db: Kysely<Database>,
  stakeAccounts: readonly string[],
): Promise<ReadonlyMap<string, AccountSource>> => {
  if (stakeAccounts.length === 0) return new Map();
  const columns = [
    'transactions.signature',
    'transactions.slot',
    'transactions.source',
    'transactions.has_memo',
  ] as const;
  // Also finds transactions without legs, which earlier versions recorded.
  const whole = await db
    .selectFrom('transactions')
    .select(['stake_account as account', ...columns])
    .where('stake_account', 'in', stakeAccounts)
    .where('type', 'in', ['stake', 'restake'])
    .execute();
  const legs = db
    .selectFrom('transaction_legs')
    .innerJoin('transactions', 'transactions.signature', 'transaction_legs.signature');
  const delegated = await legs
    .select(['transaction_legs.stake_account as account', ...columns])
    .where('transaction_legs.stake_account', 'in', stakeAccounts)
    .where('transaction_legs.type', '=', 'delegate')
    .execute();
  const divided = await legs
    .select(['transaction_legs.counter_account as account', ...columns])
    .where('transaction_legs.counter_account', 'in', stakeAccounts)
    .where('transaction_legs.type', 'in', ['split', 'moveStake'])
    .execute();
  const first = new Map<string, AccountSource>();
  for (const { account, signature, slot, source, has_memo } of [...whole, ...delegated, ...divided])
    if (account !== null && !((first.get(account)?.slot ?? slot + 1n) <= slot))
      first.set(account, { signature, slot, source, hasMemo: has_memo === 1n });
  return first;
};

const insertRecords = async (
  db: Kysely<Database>,
  records: readonly TransactionRecord[],
): Promise<number> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('transactions')
    .values(records.map(rowOf))
    .onConflict((conflict) => conflict.column('signature').doNothing())
    .executeTakeFirstOrThrow();
  const added = Number(numInsertedOrUpdatedRows ?? 0n);
  await insertLegs(db, records);
  if (added === records.length) return added;
  for (const { signature, source } of records) {
    if (source === 'chain') continue;
    await db
      .updateTable('transactions')
      .set({ source })
      .where('signature', '=', signature)
      .where('source', '=', sql.lit('chain'))
      .execute();
  }
  return added;
};

/** Inserts the legs. Legs of an already recorded transaction stay unchanged. */
const insertLegs = async (db: Kysely<Database>, records: readonly TransactionRecord[]): Promise<void> => {
  const rows = records.flatMap(({ signature, legs }) =>
    legs.map((leg, index) => ({
      signature,
      leg: BigInt(index),
      type: leg.type,
      stake_account: leg.stakeAccount,
      counter_account: leg.counterAccount,
      lamports: leg.lamports,
    })),
  );
  for (let at = 0; at < rows.length; at += INSERT_ROWS)
    await db
      .insertInto('transaction_legs')
      .values(rows.slice(at, at + INSERT_ROWS))
      .onConflict((conflict) => conflict.columns(['signature', 'leg']).doNothing())
      .execute();
};

const withLegs = async (
  db: Kysely<Database>,
  rows: readonly Database['transactions'][],
): Promise<readonly TransactionRecord[]> => {
  if (rows.length === 0) return [];
  const found = await db
    .selectFrom('transaction_legs')
    .selectAll()
    .where(
      'signature',
      'in',
      rows.map(({ signature }) => signature),
    )
    .orderBy('signature')
    .orderBy('leg')
    .execute();
  const bySignature = Map.groupBy(found, ({ signature }) => signature);
  const records = rows.map((row) =>
    recordOf(
      row,
      (bySignature.get(row.signature) ?? []).map(({ type, stake_account, counter_account, lamports }) => ({
        type,
        stakeAccount: stake_account,
        counterAccount: counter_account,
        lamports,
      })),
    ),
  );
  return markUndone(db, records);
};

/**
 * Marks delegations that reversed a deactivation: those whose account's previous change was its deactivation in
 * the same epoch. The chain allows no other delegation then. The mark is computed on read, because a search of
 * the chain finds the newer transaction first.
 */
const markUndone = async (
  db: Kysely<Database>,
  records: readonly TransactionRecord[],
): Promise<readonly TransactionRecord[]> => {
  const again = records.flatMap(({ epoch, legs }) =>
    legs.flatMap(({ type, stakeAccount }) =>
      type === 'delegate' &&
      stakeAccount !== null &&
      !legs.some((leg) => leg.type === 'create' && leg.stakeAccount === stakeAccount)
        ? [{ epoch, stakeAccount }]
        : [],
    ),
  );
  if (again.length === 0) return records;
  const done = await db
    .selectFrom('transaction_legs')
    .innerJoin('transactions', 'transactions.signature', 'transaction_legs.signature')
    .select(['transaction_legs.type', 'transaction_legs.stake_account', 'transactions.slot'])
    .select('transactions.epoch')
    .where('transaction_legs.type', 'in', ['delegate', 'deactivate'])
    .where('transaction_legs.stake_account', 'in', [...new Set(again.map((leg) => leg.stakeAccount))])
    .where('transactions.epoch', 'in', [...new Set(again.map(({ epoch }) => epoch))])
    .orderBy('transactions.slot')
    .orderBy('transaction_legs.leg')
    .execute();
  const isUndone = ({ slot, epoch }: TransactionRecord, account: string | null): boolean =>
    done.findLast((leg) => leg.stake_account === account && leg.epoch === epoch && leg.slot < slot)?.type ===
    'deactivate';
  return records.map((record) => ({
    ...record,
    legs: record.legs.map((leg) =>
      leg.type === 'delegate' && isUndone(record, leg.stakeAccount) ? { ...leg, type: 'undo' } : leg,
    ),
  }));
};

const rowOf = (record: TransactionRecord): Database['transactions'] => ({
  signature: record.signature,
  type: record.type,
  wallet: record.wallet,
  stake_account: record.stakeAccountAddress,
  lamports: record.amountLamports,
  slot: record.slot,
  epoch: record.epoch,
  confirmed_at_ms: BigInt(record.confirmedAtMs),
  source: record.source,
  has_memo: record.hasMemo ? 1n : 0n,
});

const recordOf = (row: Database['transactions'], legs: readonly TransactionLeg[]): TransactionRecord => ({
  type: row.type,
  signature: row.signature,
  wallet: row.wallet,
  stakeAccountAddress: row.stake_account,
  amountLamports: row.lamports,
  slot: row.slot,
  epoch: row.epoch,
  confirmedAtMs: Number(row.confirmed_at_ms),
  source: row.source,
  hasMemo: row.has_memo === 1n,
  legs,
});

/** Implements the part of `TransactionRecords` that records searched ranges. */
const coverageStatements = (
  db: Kysely<Database>,
): Pick<TransactionRecords, 'coverage' | 'extendCoverage'> => ({
  coverage: (address) =>
    guardedQuery(async () => {
      const row = await selectCoverage(db, address).executeTakeFirst();
      return row ? coverageOf(row) : null;
    }),

  extendCoverage: (searched) =>
    withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        // Written first, even without a change, to lock the row against concurrent updates.
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('coverage')
          .values(coverageRowOf(searched))
          .onConflict((conflict) => conflict.column('address').doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 1n) return searched;
        const known = await transaction
          .updateTable('coverage')
          .set({ address: searched.address })
          .where('address', '=', searched.address)
          .returningAll()
          .executeTakeFirstOrThrow();
        const joined = joinCoverage(coverageOf(known), searched);
        await transaction
          .updateTable('coverage')
          .set(coverageRowOf(joined))
          .where('address', '=', searched.address)
          .execute();
        return joined;
      }),
    ),
});

/** Combines two ranges of an address if they touch; otherwise returns the newer one. */
const joinCoverage = (a: Coverage, b: Coverage): Coverage => {
  const [older, newer] = a.toSlot <= b.toSlot ? [a, b] : [b, a];
  if (newer.fromSlot > older.toSlot) return newer;
  const start = older.fromSlot <= newer.fromSlot ? older : newer;
  return {
    address: newer.address,
    fromSlot: start.fromSlot,
    fromSignature: start.fromSignature,
    toSlot: newer.toSlot,
    toSignature: newer.toSignature ?? older.toSignature,
    reachesStart: a.reachesStart || b.reachesStart,
  };
};

const selectCoverage = (db: Kysely<Database>, address: string) =>
  db.selectFrom('coverage').selectAll().where('address', '=', address);

const coverageRowOf = (mark: Coverage): Database['coverage'] => ({
  address: mark.address,
  from_slot: mark.fromSlot,
  from_signature: mark.fromSignature,
  to_slot: mark.toSlot,
  to_signature: mark.toSignature,
  reaches_start: mark.reachesStart ? 1n : 0n,
});

const coverageOf = (row: Database['coverage']): Coverage => ({
  address: row.address,
  fromSlot: row.from_slot,
  fromSignature: row.from_signature,
  toSlot: row.to_slot,
  toSignature: row.to_signature,
  reachesStart: row.reaches_start === 1n,
});
