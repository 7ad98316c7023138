// The engines on which the store contract is tested. Each provides a separate empty location for every test.
import type { Scope } from './temporary-folder.ts';

/** An empty location for one store. */
interface StoreVenue {
  /** The location for `openStoreAt`, which also works in another process. */
  readonly location: string;
  /** Runs a statement directly on the engine. */
  readonly execute: (statement: string) => Promise<void>;
}

/** Creates an empty data folder or database for a test. */
export type MakeVenue = (scope: Scope) => Promise<StoreVenue>;
