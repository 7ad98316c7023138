// Computes the epoch of a slot and the first slot of an epoch, relative to a known boundary.

/** A known epoch boundary. */
interface Grid {
  readonly epoch: bigint;
  readonly slotsInEpoch: bigint;
  readonly firstSlot: bigint;
}

/** Computes the first slot of an epoch, relative to `position`. */
export const firstSlotOf = (epoch: bigint, position: Grid): bigint =>
  position.firstSlot + (epoch - position.epoch) * position.slotsInEpoch;

/**
 * Computes the epoch of a slot, relative to `position`. After the warm-up epochs, all epochs have the same
 * length.
 */
export const epochOfSlot = (slot: bigint, position: Grid): bigint => {
  const distance = slot - position.firstSlot;
  const whole = distance / position.slotsInEpoch;
  // Bigint division truncates toward zero, but epochs before `position` need the floor.
  return position.epoch + (distance < 0n && whole * position.slotsInEpoch !== distance ? whole - 1n : whole);
};
