// The StakeHistory sysvar as data: the cluster's effective, activating and deactivating stake at each ended epoch.

/** One ended epoch, lamports over the whole cluster. */
export interface StakeHistoryEntry {
  readonly effectiveLamports: bigint;
  readonly activatingLamports: bigint;
  readonly deactivatingLamports: bigint;
}

/** Entries by epoch, up to 512 back. */
export type StakeHistory = ReadonlyMap<bigint, StakeHistoryEntry>;
