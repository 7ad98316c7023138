// Time as a port, so that tests own it: the wall clock, a steady clock for ages and deadlines, and ages.
import { setTimeout as delay } from 'node:timers/promises';

/** Time and waiting. */
export interface Clock {
  /** Wall clock, milliseconds since the Unix epoch: for what is shown, or stored for other processes. */
  readonly now: () => number;
  /** Milliseconds that never go back, for ages and deadlines: they are compared with each other only. */
  readonly steadyNow: () => number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * `now` without its steps back: where it was set back, this goes on from the time that was read last. Steps forward count, unlike on a
 * monotonic clock: a machine that was asleep finds that what it cached is old.
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

/** The machine's clock. Its timers never keep the process alive by themselves. */
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

/** How long ago `atMs` was at `nowMs`, ms; endless where it lies ahead: the clock was set back since, and its age is unknown. */
export const ageMs = (atMs: number, nowMs: number): number =>
  nowMs < atMs ? Number.POSITIVE_INFINITY : nowMs - atMs;
