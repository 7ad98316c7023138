// Embedded store: one file, for a service on one machine.

import type { Engine } from '../schema.ts';
import type { StoreOpening } from '../store.ts';
import { type OpenOptions, openEngineStore } from './engine-store.ts';
import { createSoleLeaderElection } from './leader-election.ts';
import { openSqliteEngine } from './sqlite-engine.ts';
import { storeUnavailable } from './store-errors.ts';

interface SqliteStoreOptions extends OpenOptions {
  /** Path of the file, or `:memory:` for a store that ends with the process. */
  readonly path: string;
  /** Maximum time, in ms, that a write waits while another process is writing. Default: 5,000. */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens or creates the store (mode 0600). Rejects with `AppError('STORE_UNAVAILABLE')` if the file cannot be
 * used.
 */
export const openSqliteStore = async ({
  path,
  busyTimeoutMs,
  ...options
}: SqliteStoreOptions): Promise<StoreOpening> => {
  let engine: Engine;
  try {
    engine = openSqliteEngine(path, busyTimeoutMs);
  } catch (error) {
    throw storeUnavailable(error);
  }
  return openEngineStore(engine, engine, createSoleLeaderElection(options.clock, options.logger), options);
};
