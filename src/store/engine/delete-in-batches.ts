// Splits long deletions into short statements, so that other work gets a turn in between.
import { setImmediate } from 'node:timers/promises';

/** Rows a statement: about 2 ms on the embedded engine, which blocks the process meanwhile (2026-11). */
export const BATCH_ROWS = 500;

/** Repeats `work` until it handled fewer rows than its limit. Returns how many it handled in all. */
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
