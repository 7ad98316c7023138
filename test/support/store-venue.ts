// Where the contract of the store is tested: each engine offers every test an empty place of its own.
import type { Scope } from './temporary-folder.ts';

/** An empty place for one store. */
interface StoreVenue {
  /** For `openStoreAt`, also in another process. */
  readonly location: string;
  /** Runs a statement on the engine beside the store. */
  readonly execute: (statement: string) => Promise<void>;
}

/** Makes an empty place for a test. */
export type MakeVenue = (scope: Scope) => Promise<StoreVenue>;
