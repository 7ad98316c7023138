// The engines on which the store contract is tested. Each provides a separate empty location for every test.
import type { Scope } from './temporary-folder.ts';

interface StoreVenue {
  /** Location for `openStoreAt`, which also works in another process. */
  readonly location: string;
  readonly execute: (statement: string) => Promise<void>;
}

/** Creates an empty data folder or database for a test. */
export type MakeVenue = (scope: Scope) => Promise<StoreVenue>;
