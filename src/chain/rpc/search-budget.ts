// A token bucket that limits the RPC calls of all history searches together.

/** Shared by every search. */
export interface SearchBudget {
  /** Takes one call; false when none is left now. */
  readonly take: () => boolean;
}

/** At most `calls` of the shared budget, for one request. */
export const limitedBudget = (budget: SearchBudget, calls: number): SearchBudget => {
  let left = calls;
  return {
    take: () => {
      if (left === 0 || !budget.take()) return false;
      left -= 1;
      return true;
    },
  };
};

/** Calls at once, and calls per second that come back. A history takes 2 to 10, rewards of 50 accounts over 10 epochs 10. */
const BURST = 600;
const PER_SECOND = 10;

/** Starts full. */
export const createSearchBudget = (
  now: () => number,
  { burst = BURST, perSecond = PER_SECOND }: { burst?: number; perSecond?: number } = {},
): SearchBudget => {
  let left = burst;
  let filledAtMs = now();
  return {
    take: () => {
      const nowMs = now();
      // A clock that was set back gives nothing, and takes nothing.
      const passedMs = Math.max(0, nowMs - filledAtMs);
      left = Math.min(burst, left + (passedMs * perSecond) / 1_000);
      filledAtMs = nowMs;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
};
