// The shared store: a schema in a PostgreSQL database, served by as many replicas as there are.
import { sql } from 'kysely';
import type { Logger } from '../../kernel/logger.ts';
import type { StoreOpening } from '../store.ts';
import { type OpenOptions, openEngineStore } from './engine-store.ts';
import { openPostgresEngine, POSTGRES_SCHEMA } from './postgres-engine.ts';
import { createPostgresLeaderElection } from './postgres-leader-election.ts';
import { guarded } from './store-errors.ts';

/** Changing tables, and waiting for a replica that does, may take longer than serving. */
const MIGRATION_TIMEOUT_MS = 120_000;

/** Which database to open. */
export interface PostgresStoreOptions extends OpenOptions {
  /** `postgres://…`; a secret. */
  readonly url: string;
}

/** Opens or creates the store. Rejects with `STORE_UNAVAILABLE` when the server does not answer within seconds. */
export const openPostgresStore = ({ url, ...options }: PostgresStoreOptions): Promise<StoreOpening> =>
  openEngineStore(
    openPostgresEngine(url, options.logger, MIGRATION_TIMEOUT_MS),
    openPostgresEngine(url, options.logger),
    createPostgresLeaderElection({ url, clock: options.clock, logger: options.logger }),
    options,
  );

/** Moves the store aside by renaming its schema; the next opening makes a new one. Returns nothing but rejects with `STORE_UNAVAILABLE`. */
export const archivePostgresStore = async (url: string, name: string, logger: Logger): Promise<void> => {
  const { db, lockSchema, close } = openPostgresEngine(url, logger);
  try {
    await guarded(() =>
      db.transaction().execute(async (transaction) => {
        await lockSchema(transaction);
        await sql`alter schema ${sql.id(POSTGRES_SCHEMA)} rename to ${sql.id(name)}`.execute(transaction);
      }),
    );
  } finally {
    await close();
  }
};
