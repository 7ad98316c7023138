// PostgreSQL's claim: one statement finds, locks, leases and returns due deliveries, and skips what other processes hold.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';
import {
  ADDRESSEE_COLUMNS,
  type AddresseeRow,
  CLAIMED_COLUMNS,
  type ClaimedRow,
  claimedOf,
} from './claimed-row.ts';
import type { ClaimedDelivery, ClaimOptions } from './outbox.ts';

/** Rows looked at for each that may be claimed: other processes may have locked some, and a few registrations with many events must not hide the others. */
const LOOK_AHEAD = [8, 64];

/** Leases the longest due, at most so many of each registration. */
export const claimRowsPostgres = async (
  db: Kysely<Database>,
  options: ClaimOptions,
): Promise<readonly ClaimedDelivery[]> => {
  for (const ahead of LOOK_AHEAD) {
    const examined = options.limit * ahead;
    const { found, claimed } = await claimWithin(db, options, examined);
    // What the first look claimed is worth more than a second look.
    if (claimed.length > 0 || found < examined) return claimed;
  }
  return [];
};

interface ClaimRound {
  /** Rows that were due. */
  readonly found: number;
  readonly claimed: readonly ClaimedDelivery[];
}

// As JSON texts: the driver takes rows to pieces value by value, which costs ten times as much (2026-11). Each addressee occurs once.
const claimWithin = async (
  db: Kysely<Database>,
  { owner, nowMs, leaseMs, limit, limitPerRegistration, except }: ClaimOptions,
  examined: number,
): Promise<ClaimRound> => {
  const now = sql`cast(${nowMs} as bigint)`;
  const { rows } = await sql<{ found: bigint; claimed: string | null; addressees: string | null }>`
    with look as materialized (
      select event, registration, due_at_ms, at_ms from deliveries
      where state = 'pending' and due_at_ms <= ${now} and (lease_until_ms is null or lease_until_ms <= ${now})
        and not registration = any(cast(${except} as text[]))
      order by due_at_ms, at_ms, event limit cast(${examined} as integer)
    ), ranked as (
      select event, due_at_ms, at_ms, row_number() over (partition by registration order by due_at_ms, at_ms, event) as place from look
    ), due as materialized (
      select deliveries.event from ranked join deliveries on deliveries.event = ranked.event
      -- Asked again of the row itself: another process may have leased it since the look.
      where ranked.place <= cast(${limitPerRegistration} as bigint) and deliveries.state = 'pending'
        and deliveries.due_at_ms <= ${now} and (deliveries.lease_until_ms is null or deliveries.lease_until_ms <= ${now})
      order by ranked.due_at_ms, ranked.at_ms, ranked.event limit cast(${limit} as integer)
      for update of deliveries skip locked
    ), d as (
      update deliveries set lease_owner = ${owner}, lease_until_ms = cast(${nowMs + leaseMs} as bigint) from due
      where deliveries.event = due.event
      returning deliveries.event, deliveries.registration, deliveries.at_ms, deliveries.due_at_ms, deliveries.attempts, deliveries.attempts_ever
    )
    select (select count(*) from look) as found,
      cast((select json_agg(json_build_array(${sql.raw(CLAIMED_COLUMNS)}) order by d.due_at_ms, d.at_ms, d.event)
        from d join events e on e.key = d.event) as text) as claimed,
      cast((select json_agg(json_build_array(${sql.raw(ADDRESSEE_COLUMNS)}))
        from webhooks w where w.id in (select registration from d)) as text) as addressees`.execute(db);
  const [row] = rows;
  const addressees = new Map(
    (JSON.parse(row!.addressees ?? '[]') as AddresseeRow[]).map((addressee) => [addressee[0], addressee]),
  );
  return {
    found: Number(row!.found),
    claimed: (JSON.parse(row!.claimed ?? '[]') as ClaimedRow[]).map((claimed) =>
      claimedOf([...claimed, ...addressees.get(claimed[2])!]),
    ),
  };
};
