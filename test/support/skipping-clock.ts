// The machine's clock, but a test can skip days, and whoever sleeps over what was skipped wakes at once: a running service lives through them.
import { withoutStepsBack } from '../../src/kernel/clock.ts';
import type { SteerableClock } from './steerable-clock.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly timer: NodeJS.Timeout;
  readonly wake: () => void;
}

/** `setTimeout` takes no more. */
const MOST_MS = 2 ** 31 - 1;

/** Starts at the machine's time; its timers never keep the process alive. */
export const createSkippingClock = (): SteerableClock => {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const sleepers = new Set<Sleeper>();
  return {
    now,
    steadyNow: withoutStepsBack(now),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = (): void => {
          clearTimeout(sleeper.timer);
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const wake = (): void => {
          clearTimeout(sleeper.timer);
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        const sleeper: Sleeper = {
          dueMs: now() + ms,
          timer: setTimeout(wake, Math.min(ms, MOST_MS)).unref(),
          wake,
        };
        signal?.addEventListener('abort', leave, { once: true });
        sleepers.add(sleeper);
      }),
    skip: (ms) => {
      aheadMs += ms;
      const due = [...sleepers].filter(({ dueMs }) => dueMs <= now());
      for (const { wake } of due.sort((a, b) => a.dueMs - b.dueMs)) wake();
    },
  };
};
