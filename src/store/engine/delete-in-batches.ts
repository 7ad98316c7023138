// Splits long deletions into short statements, so other work can run in between.
import { setImmediate } from 'node:timers/promises';

/**
 * Number of rows per statement. On the embedded engine, a statement of this size blocks the process for about 2
 * ms (2026-11).
 */
export const BATCH_ROWS = 500;

/** Repeats `work` until it handles fewer rows than its limit. Returns the total number of rows handled. */
export const inBatches = async (
  work: (limit: number) => Promise<number>,
  limit: number = BATCH_ROWS,
): Promise<number> => {
  let total = 0;
  for (;;) {
    const handled = await work(limit);
    total += handled;
    if (handled < limit) return total;
    await setImmediate();
  }
};
