// Opens the store of exactly this cluster, validator and server secret, or refuses the start; a sandbox's old store is archived instead.
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isAppError } from './kernel/app-error.ts';
import type { Clock } from './kernel/clock.ts';
import type { Logger } from './kernel/logger.ts';
import { StartError } from './start-error.ts';
import { openSqliteIntentLog, type SqliteIntentLog, type StoreIdentity } from './store/sqlite-intent-log.ts';

const FILE_NAME = 'holdfast.db';

const meanings: Readonly<Record<keyof StoreIdentity, string>> = {
  genesisHash: 'another cluster',
  voteAccount: 'another vote account',
  serverSecretFingerprint: 'another server secret',
};

/** What to open and for whom. */
export interface OpenStoreOptions {
  readonly dataDir: string;
  readonly identity: StoreIdentity;
  /** True for a sandbox, whose chain is new at every start: a store of an earlier chain is moved aside. */
  readonly replaceForeign: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

const openedStore = (dataDir: string, path: string): SqliteIntentLog => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return openSqliteIntentLog(path);
  } catch (error) {
    const { message } = isAppError(error) && error.cause instanceof Error ? error.cause : (error as Error);
    throw new StartError(
      `The store in ${dataDir} cannot be used: ${message}. It remembers which stakes were made: restore it rather than begin anew. Nothing was changed.`,
      { cause: error },
    );
  }
};

/** Throws `StartError` when the store cannot be used or belongs to something else. */
export const openStore = ({
  dataDir,
  identity,
  replaceForeign,
  clock,
  logger,
}: OpenStoreOptions): SqliteIntentLog => {
  const path = join(dataDir, FILE_NAME);
  const store = openedStore(dataDir, path);
  const mismatch = store.claim(identity);
  if (mismatch.length === 0) return store;
  store.close();
  const words = mismatch.map((name) => meanings[name]).join(', ');
  if (!replaceForeign || mismatch.includes('serverSecretFingerprint')) {
    throw new StartError(
      `The store in ${dataDir} belongs to ${words}. Use another HOLDFAST_DATA_DIR, or restore what it was made with; nothing was changed.`,
    );
  }
  const archive = `${path}.${new Date(clock.now()).toISOString().replaceAll(':', '-')}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, archive + suffix);
  }
  logger.info({ archive }, 'the sandbox chain is new: the store of the earlier one was archived');
  const fresh = openSqliteIntentLog(path);
  fresh.claim(identity);
  return fresh;
};
