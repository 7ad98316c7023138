// Counts a validator's leader slots of an epoch: assigned, passed, produced, skipped; the skip rate needs 8 passed slots.

/** Under this many passed leader slots a skip rate says more about chance than about the validator: two turns of four slots. */
export const LEAST_PASSED_SLOTS = 8;

/** What the chain says of one identity's slots in one epoch. */
export interface LeaderCounts {
  /** Slots of the whole epoch by the leader schedule; null where the schedule is not known. */
  readonly assigned: number | null;
  /** Leader slots behind the cluster, and blocks made in them, as `getBlockProduction` counts both. */
  readonly passed: number;
  readonly produced: number;
}

/** Leader slots as answers show them. */
interface LeaderSlots extends LeaderCounts {
  readonly skipped: number;
  /** Percent of passed slots, two decimals; null under `LEAST_PASSED_SLOTS`. */
  readonly skipRatePct: number | null;
}

/** Throws `RangeError` for counts that cannot be: more blocks than slots, or more slots than were assigned. */
export const leaderSlots = ({ assigned, passed, produced }: LeaderCounts): LeaderSlots => {
  if (produced > passed || (assigned !== null && passed > assigned))
    throw new RangeError(`${produced} blocks in ${passed} of ${assigned} leader slots`);
  const skipped = passed - produced;
  const skipRatePct = passed < LEAST_PASSED_SLOTS ? null : Math.round((skipped / passed) * 10_000) / 100;
  return { assigned, passed, produced, skipped, skipRatePct };
};
