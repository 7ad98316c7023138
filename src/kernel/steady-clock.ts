// Time for ages and deadlines: a wall clock that is set back must make nothing young again, and let nobody wait for a time that passed.
import type { Clock } from './clock.ts';

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
