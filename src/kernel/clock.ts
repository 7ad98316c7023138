// Time as a port, so that tests can control it: the wall clock, a monotonic clock for ages and deadlines, and
// ages.
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Wall clock in milliseconds since the Unix epoch, for displayed and stored timestamps. */
  readonly now: () => number;
  /** Monotonic milliseconds for ages and deadlines. Comparable only with each other. */
  readonly steadyNow: () => number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason if it aborts first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Returns `now` without backward steps: if the clock is set back, continues from the last time returned. Unlike
 * a monotonic clock, it includes forward steps, so a machine that was asleep treats its cache as old.
 */
export const nowWithoutBackwardSteps = (now: () => number): (() => number) => {
  let lastMs = now();
  let setBackMs = 0;
  return () => {
    const nowMs = now();
    setBackMs += Math.max(0, lastMs - nowMs);
    lastMs = nowMs;
    return nowMs + setBackMs;
  };
};

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steadyNow: nowWithoutBackwardSteps(() => Date.now()),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, { ref: false, ...(signal ? { signal } : {}) });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};

/**
 * Computes the age of `atMs` at `nowMs`, in ms. Returns Infinity if `atMs` is in the future, because the
 * clock was set back and the age is unknown.
 */
export const ageMs = (atMs: number, nowMs: number): number =>
  nowMs < atMs ? Number.POSITIVE_INFINITY : nowMs - atMs;
