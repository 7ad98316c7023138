// Call counts per endpoint, across all runs and replicas.
import { type Kysely, sql } from 'kysely';
import { guardedQuery, withStoreErrors } from './engine/store-errors.ts';
import type { Database } from './schema.ts';

/** Durable counts. Rejects like `TransactionRecords`. */
export interface Counters {
  /** Atomically adds to the count of each endpoint. */
  readonly add: (increments: ReadonlyMap<string, number>) => Promise<void>;
  readonly all: () => Promise<ReadonlyMap<string, number>>;
}

export const createCounters = (db: Kysely<Database>): Counters => ({
  add: (increments) =>
    withStoreErrors(async () => {
      if (increments.size === 0) return;
      // Sorted, so two replicas that add concurrently cannot deadlock.
      const rows = [...increments]
        .map(([endpoint, count]) => ({ endpoint, count: BigInt(count) }))
        .toSorted((a, b) => (a.endpoint < b.endpoint ? -1 : 1));
      await db
        .insertInto('endpoint_counts')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('endpoint').doUpdateSet({ count: sql`endpoint_counts.count + excluded.count` }),
        )
        .execute();
    }),

  all: () =>
    guardedQuery(async () => {
      const rows = await db.selectFrom('endpoint_counts').selectAll().orderBy('endpoint').execute();
      return new Map(rows.map(({ endpoint, count }) => [endpoint, Number(count)]));
    }),
});
