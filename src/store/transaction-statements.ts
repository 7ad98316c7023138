// The records of landed transactions over either engine.
import { type Kysely, sql } from 'kysely';
import { coverageStatements } from './coverage-statements.ts';
import { guarded, guardedQuery } from './engine/guarded.ts';
import { formatCursor, parseCursor, requirePageSize } from './history-cursor.ts';
import type { Database } from './schema.ts';
import { transactionStatistics } from './statistics-statements.ts';
import type { TransactionRecord, TransactionRecords } from './transaction-records.ts';

/** Rows of one insert: ten values each, below every engine's limit on parameters. */
const INSERT_ROWS = 100;
const DEFAULT_PAGE = 50;
const MAX_INTEGER = 2n ** 63n - 1n;

/** The records of an open database. */
export const createTransactionRecords = (db: Kysely<Database>): TransactionRecords => ({
  record: (records) => {
    for (const { amountLamports } of records)
      if (amountLamports < 0n || amountLamports > MAX_INTEGER)
        throw new RangeError(`${amountLamports} lamports cannot be kept`);
    return guarded(() =>
      db.transaction().execute(async (transaction) => {
        let added = 0;
        // In one order, so that two processes that record the same transactions cannot wait for each other.
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
      const entries = rows.slice(0, limit).map(recordOf);
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
      return new Map(rows.map((row) => [row.signature, recordOf(row)]));
    }),

  ...coverageStatements(db),

  statistics: (nowMs, recent = 10) =>
    guardedQuery(async () => ({
      ...(await transactionStatistics(db, nowMs)),
      recent: (
        await db
          .selectFrom('transactions')
          .selectAll()
          .orderBy('confirmed_at_ms', 'desc')
          .orderBy('signature', 'desc')
          .limit(recent)
          .execute()
      ).map(recordOf),
    })),
});

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

const recordOf = (row: Database['transactions']): TransactionRecord => ({
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
});
