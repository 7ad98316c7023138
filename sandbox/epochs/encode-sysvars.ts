// Encodes the sysvar accounts that the sandbox writes, byte for byte as the runtime decodes them.

export const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';
export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111';
export const STAKE_HISTORY_SYSVAR = 'SysvarStakeHistory1111111111111111111111111';
export const EPOCH_REWARDS_SYSVAR = 'SysvarEpochRewards1111111111111111111111111';

/** Maximum number of epochs in StakeHistory, newest first. */
export const STAKE_HISTORY_MAX_ENTRIES = 512;

/** One epoch of StakeHistory, in lamports. */
export type StakeHistoryEntry = {
  readonly epoch: bigint;
  readonly effective: bigint;
  readonly activating: bigint;
  readonly deactivating: bigint;
};

/** Encodes Clock. `unixTimestamp` and `epochStartTimestamp` are in seconds. */
export function encodeClock(clock: {
  slot: bigint;
  epochStartTimestamp: bigint;
  epoch: bigint;
  unixTimestamp: bigint;
}): Uint8Array {
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(clock.slot, 0);
  data.writeBigInt64LE(clock.epochStartTimestamp, 8);
  data.writeBigUInt64LE(clock.epoch, 16);
  data.writeBigUInt64LE(clock.epoch + 1n, 24);
  data.writeBigInt64LE(clock.unixTimestamp, 32);
  return data;
}

/**
 * Encodes Rent: lamports per byte of data size + 128, with the exemption threshold of 1 that current runtimes
 * use.
 */
export function encodeRent(lamportsPerByte: bigint): Uint8Array {
  const data = Buffer.alloc(17);
  data.writeBigUInt64LE(lamportsPerByte, 0);
  data.writeDoubleLE(1, 8);
  data.writeUInt8(50, 16);
  return data;
}

/** Encodes StakeHistory, newest epoch first. */
export function encodeStakeHistory(entries: readonly StakeHistoryEntry[]): Uint8Array {
  const data = Buffer.alloc(8 + entries.length * 32);
  data.writeBigUInt64LE(BigInt(entries.length), 0);
  entries.forEach((entry, index) => {
    const at = 8 + index * 32;
    data.writeBigUInt64LE(entry.epoch, at);
    data.writeBigUInt64LE(entry.effective, at + 8);
    data.writeBigUInt64LE(entry.activating, at + 16);
    data.writeBigUInt64LE(entry.deactivating, at + 24);
  });
  return data;
}

/** Encodes EpochRewards. While `active`, the Stake program refuses every instruction with EpochRewardsActive. */
export function encodeEpochRewards(rewards: {
  distributionStartingBlockHeight: bigint;
  totalPoints: bigint;
  totalRewards: bigint;
  distributedRewards: bigint;
  active: boolean;
}): Uint8Array {
  const data = Buffer.alloc(81);
  data.writeBigUInt64LE(rewards.distributionStartingBlockHeight, 0);
  data.writeBigUInt64LE(1n, 8);
  data.writeBigUInt64LE(rewards.totalPoints & 0xffff_ffff_ffff_ffffn, 48);
  data.writeBigUInt64LE(rewards.totalPoints >> 64n, 56);
  data.writeBigUInt64LE(rewards.totalRewards, 64);
  data.writeBigUInt64LE(rewards.distributedRewards, 72);
  data.writeUInt8(rewards.active ? 1 : 0, 80);
  return data;
}
