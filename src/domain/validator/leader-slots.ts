// Counts a validator's leader slots in an epoch: assigned, passed, produced and skipped. The skip rate
// requires 8 passed slots.

/**
 * Minimum number of passed leader slots for a skip rate, which would otherwise be mostly chance. Leader slots
 * come in groups of four, so this is two groups.
 */
export const MIN_PASSED_SLOTS = 8;

/** One identity's leader slots in one epoch according to the chain. */
export interface LeaderCounts {
  /** Slots in the whole epoch according to the leader schedule; null if the schedule is unknown. */
  readonly assigned: number | null;
  /** Past leader slots and the blocks produced in them, as counted by `getBlockProduction`. */
  readonly passed: number;
  readonly produced: number;
}

/** Leader slots as shown in responses. */
interface LeaderSlots extends LeaderCounts {
  readonly skipped: number;
  /** Percentage of passed slots, two decimals; null below `MIN_PASSED_SLOTS`. */
  readonly skipRatePct: number | null;
}

/**
 * Counts leader slots for responses. Throws `RangeError` for impossible counts: more blocks than slots, or
 * more slots than assigned.
 */
export const leaderSlots = ({ assigned, passed, produced }: LeaderCounts): LeaderSlots => {
  if (produced > passed || (assigned !== null && passed > assigned))
    throw new RangeError(`${produced} blocks in ${passed} of ${assigned} leader slots`);
  const skipped = passed - produced;
  const skipRatePct = passed < MIN_PASSED_SLOTS ? null : Math.round((skipped / passed) * 10_000) / 100;
  return { assigned, passed, produced, skipped, skipRatePct };
};
