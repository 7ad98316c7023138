// The embedded engine's claim: it holds the only write lock, so what it found due it may lease.
import type { Kysely } from 'kysely';
import type { Database, Engine } from '../schema.ts';
import {
  ADDRESSEE_COLUMNS,
  type AddresseeRow,
  CLAIMED_COLUMNS,
  type ClaimedRow,
  claimedOf,
} from './claimed-row.ts';
import type { ClaimedDelivery, ClaimOptions } from './outbox.ts';

type Prepare = NonNullable<Engine['prepare']>;

/** Rows looked at for each that may be claimed, where the first look found too few: enough that a few registrations with many events do not hide the others. */
const LOOK_AHEAD = 16;

const ORDER = 'order by d.due_at_ms, d.at_ms, d.event limit ?';
const COLUMNS = `${CLAIMED_COLUMNS}, ${ADDRESSEE_COLUMNS}`;
const JOINED = 'cross join events e on e.key = d.event cross join webhooks w on w.id = d.registration';
const DUE = `select ${COLUMNS} from deliveries d indexed by deliveries_due ${JOINED}
  where d.state = 'pending' and d.due_at_ms <= ? and (d.lease_until_ms is null or d.lease_until_ms <= ?) ${ORDER}`;
// The index alone answers for those left out, which may be very many; only the rows of the others are looked at.
const DUE_BUT_FOR = `select d.event, null, d.registration from deliveries d indexed by deliveries_due
  where d.state = 'pending' and d.due_at_ms <= ? and d.registration not in (select value from json_each(?))
  and exists (select 1 from deliveries l where l.event = d.event and (l.lease_until_ms is null or l.lease_until_ms <= ?)) ${ORDER}`;
const CLAIMED = `select ${COLUMNS} from deliveries d ${JOINED} where d.event = ?`;
// One statement for all: half the time of one for each.
const LEASE =
  'update deliveries set lease_owner = ?, lease_until_ms = ? where event in (select value from json_each(?))';

type JoinedRow = readonly [...ClaimedRow, ...AddresseeRow];

/** Leases the longest due, at most so many of each registration. */
export const claimRowsEmbedded = (
  db: Kysely<Database>,
  prepare: Prepare,
  options: ClaimOptions,
): Promise<readonly ClaimedDelivery[]> =>
  db.transaction().execute(async () => {
    const { owner, nowMs, leaseMs } = options;
    const rows = dueRows(prepare, options);
    if (rows.length > 0) prepare(LEASE).run(owner, nowMs + leaseMs, JSON.stringify(rows.map(([key]) => key)));
    return rows.map(claimedOf);
  });

const dueRows = (prepare: Prepare, options: ClaimOptions): readonly JoinedRow[] => {
  const { nowMs, limit, except } = options;
  const first = prepare(DUE).rows(nowMs, nowMs, limit) as unknown as readonly JoinedRow[];
  const rows = firstOfEach(first, options);
  // Enough for a claim, or all there is.
  if (rows.length >= limit / 2 || first.length < limit) return rows;
  const more = prepare(DUE_BUT_FOR).rows(nowMs, JSON.stringify(except), nowMs, limit * LOOK_AHEAD);
  const claimed = prepare(CLAIMED);
  return firstOfEach(more as unknown as readonly DueRow[], options).map(
    ([key]) => claimed.firstRow(key) as unknown as JoinedRow,
  );
};

type DueRow = readonly [key: number, id: unknown, registration: string, ...rest: unknown[]];

const firstOfEach = <Row extends DueRow>(
  rows: readonly Row[],
  { limit, limitPerRegistration, except }: ClaimOptions,
): readonly Row[] => {
  const chosen: Row[] = [];
  const left = new Map(except.map((registration) => [registration, 0]));
  for (const row of rows) {
    const places = left.get(row[2]) ?? limitPerRegistration;
    if (places <= 0) continue;
    left.set(row[2], places - 1);
    chosen.push(row);
    if (chosen.length === limit) break;
  }
  return chosen;
};
