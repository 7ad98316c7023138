// Time as a port, so that tests own it: the wall clock, a steady clock for ages and deadlines, and ages.
import { setTimeout as delay } from 'node:timers/promises';

/** Wall-clock time and waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The machine's clock. Its timers never keep the process alive by themselves. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, { ref: false, ...(signal ? { signal } : {}) });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};

/**
 * `clock` without its steps back: where it was set back, this one goes on from the time that was read last. Steps forward count, unlike on a
 * monotonic clock: a machine that was asleep finds what it kept old. Its times are compared with each other only; what is shown or kept for
 * other processes takes `clock`.
 */
export const steadyClock = (clock: Clock): Clock => {
  let lastMs = clock.now();
  let setBackMs = 0;
  return {
    now: () => {
      const nowMs = clock.now();
      setBackMs += Math.max(0, lastMs - nowMs);
      lastMs = nowMs;
      return nowMs + setBackMs;
    },
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
};

/** How long ago `atMs` was at `nowMs`, ms; endless where it lies ahead: the clock was set back since, and how old something is cannot be told. */
export const ageMs = (atMs: number, nowMs: number): number =>
  nowMs < atMs ? Number.POSITIVE_INFINITY : nowMs - atMs;
