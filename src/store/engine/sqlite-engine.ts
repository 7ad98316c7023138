// Embedded engine: node:sqlite in WAL mode with full sync, so acknowledged writes survive `kill -9` and power
// loss.
import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import type { ColumnTypes, Database, Engine } from '../schema.ts';

/** Maximum time, in ms, that a write waits while another process is writing. The wait blocks this process. */
const BUSY_TIMEOUT_MS = 5_000;

/** Retry interval where SQLite itself does not wait, in ms. */
const BUSY_PAUSE_MS = 20;
const SQLITE_BUSY = 5;

/**
 * Size of the statement cache. It far exceeds the number of statements; only lists of values create additional
 * ones.
 */
const MAX_STATEMENTS = 256;

const types: ColumnTypes = {
  text: 'text',
  integer: 'integer',
  real: 'real',
  bytes: 'blob',
  // Without `autoincrement`, the id of a deleted row may be reused.
  identity: 'integer primary key autoincrement',
  tableOptions: 'strict',
};

/**
 * Opens or creates the file at `path` (mode 0600), or a database in memory for `:memory:`. Throws the engine's
 * errors.
 */
export const openSqliteEngine = (path: string, busyTimeoutMs: number = BUSY_TIMEOUT_MS): Engine => {
  if (path !== ':memory:') createPrivately(path);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, readBigInts: true });
  try {
    setWriteAheadLog(database, busyTimeoutMs);
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  } catch (error) {
    database.close();
    throw error;
  }
  const db = new Kysely<Database>({ dialect: new EmbeddedDialect(database) });
  return {
    name: 'sqlite',
    db,
    types,
    // Every transaction begins by taking SQLite's only write lock, so there is nothing else to lock.
    lockSchema: async () => {},
    close: async () => {
      await db.destroy();
      if (database.isOpen) database.close();
    },
  };
};

// Switches a new store to WAL, which takes an exclusive lock. SQLite does not wait for that lock, so if two
// processes start together, one is refused and must retry.
const setWriteAheadLog = (database: DatabaseSync, busyTimeoutMs: number): void => {
  const untilMs = performance.now() + busyTimeoutMs;
  for (;;)
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || performance.now() > untilMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS);
    }
};

// Runs before SQLite opens the file, because the write-ahead log's files inherit the mode of the store.
const createPrivately = (path: string): void => {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
};

class EmbeddedDialect extends SqliteDialect {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super({ database: adapted(database) });
    this.#database = database;
  }

  override createDriver(): SqliteDriver {
    return new EmbeddedDriver(this.#database);
  }
}

class EmbeddedDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super({ database: adapted(database) });
    this.#database = database;
  }

  // Takes the write lock immediately. Otherwise, a transaction that reads and then writes would fail if another
  // process wrote in between.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // After some failures, such as a full disk, SQLite has already rolled back. A second rollback would hide the
  // cause.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

const adapted = (database: DatabaseSync): SqliteDatabase => {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => {
      prepared.clear();
      if (database.isOpen) database.close();
    },
    prepare: (text) => {
      const known = prepared.get(text);
      if (known) return known;
      if (prepared.size >= MAX_STATEMENTS) prepared.clear();
      const statement = database.prepare(text);
      const adapter: SqliteStatement = {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
        run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
        iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
      };
      prepared.set(text, adapter);
      return adapter;
    },
  };
};
