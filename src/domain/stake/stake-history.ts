// The StakeHistory sysvar: the cluster's effective, activating and deactivating stake for each ended epoch.

export const STAKE_HISTORY_ADDRESS = 'SysvarStakeHistory1111111111111111111111111';

/** Totals of one ended epoch, in lamports of the whole cluster. */
export interface StakeHistoryEntry {
  readonly effectiveLamports: bigint;
  readonly activatingLamports: bigint;
  readonly deactivatingLamports: bigint;
}

/** Arithmetic of warm-up and cooldown in the Stake program: doubles up to v5.0, integers from v5.1 on. */
export type StakeArithmetic = 'float64' | 'integer';

/** Up to 512 entries by epoch, with the program's arithmetic if known. */
export interface StakeHistory extends ReadonlyMap<bigint, StakeHistoryEntry> {
  readonly arithmetic?: StakeArithmetic;
}

/** Returns `history` with the given arithmetic. */
export const withArithmetic = (history: StakeHistory, arithmetic: StakeArithmetic): StakeHistory =>
  Object.assign(new Map(history), { arithmetic });

const MAX_ENTRIES = 512n;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 32;

/**
 * Decodes the sysvar account's bytes: a u64 count, then count × (epoch, effective, activating, deactivating)
 * as u64, newest first. Throws `RangeError` if the count does not match the bytes or exceeds the limit of 512
 * entries, because a partial history would yield wrong results for every stake. `arithmetic` is that of the
 * cluster's Stake program; see `stakeArithmeticOf`.
 */
export const decodeStakeHistory = (data: Uint8Array, arithmetic?: StakeArithmetic): StakeHistory => {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.byteLength < HEADER_BYTES) throw new RangeError('StakeHistory is shorter than its header');
  const count = view.getBigUint64(0, true);
  if (count > MAX_ENTRIES || data.byteLength < HEADER_BYTES + Number(count) * ENTRY_BYTES) {
    throw new RangeError(`StakeHistory claims ${count} entries in ${data.byteLength} bytes`);
  }
  const history = new Map<bigint, StakeHistoryEntry>();
  for (let i = 0; i < Number(count); i += 1) {
    const offset = HEADER_BYTES + i * ENTRY_BYTES;
    history.set(view.getBigUint64(offset, true), {
      effectiveLamports: view.getBigUint64(offset + 8, true),
      activatingLamports: view.getBigUint64(offset + 16, true),
      deactivatingLamports: view.getBigUint64(offset + 24, true),
    });
  }
  return arithmetic === undefined ? history : withArithmetic(history, arithmetic);
};
