// Notes attempts and what follows from them, many at once: the log, the deliveries, and how their registrations fare.
import type { Kysely } from 'kysely';
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
};
