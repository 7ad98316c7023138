// A clock that stands still until a test moves it; what sleeps until then wakes in order.
import { type Clock, withoutStepsBack } from '../../src/kernel/clock.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** Time that a test owns. */
export interface ManualClock extends Clock {
  /** Moves time on by `ms` and wakes everybody due. */
  readonly advance: (ms: number) => void;
  /** Sets the wall clock back by `ms`; who sleeps wakes after as long as before, as with real timers. */
  readonly setBack: (ms: number) => void;
  /** Resolves when `count` sleepers wait. */
  readonly sleeping: (count?: number) => Promise<void>;
  /** How long from now the sleepers that wait are due, ms, shortest first. */
  readonly due: () => readonly number[];
}

/** Creates a clock at `startMs`. */
export const createManualClock = (startMs = 1_800_000_000_000): ManualClock => {
  let nowMs = startMs;
  let behindMs = 0;
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<() => void>();
  const now = (): number => nowMs - behindMs;
  return {
    now,
    steadyNow: withoutStepsBack(now),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper = {
          dueMs: nowMs + ms,
          wake: () => {
            signal?.removeEventListener('abort', leave);
            resolve();
          },
        };
        signal?.addEventListener('abort', leave, { once: true });
        sleepers.add(sleeper);
        for (const watch of [...watchers]) watch();
      }),
    advance: (ms) => {
      nowMs += ms;
      for (const sleeper of [...sleepers].sort((a, b) => a.dueMs - b.dueMs)) {
        if (sleeper.dueMs > nowMs) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
    setBack: (ms) => {
      behindMs += ms;
    },
    sleeping: (count = 1) =>
      new Promise((resolve) => {
        const watch = () => {
          if (sleepers.size < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
    due: () => [...sleepers].map(({ dueMs }) => dueMs - nowMs).sort((a, b) => a - b),
  };
};
