// A token bucket that limits the RPC calls of all history searches combined.

export interface SearchBudget {
  /** Takes one call from the budget. Returns false if none is left at the moment. */
  readonly take: () => boolean;
}

/** Returns a part of the shared budget that allows one request at most `calls` calls. */
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

/**
 * Capacity of the bucket, and calls per second that refill it. A history takes 2 to 10 calls; the rewards of
 * 50 accounts over 10 epochs take 10.
 */
const BURST = 600;
const PER_SECOND = 10;

export const createSearchBudget = (
  now: () => number,
  { burst = BURST, perSecond = PER_SECOND }: { burst?: number; perSecond?: number } = {},
): SearchBudget => {
  let left = burst;
  let filledAtMs = now();
  return {
    take: () => {
      const nowMs = now();
      // A clock that was set back neither adds nor removes calls.
      const passedMs = Math.max(0, nowMs - filledAtMs);
      left = Math.min(burst, left + (passedMs * perSecond) / 1_000);
      filledAtMs = nowMs;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
};
