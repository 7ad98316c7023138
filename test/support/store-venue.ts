// The engines on which the store contract is tested: each provides a separate empty location for every test.
import type { Scope } from './temporary-folder.ts';

/** An empty location for one store. */
interface StoreVenue {
  /** Location for `openStoreAt`, also in another process. */
  readonly location: string;
  /** Runs a statement on the engine directly. */
  readonly execute: (statement: string) => Promise<void>;
}

/** Creates an empty data folder or database for a test. */
export type MakeVenue = (scope: Scope) => Promise<StoreVenue>;
