// The places where the contract of the store is tested: each engine offers every test a separate empty one.
import type { Scope } from './temporary-folder.ts';

/** An empty place for one store. */
interface StoreVenue {
  /** For `openStoreAt`, also in another process. */
  readonly location: string;
  /** Runs a statement on the engine directly. */
  readonly execute: (statement: string) => Promise<void>;
}

/** Creates an empty place for a test. */
export type MakeVenue = (scope: Scope) => Promise<StoreVenue>;
