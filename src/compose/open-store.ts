// Opens the store if it belongs to this cluster, validator and server secret; otherwise startup fails. Archives
// the store of an earlier sandbox and removes older sandbox archives.
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Secret } from '../config/secret-settings.ts';
import { StartError } from '../config/start-error.ts';
import { isAppError } from '../kernel/app-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import { removeSandboxArchives } from '../store/engine/sandbox-archives.ts';
import { openSqliteStore } from '../store/engine/sqlite-store.ts';
import type { Store, StoreIdentity, StoreOpening, StoreOwner, StoreRefusal } from '../store/store.ts';

/** File name of the embedded store in the data folder. */
export const STORE_FILE = 'holdfast.db';

const meanings: Readonly<Record<keyof StoreIdentity, string>> = {
  genesisHash: 'another cluster',
  voteAccount: 'another vote account',
  serverSecretFingerprint: 'another server secret',
};

/** An open store, with what happened to the existing one. */
export interface OpenedStore {
  readonly store: Store;
  /** The fate of an existing store, in words; empty if unknown. */
  readonly history: string;
}

/**
 * The store to open, and its owner. A sandbox's store is replaced at the next startup, because every sandbox
 * starts a new chain.
 */
export interface OpenStoreOptions extends StoreOwner {
  readonly dataDir: string;
  /** PostgreSQL URL; if absent, a file in `dataDir`. */
  readonly databaseUrl: Secret<string> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Opens, archives and describes a store at one location. */
interface StorePlace {
  readonly name: string;
  readonly advice: string;
  /** Commands that give this process access to the store's files; null if the store has no files. */
  readonly mendAccess: string | null;
  /** True if a store exists; undefined if this is unknown before opening it. */
  readonly isThere: () => boolean | undefined;
  readonly open: () => Promise<StoreOpening>;
  /** Returns the archive's name, and the number of older sandbox archives removed. */
  readonly archive: () => Promise<{ readonly archive: string; readonly removed: number }>;
}

/**
 * Throws `StartError` if the store has another owner, was created by a later version or before 1.0.0, or cannot
 * be used.
 */
export const openStore = async (options: OpenStoreOptions): Promise<OpenedStore> => {
  const place = options.databaseUrl
    ? await postgresPlace(options, options.databaseUrl.reveal())
    : sqlitePlace(options);
  const wasThere = place.isThere();
  const opening = await place.open().catch(unusable(place));
  if (opening.outcome === 'open')
    return {
      store: opening.store,
      history: wasThere === undefined ? '' : wasThere ? 'continued from the last run' : 'new',
    };
  if (!mayArchive(opening, options)) throw new StartError(refusalText(opening, place, options));
  const { archive, removed } = await place.archive().catch(unusable(place));
  options.logger.info({ archive, removed }, "the last sandbox's chain is gone: its store was archived");
  const fresh = await place.open().catch(unusable(place));
  if (fresh.outcome === 'open') {
    const older = removed === 0 ? '' : `; ${removed} older archives were removed`;
    return {
      store: fresh.store,
      history: `new; the records of the last sandbox were moved to ${archive}${older}`,
    };
  }
  throw new StartError(refusalText(fresh, place, options));
};

/**
 * True if the store was created by a sandbox with the same server secret whose chain is gone: the service
 * starts a new sandbox, or the genesis hash differs. The genesis hash matters because the service may also be
 * started with the RPC URL of a running sandbox. The store of a real cluster is never archived.
 */
const mayArchive = (refusal: StoreRefusal, { madeFor }: OpenStoreOptions): boolean =>
  refusal.outcome !== 'unreleased' &&
  refusal.madeFor === 'sandbox' &&
  !refusal.differs.includes('serverSecretFingerprint') &&
  (madeFor === 'sandbox' || refusal.differs.includes('genesisHash'));

const refusalText = (refusal: StoreRefusal, place: StorePlace, { madeFor }: OpenStoreOptions): string => {
  if (refusal.outcome === 'unreleased')
    return `The store in ${place.name} was created by a development version from before Holdfast 1.0.0, which this version cannot read. Move it elsewhere or ${place.advice}; the store was not changed.`;
  if (madeFor === 'sandbox' && refusal.madeFor === 'real')
    return `The store in ${place.name} belongs to a real cluster and cannot be used by a sandbox. Set HOLDFAST_RPC_URL and HOLDFAST_VOTE_ACCOUNT to serve that cluster, or ${place.advice} for the sandbox; the store was not changed.`;
  if (refusal.outcome === 'newer')
    return `The store in ${place.name} was created by a later version (${refusal.unknownMigrations.join(', ')}). Run that version, or ${place.advice}; the store was not changed.`;
  const words = refusal.differs.map((name) => meanings[name]).join(', ');
  if (refusal.differs.join() === 'serverSecretFingerprint')
    return `The store in ${place.name} belongs to ${words}. If other processes use this store, all need the same secret. Set HOLDFAST_SERVER_SECRET to the secret it was created with: the one in their settings, or the content of the file server-secret in the data folder of the first process. Otherwise ${place.advice}; the store was not changed.`;
  return `The store in ${place.name} belongs to ${words}. Use ${place.advice.replace(/^use /, '')}, or restore what it was created with; the store was not changed.`;
};

const unusable =
  ({ name, mendAccess }: StorePlace) =>
  (error: unknown): never => {
    const { message, code } = (isAppError(error) ? error.cause : error) as {
      message?: string;
      code?: string;
    };
    const isDenied = code === 'EACCES' || code === 'EPERM';
    const advice =
      isDenied && mendAccess
        ? `The owner or mode of its files is wrong for the user of this process; run as root: ${mendAccess}\n`
        : mendAccess
          ? 'It contains the records of stakes, so restore it instead of starting over. '
          : 'Check that PostgreSQL is running and that DATABASE_URL has its address, user, password and database. ';
    throw new StartError(
      `The store in ${name} cannot be used: ${message || code || 'unknown reason'}. ${advice}Nothing was changed.`,
      { cause: error },
    );
  };

const sqlitePlace = ({ dataDir, identity, madeFor, clock, logger }: OpenStoreOptions): StorePlace => {
  const path = join(dataDir, STORE_FILE);
  return {
    name: dataDir,
    advice: 'use another HOLDFAST_DATA_DIR',
    mendAccess: `chown -R ${process.geteuid?.()} '${dataDir}' && chmod -R u+rwX '${dataDir}'`,
    isThere: () => existsSync(path),
    open: async () => {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      return openSqliteStore({ path, identity, madeFor, nowMs: clock.now(), clock, logger });
    },
    archive: async () => {
      refuseInUse(path);
      const archive = `${path}.${archiveTime(clock)}`;
      for (const suffix of ['', '-wal', '-shm'])
        if (existsSync(path + suffix)) renameSync(path + suffix, archive + suffix);
      return { archive, removed: madeFor === 'sandbox' ? removeSandboxArchives(path, archive) : 0 };
    },
  };
};

const SQLITE_BUSY = 5;

/**
 * Throws if another process has the file open. Otherwise, a second process started in the same folder, even one
 * whose port is in use, would move the store away from the running service. The check switches off write-ahead
 * logging, which requires exclusive access to the file.
 */
const refuseInUse = (path: string): void => {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = DELETE;');
  } catch (error) {
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error;
    throw new Error('another service is using it; stop that service or use another HOLDFAST_DATA_DIR', {
      cause: error,
    });
  } finally {
    database.close();
  }
};

// Loads the PostgreSQL driver only if used.
const postgresPlace = async (
  { identity, madeFor, clock, logger }: OpenStoreOptions,
  url: string,
): Promise<StorePlace> => {
  const { archivePostgresStore, openPostgresStore } = await import('../store/engine/postgres-store.ts');
  return {
    name: 'the database of DATABASE_URL',
    advice: 'use another database in DATABASE_URL',
    mendAccess: null,
    isThere: () => undefined,
    open: () => openPostgresStore({ url, identity, madeFor, nowMs: clock.now(), clock, logger }),
    archive: async () => {
      const schema = `holdfast_${archiveTime(clock)}`;
      await archivePostgresStore(url, schema, logger);
      return { archive: `schema ${schema}`, removed: 0 };
    },
  };
};

const archiveTime = (clock: Clock): string => new Date(clock.now()).toISOString().replaceAll(':', '-');
