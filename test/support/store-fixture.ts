// Opens real stores of either engine by their location, and closes them when the test ends.
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { pino } from 'pino';
import { systemClock } from '../../src/kernel/clock.ts';
import type { OpenOptions } from '../../src/store/engine/engine-store.ts';
import type { Migration } from '../../src/store/engine/migrate.ts';
import { openPostgresStore } from '../../src/store/engine/postgres-store.ts';
import { openSqliteStore } from '../../src/store/engine/sqlite-store.ts';
import type { Store, StoreOpening } from '../../src/store/store.ts';
import type { Scope } from './temporary-folder.ts';

export const EXAMPLE_OPTIONS = {
  identity: { genesisHash: 'genesis', voteAccount: 'vote', serverSecretFingerprint: 'secret' },
  madeFor: 'real',
  nowMs: 1_800_000_000_000,
  clock: systemClock,
  logger: pino({ level: 'silent' }),
} as const satisfies OpenOptions;

/** Opens the store at `location`: a path, `:memory:` or `postgres://…`. */
export const openStoreAt = (location: string, options: Partial<OpenOptions> = {}): Promise<StoreOpening> => {
  const whole = { ...EXAMPLE_OPTIONS, ...options };
  return location.startsWith('postgres:')
    ? openPostgresStore({ url: location, ...whole })
    : openSqliteStore({ path: location, ...whole });
};

/** Returns the opened store. Throws if opening failed. */
export const storeOf = (opening: StoreOpening): Store => {
  if (opening.outcome !== 'open') assert.fail(`the store was not opened: ${JSON.stringify(opening)}`);
  return opening.store;
};

/** Opens the store at `location`, by default in memory. Closes it when the scope ends. */
export const openTestStore = async (
  scope: Scope,
  location = ':memory:',
  options: Partial<OpenOptions> = {},
): Promise<Store> => {
  const store = storeOf(await openStoreAt(location, options));
  scope.after(() => store.close());
  return store;
};

/** Returns a migration that no version has. */
export const addsTable = (name: string): Migration => ({
  name,
  up: async (db, { integer }) => {
    await sql`create table ${sql.id(`t_${name}`)} (n ${integer})`.execute(db);
  },
});

/**
 * Opens the stores of competing processes at one location. On SQLite they share one store, because its
 * transactions block the whole process, and two in one process would wait for each other forever.
 */
export const openRivals = async (
  scope: Scope,
  location: string,
  count: number,
): Promise<readonly Store[]> => {
  const first = await openTestStore(scope, location);
  if (first.engine === 'sqlite') return Array.from({ length: count }, () => first);
  return [
    first,
    ...(await Promise.all(Array.from({ length: count - 1 }, () => openTestStore(scope, location)))),
  ];
};
