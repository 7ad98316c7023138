// Settles attempts in batches: the log, the deliveries, and the state of their registrations.
import { type Kysely, sql } from 'kysely';
import type { Database, Engine } from '../schema.ts';
import {
  attemptLine,
  deliveryChange,
  type RegistrationChange,
  registrationChanges,
} from './attempt-effects.ts';
import type { AttemptResult } from './outbox.ts';
import { settlePostgres } from './settle-postgres.ts';

/** What `Outbox.settle` promises, within the transaction `db`. */
export const settleAttempts = async (
  db: Kysely<Database>,
  { prepare }: Pick<Engine, 'prepare'>,
  results: readonly AttemptResult[],
): Promise<void> => {
  if (prepare) settleEmbedded(prepare, results);
  else await settlePostgres(db, results);
  const answered = results.filter(({ enable }) => enable);
  if (answered.length > 0) await releaseWaiting(db, answered);
};

/** Makes deliveries due that waited for the receiver's first answer. Those of deleted registrations keep waiting. */
const releaseWaiting = async (db: Kysely<Database>, answered: readonly AttemptResult[]): Promise<void> => {
  const nowMs = Math.max(...answered.map(({ attempt }) => attempt.atMs + attempt.durationMs));
  const { rows } = await sql<{ id: string }>`
    update webhooks set awaits_answer = 0 where awaits_answer = 1 and id in (${sql.join(
      answered.map(({ registrationId }) => registrationId),
    )}) returning case when deleted_at_ms is null then id else '' end as id`.execute(db);
  const ids = rows.map(({ id }) => id).filter((id) => id !== '');
  if (ids.length === 0) return;
  await db
    .updateTable('deliveries')
    .set({ due_at_ms: BigInt(nowMs) })
    .where('registration', 'in', ids)
    .where('state', '=', 'pending')
    .where('due_at_ms', 'is', null)
    .execute();
};

type Prepare = NonNullable<Engine['prepare']>;

const HOLDER = `update deliveries set state = ?, attempts = attempts + ?, attempts_ever = attempts_ever + 1, due_at_ms = ?, lease_owner = null, lease_until_ms = null,
  settled_at_ms = ?, attempt_log = attempt_log || ? where event = ? and lease_owner = ?`;
const OTHER =
  'update deliveries set attempts_ever = attempts_ever + 1, attempt_log = attempt_log || ? where event = ?';
const REGISTRATION = `update webhooks set
  last_delivery_at_ms = nullif(max(coalesce(last_delivery_at_ms, 0), ?), 0),
  failing_since_ms = coalesce(iif(?, failing_since_ms, null), ?),
  disabled_reason = iif(?, disabled_reason, ?) where id = ?`;

/** Within a transaction. */
const settleEmbedded = (prepare: Prepare, results: readonly AttemptResult[]): void => {
  const [holder, other, registration] = [prepare(HOLDER), prepare(OTHER), prepare(REGISTRATION)];
  const isHolder = (result: AttemptResult): boolean => {
    const { state, attempts, dueAtMs, settledAtMs } = deliveryChange(result);
    const { key, owner } = result;
    const line = attemptLine(result.attempt);
    const changed = holder.run(state, attempts, dueAtMs, settledAtMs, line, key, owner);
    if (changed === 0) other.run(line, key);
    return changed > 0;
  };
  for (const change of registrationChanges(results.filter(isHolder))) registration.run(...valuesOf(change));
};

const valuesOf = ({
  id,
  lastDeliveryAtMs,
  keepsFailing,
  failingSinceMs,
  disabledReason,
}: RegistrationChange) => [
  lastDeliveryAtMs ?? 0,
  keepsFailing ? 1 : 0,
  failingSinceMs,
  disabledReason === undefined ? 1 : 0,
  disabledReason ?? null,
  id,
];
