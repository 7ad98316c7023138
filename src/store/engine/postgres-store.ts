// Shared store: a schema in a PostgreSQL database, used by all replicas.
import { sql } from 'kysely';
import type { Logger } from '../../kernel/log/logger.ts';
import type { StoreOpening } from '../store.ts';
import { type OpenOptions, openEngineStore } from './engine-store.ts';
import { openPostgresEngine, POSTGRES_SCHEMA } from './postgres-engine.ts';
import { createPostgresLeaderElection } from './postgres-leader-election.ts';
import { namesWithoutHolder } from './postgres-lock-session.ts';
import { withStoreErrors } from './store-errors.ts';

/** Statement timeout for migrations, in ms. They may take long and wait for another replica's migrations. */
const MIGRATION_TIMEOUT_MS = 120_000;

export interface PostgresStoreOptions extends OpenOptions {
  /** `postgres://…`; a secret. */
  readonly url: string;
}

/**
 * Opens or creates the store. Rejects with `AppError('STORE_UNAVAILABLE')` if the server does not respond
 * within a few seconds.
 */
export const openPostgresStore = ({ url, ...options }: PostgresStoreOptions): Promise<StoreOpening> => {
  const serving = openPostgresEngine(url, options.logger);
  const { lead, names } = createPostgresLeaderElection({ url, clock: options.clock, logger: options.logger });
  return openEngineStore(
    openPostgresEngine(url, options.logger, MIGRATION_TIMEOUT_MS),
    serving,
    { lead, unheld: () => withStoreErrors(() => namesWithoutHolder(serving.db, names())) },
    options,
  );
};

/**
 * Archives the store by renaming its schema. Opening the store again creates a new schema. Rejects with
 * `AppError('STORE_UNAVAILABLE')` if the store is unavailable.
 */
export const archivePostgresStore = async (url: string, name: string, logger: Logger): Promise<void> => {
  const { db, lockSchema, close } = openPostgresEngine(url, logger);
  try {
    await withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        await lockSchema(transaction);
        await sql`alter schema ${sql.id(POSTGRES_SCHEMA)} rename to ${sql.id(name)}`.execute(transaction);
      }),
    );
  } finally {
    await close();
  }
};
