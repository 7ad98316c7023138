// The stake accounts of wallets that want to be told, as they were when events were last derived from them: what the chain forgets about them.
import type { Address } from '@solana/kit';

/** An account as events were last derived from it. */
export interface WatchedAccount {
  readonly address: Address;
  /** Its withdraw authority then. */
  readonly wallet: Address;
  /** Everything that happened to it up to this finalized slot is told. */
  readonly slot: bigint;
  readonly lamports: bigint;
  /** Its 200 bytes. */
  readonly data: Uint8Array;
  /** The epoch of the last delegate in its own history, as far as that was looked at. */
  readonly delegatedEpoch: bigint | null;
}

/** Durable memory of the watcher. All reject with `STORE_UNAVAILABLE`. */
export interface WatchedAccounts {
  /** At most `limit` by address, after `afterAddress`. */
  readonly page: (afterAddress: string | null, limit: number) => Promise<readonly WatchedAccount[]>;
  /** Writes the accounts, and forgets those `gone`, in one transaction. */
  readonly save: (accounts: readonly WatchedAccount[], gone: readonly Address[]) => Promise<void>;
}
