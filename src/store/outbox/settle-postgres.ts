// Settles attempts on PostgreSQL: one statement locks the affected rows, one writes all of them.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database, PlainValue } from '../schema.ts';
import {
  attemptLine,
  deliveryChange,
  type RegistrationChange,
  registrationChanges,
} from './attempt-effects.ts';
import type { AttemptResult } from './outbox.ts';

type Row = readonly PlainValue[];

/** Within the transaction `db`. */
export const settlePostgres = async (
  db: Kysely<Database>,
  results: readonly AttemptResult[],
): Promise<void> => {
  const owners = await lockOwners(db, results);
  const counting: AttemptResult[] = [];
  const others: AttemptResult[] = [];
  for (const result of results) {
    const isHolder = owners.get(result.key) === result.owner;
    (isHolder ? counting : others).push(result);
    owners.delete(result.key);
  }
  await settleHeld(db, counting.map(heldRow), registrationChanges(counting).map(registrationRow));
  if (others.length > 0) await noteOthers(db, others);
};

/** Who holds which delivery. Locks registrations before deliveries, each in one order, so that two processes never wait for each other. */
const lockOwners = async (
  db: Kysely<Database>,
  results: readonly AttemptResult[],
): Promise<Map<number, string | null>> => {
  const registrations = [...new Set(results.map(({ registrationId }) => registrationId))];
  const keys = results.map(({ key }) => key);
  // Asked for by the second lock's condition, the first is complete before it begins.
  const { rows } = await sql<{ owners: string | null }>`
    with registrations as materialized (
      select id from webhooks where id = any(cast(${registrations} as text[])) order by id for no key update
    ), locked as materialized (
      select event, lease_owner from deliveries
      where event = any(cast(${keys} as bigint[])) and (select count(*) from registrations) >= 0
      order by event for no key update
    )
    select cast(json_agg(json_build_array(event, lease_owner)) as text) as owners from locked`.execute(db);
  return new Map(JSON.parse(rows[0]!.owners ?? '[]') as [number, string | null][]);
};

const HELD = {
  event: 'integer',
  state: 'text',
  attempts: 'integer',
  due_at_ms: 'integer',
  settled_at_ms: 'integer',
  line: 'text',
} as const satisfies JsonColumns;

const heldRow = (result: AttemptResult): Row => {
  const { state, attempts, dueAtMs, settledAtMs } = deliveryChange(result);
  return [result.key, state, attempts, dueAtMs, settledAtMs, attemptLine(result.attempt)];
};

const REGISTRATIONS = {
  id: 'text',
  last_delivery_at_ms: 'integer',
  keeps_failing: 'integer',
  failing_since_ms: 'integer',
  keeps_disabled: 'integer',
  disabled_reason: 'text',
} as const satisfies JsonColumns;

const registrationRow = (change: RegistrationChange): Row => [
  change.id,
  change.lastDeliveryAtMs,
  Number(change.keepsFailing),
  change.failingSinceMs,
  Number(change.disabledReason === undefined),
  change.disabledReason ?? null,
];

const settleHeld = async (
  db: Kysely<Database>,
  held: readonly Row[],
  registrations: readonly Row[],
): Promise<void> => {
  await sql`
    with counted as (
      update webhooks set last_delivery_at_ms = greatest(webhooks.last_delivery_at_ms, given.last_delivery_at_ms),
        failing_since_ms = coalesce(case given.keeps_failing when 1 then webhooks.failing_since_ms end, given.failing_since_ms),
        disabled_reason = case given.keeps_disabled when 1 then webhooks.disabled_reason else given.disabled_reason end
      from (${jsonRows(REGISTRATIONS, registrations)}) as given where webhooks.id = given.id
    )
    update deliveries set state = given.state, attempts = deliveries.attempts + given.attempts, attempts_ever = attempts_ever + 1,
      due_at_ms = given.due_at_ms, lease_owner = null, lease_until_ms = null, settled_at_ms = given.settled_at_ms, attempt_log = attempt_log || given.line
    from (${jsonRows(HELD, held)}) as given where deliveries.event = given.event`.execute(db);
};

/** Attempts of those who hold the delivery no more: the log tells of them, nothing follows. */
const noteOthers = async (db: Kysely<Database>, others: readonly AttemptResult[]): Promise<void> => {
  const rows = [...Map.groupBy(others, ({ key }) => key)].map(([key, own]) => [
    key,
    own.length,
    own.map(({ attempt }) => attemptLine(attempt)).join(''),
  ]);
  await sql`
    update deliveries set attempts_ever = attempts_ever + given.times, attempt_log = attempt_log || given.lines
    from (${jsonRows({ event: 'integer', times: 'integer', lines: 'text' }, rows)}) as given
    where deliveries.event = given.event`.execute(db);
};

/** The columns of the rows in order, and what they hold. */
type JsonColumns = Readonly<Record<string, 'text' | 'integer'>>;

/** A select that gives `rows`; to stand in brackets or behind `insert into`. */
const jsonRows = (columns: JsonColumns, rows: readonly (readonly PlainValue[])[]): RawBuilder<unknown> =>
  sql`select ${sql.join(
    Object.entries(columns).map(
      ([name, type], index) =>
        sql`cast(value ->> ${sql.lit(index)} as ${sql.raw(type === 'text' ? 'text' : 'bigint')}) as ${sql.ref(name)}`,
    ),
  )} from jsonb_array_elements(cast(${JSON.stringify(rows)} as jsonb))`;
