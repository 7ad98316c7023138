// The epoch that a slot belongs to, and the first slot of an epoch, counted from a boundary that is known.

/** A boundary that is known. */
interface Grid {
  readonly epoch: bigint;
  readonly slotsInEpoch: bigint;
  readonly firstSlot: bigint;
}

/** The first slot of an epoch not far from `position`. */
export const firstSlotOf = (epoch: bigint, position: Grid): bigint =>
  position.firstSlot + (epoch - position.epoch) * position.slotsInEpoch;

/** The epoch of a slot not far from `position`: epochs after warm-up are all of one length. */
export const epochOfSlot = (slot: bigint, position: Grid): bigint => {
  const distance = slot - position.firstSlot;
  const whole = distance / position.slotsInEpoch;
  // Division of bigints goes towards zero; epochs before the current one need the floor.
  return position.epoch + (distance < 0n && whole * position.slotsInEpoch !== distance ? whole - 1n : whole);
};
