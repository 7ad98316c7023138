// The Clock and EpochRewards sysvars, read together: what epoch and time the runtime goes by, and whether rewards are being paid.
import type { Address } from '@solana/kit';
import type { ReadOptions, SolanaReads } from '../ports.ts';

const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111' as Address;
const EPOCH_REWARDS_SYSVAR = 'SysvarEpochRewards1111111111111111111111111' as Address;
/** Offsets inside the accounts (bincode, little-endian). */
const CLOCK_EPOCH = 16;
const CLOCK_UNIX_TIMESTAMP = 32;
const CLOCK_BYTES = 40;
const EPOCH_REWARDS_ACTIVE = 80;

/** What they say. */
export interface ClockSysvars {
  readonly epoch: bigint;
  /** Seconds. */
  readonly unixTimestamp: bigint;
  readonly epochRewardsActive: boolean;
}

/** Null where the node gives no clock. Throws `AppError('UPSTREAM_UNAVAILABLE')`. */
export const readClockSysvars = async (
  reads: Pick<SolanaReads, 'accounts'>,
  options: ReadOptions,
): Promise<ClockSysvars | null> => {
  const { accounts } = await reads.accounts([CLOCK_SYSVAR, EPOCH_REWARDS_SYSVAR], options);
  const data = accounts[0]?.data;
  if (data === undefined || data.length < CLOCK_BYTES) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    epoch: view.getBigUint64(CLOCK_EPOCH, true),
    unixTimestamp: view.getBigInt64(CLOCK_UNIX_TIMESTAMP, true),
    epochRewardsActive: accounts[1]?.data[EPOCH_REWARDS_ACTIVE] === 1,
  };
};
