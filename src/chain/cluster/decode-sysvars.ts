// Decodes the sysvars Clock, EpochSchedule, EpochRewards and Rent as the runtime encodes them (bincode,
// little-endian).
import type { Address } from '@solana/kit';

/** Addresses in the order that `decodeSysvars` expects. */
export const SYSVAR_ADDRESSES: readonly Address[] = [
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarEpochSchedu1e111111111111111111111111',
  'SysvarEpochRewards1111111111111111111111111',
  'SysvarRent111111111111111111111111111111111',
].map((text) => text as Address);

const CLOCK_BYTES = 40;
const EPOCH_SCHEDULE_BYTES = 33;
const EPOCH_REWARDS_BYTES = 81;
const RENT_BYTES = 17;
/** Bytes charged per account in addition to its data. */
const ACCOUNT_STORAGE_OVERHEAD = 128n;
/**
 * Length of the first epoch of a chain with warm-up epochs. Each following epoch is twice as long, up to the
 * normal length.
 */
const FIRST_WARM_UP_EPOCH_SLOTS = 32n;

/** The epoch schedule of a chain, fixed in its genesis. */
interface EpochSchedule {
  readonly slotsPerEpoch: bigint;
  readonly firstNormalEpoch: bigint;
  readonly firstNormalSlot: bigint;
}

/** Values of the four sysvars at one slot. */
interface Sysvars {
  readonly epoch: bigint;
  /** Time in seconds. */
  readonly unixTimestamp: bigint;
  readonly schedule: EpochSchedule;
  readonly epochRewardsActive: boolean;
  /** Computes the rent-exempt minimum of an account with `dataBytes` bytes of data, in lamports. */
  readonly rentLamports: (dataBytes: number) => bigint;
}

const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength);

/**
 * Decodes the sysvars. Returns null if one is missing or malformed. A missing EpochRewards counts as
 * inactive: before a chain's first rewards, the sysvar does not exist.
 */
export const decodeSysvars = (sysvars: readonly (Uint8Array | null)[]): Sysvars | null => {
  const [clock, schedule, rewards, rent] = sysvars;
  if (clock?.length !== CLOCK_BYTES || schedule?.length !== EPOCH_SCHEDULE_BYTES) return null;
  if (rent?.length !== RENT_BYTES || (rewards && rewards.length !== EPOCH_REWARDS_BYTES)) return null;
  const active = rewards?.[80] ?? 0;
  if (active > 1) return null;
  const [clockView, scheduleView, rentView] = [viewOf(clock), viewOf(schedule), viewOf(rent)];
  const slotsPerEpoch = scheduleView.getBigUint64(0, true);
  if (slotsPerEpoch === 0n) return null;
  const lamportsPerByteYear = rentView.getBigUint64(0, true);
  const exemptionYears = rentView.getFloat64(8, true);
  if (!(exemptionYears >= 0 && exemptionYears < 1_000)) return null;
  return {
    epoch: clockView.getBigUint64(16, true),
    unixTimestamp: clockView.getBigInt64(32, true),
    schedule: {
      slotsPerEpoch,
      firstNormalEpoch: scheduleView.getBigUint64(17, true),
      firstNormalSlot: scheduleView.getBigUint64(25, true),
    },
    epochRewardsActive: active === 1,
    // The runtime also multiplies as f64 and drops the fraction.
    rentLamports: (dataBytes) =>
      BigInt(
        Math.trunc(
          Number((ACCOUNT_STORAGE_OVERHEAD + BigInt(dataBytes)) * lamportsPerByteYear) * exemptionYears,
        ),
      ),
  };
};

/** Locates a slot: its epoch, its index in the epoch, and the length of the epoch. */
export const positionOfSlot = (
  slot: bigint,
  { slotsPerEpoch, firstNormalEpoch, firstNormalSlot }: EpochSchedule,
): { epoch: bigint; slotIndex: bigint; slotsInEpoch: bigint } => {
  if (slot >= firstNormalSlot) {
    const passed = slot - firstNormalSlot;
    return {
      epoch: firstNormalEpoch + passed / slotsPerEpoch,
      slotIndex: passed % slotsPerEpoch,
      slotsInEpoch: slotsPerEpoch,
    };
  }
  let [epoch, firstSlot, slotsInEpoch] = [0n, 0n, FIRST_WARM_UP_EPOCH_SLOTS];
  while (slot >= firstSlot + slotsInEpoch) {
    firstSlot += slotsInEpoch;
    slotsInEpoch *= 2n;
    epoch += 1n;
  }
  return { epoch, slotIndex: slot - firstSlot, slotsInEpoch };
};
