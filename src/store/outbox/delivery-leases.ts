// Lease conditions shared by both engines: a delivery belongs to the holder of its unexpired lease.
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** Values of a delivery without a lease. */
export const UNLEASED = { lease_owner: null, lease_until_ms: null } as const;

/** SQL condition: the delivery has no unexpired lease at `nowMs`. */
export const hasNoLease =
  (nowMs: number) =>
  ({ or, eb }: ExpressionBuilder<Database, 'deliveries'>) =>
    or([eb('deliveries.lease_until_ms', 'is', null), eb('deliveries.lease_until_ms', '<=', BigInt(nowMs))]);

/**
 * Returns the next time at which an unleased delivery is due or a lease ends; null if nothing is pending. A
 * lease ends after its delivery was due, so only rows due before the first unleased row matter. These are few
 * and come first in the index.
 */
export const nextDue = async (db: Kysely<Database>): Promise<number | null> => {
  const { rows } = await sql<{ due: bigint | null }>`
    with free as (
      select due_at_ms from deliveries where state = 'pending' and lease_until_ms is null and due_at_ms is not null order by due_at_ms limit 1
    )
    select min(due) as due from (
      select due_at_ms as due from free
      union all
      select min(lease_until_ms) from deliveries
      where state = 'pending' and lease_until_ms is not null and due_at_ms <= coalesce((select due_at_ms from free), ${MAX_MS})
    ) as times`.execute(db);
  const due = rows[0]?.due ?? null;
  return due === null ? null : Number(due);
};

/** A time, in ms, later than any stored one. */
const MAX_MS = sql.lit(Number.MAX_SAFE_INTEGER);
