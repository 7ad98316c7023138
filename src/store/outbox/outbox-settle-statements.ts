// Notes attempts and what follows from them, many at once: the log, the deliveries, and how their registrations fare.
import { type Kysely, sql } from 'kysely';
import type { Database, Engine } from '../schema.ts';
import type { AttemptResult } from './outbox.ts';
import { settleEmbedded } from './outbox-settle-embedded.ts';
import { settlePostgres } from './outbox-settle-postgres.ts';

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

/** What waited for the receiver's first answer is due now; what waits for the restoring of its registration goes on waiting. */
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
