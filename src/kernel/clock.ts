// Time as a port, so that tests control it: the wall clock, a monotonic clock for ages and deadlines, and ages.
import { setTimeout as delay } from 'node:timers/promises';

/** Time and waiting. */
export interface Clock {
  /** Wall clock, milliseconds since the Unix epoch, for displayed and stored timestamps. */
  readonly now: () => number;
  /** Milliseconds that never go back, for ages and deadlines; only comparable with each other. */
  readonly steadyNow: () => number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason if it aborts first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * `now` without backward steps: if the clock is set back, continues from the last time returned. Forward steps count, unlike on a
 * monotonic clock, so that a machine that was asleep treats its cache as old.
 */
export const withoutStepsBack = (now: () => number): (() => number) => {
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
  steadyNow: withoutStepsBack(() => Date.now()),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, { ref: false, ...(signal ? { signal } : {}) });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};

/**
 * The age of `atMs` at `nowMs`, in ms. Infinity if `atMs` is in the future: the clock was set back, so the
 * age is unknown.
 */
export const ageMs = (atMs: number, nowMs: number): number =>
  nowMs < atMs ? Number.POSITIVE_INFINITY : nowMs - atMs;
