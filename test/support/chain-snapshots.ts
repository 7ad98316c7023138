// Snapshots of a scripted chain for tests, and sysvars in the format of a node's response.
import type { ChainAccount, ChainSnapshot, EpochPosition } from '../../src/chain/ports.ts';

/** Returns the position at `slot` on a chain with slots of 400 ms and epochs of 432,000 slots. */
export const positionAt = (slot: bigint, readAtMs = 0): EpochPosition => ({
  epoch: slot / 432_000n,
  absoluteSlot: slot,
  slotIndex: slot % 432_000n,
  slotsInEpoch: 432_000n,
  readAtMs,
  slotDurationMs: 400,
  fastestSlotMs: 400,
  slowestSlotMs: 400,
  epochRewardsActive: false,
  unixTimestamp: 0n,
});

/** Returns a snapshot, by default in the middle of epoch 20 of such a chain. */
export const snapshotOf = (
  position: Partial<EpochPosition> = {},
  accounts: readonly (ChainAccount | null)[] = [],
): ChainSnapshot => ({
  position: { ...positionAt(8_740_000n), ...position },
  rent: { stakeRentLamports: 1_666_240n, walletRentLamports: 650_240n },
  accounts,
});

const sysvar = (data: Buffer) => ({
  data: [data.toString('base64'), 'base64'],
  executable: false,
  lamports: 1,
  owner: 'Sysvar1111111111111111111111111111111111111',
  rentEpoch: 0,
  space: data.length,
});

/**
 * Returns the sysvars Clock, EpochSchedule, EpochRewards and Rent, in the order in which snapshots request
 * them, after all other addresses.
 */
export const sysvarAccounts = (chain: {
  readonly epoch: number;
  readonly slotsPerEpoch: number;
  readonly rewards?: boolean;
  readonly lamportsPerByte?: number;
  readonly unixTimestamp?: bigint;
}) => {
  const clock = Buffer.alloc(40);
  clock.writeBigUInt64LE(BigInt(chain.epoch), 16);
  clock.writeBigInt64LE(chain.unixTimestamp ?? 1_800_000_123n, 32);
  const schedule = Buffer.alloc(33);
  schedule.writeBigUInt64LE(BigInt(chain.slotsPerEpoch), 0);
  const rewards = Buffer.alloc(81);
  rewards[80] = chain.rewards ? 1 : 0;
  const rent = Buffer.alloc(17);
  rent.writeBigUInt64LE(BigInt(chain.lamportsPerByte ?? 5_080), 0);
  rent.writeDoubleLE(1, 8);
  return [clock, schedule, rewards, rent].map(sysvar);
};
