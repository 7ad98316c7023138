// How far each address was searched: one stretch without a gap, whoever searched.
import type { Kysely } from 'kysely';
import { guarded, guardedQuery } from './engine/guarded.ts';
import type { Database } from './schema.ts';
import type { Coverage, TransactionRecords } from './transaction-records.ts';

/** The part of `TransactionRecords` that marks what was searched. */
export const coverageStatements = (
  db: Kysely<Database>,
): Pick<TransactionRecords, 'coverage' | 'extendCoverage'> => ({
  coverage: (address) =>
    guardedQuery(async () => {
      const row = await selectCoverage(db, address).executeTakeFirst();
      return row ? coverageOf(row) : null;
    }),

  extendCoverage: (searched) =>
    guarded(() =>
      db.transaction().execute(async (transaction) => {
        // Written first, also when nothing changes: it locks the row against whoever extends it at the same time.
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('coverage')
          .values(rowOf(searched))
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
          .set(rowOf(joined))
          .where('address', '=', searched.address)
          .execute();
        return joined;
      }),
    ),
});

/** One stretch from two of an address: both where they touch, the newer one where they do not. */
export const joinCoverage = (a: Coverage, b: Coverage): Coverage => {
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

const rowOf = (mark: Coverage): Database['coverage'] => ({
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
