// Clocks that tests control. A manual clock moves only when a test moves it, and a running one follows the
// machine's clock.
import { type Clock, nowWithoutBackwardSteps } from '../../src/kernel/clock.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

export interface SteerableClock extends Clock {
  /** Moves the time forward by `ms`, and wakes the sleepers that are due, in order. */
  readonly advance: (ms: number) => void;
  /** Sets the wall clock back by `ms`. As with real timers, the sleepers' delays do not change. */
  readonly setBack: (ms: number) => void;
  /** Resolves once at least `count` callers are sleeping. */
  readonly sleeping: (count?: number) => Promise<void>;
  /** Returns each sleeper's remaining delay in ms, shortest first. */
  readonly due: () => readonly number[];
}

/** The maximum delay in ms that `setTimeout` accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Creates a clock. `speed` is relative to `machineMs`, and 0 stops it. */
const createClock = (machineMs: () => number, speed: number): SteerableClock => {
  let advancedMs = 0;
  let behindMs = 0;
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<() => void>();
  const elapsedMs = (): number => machineMs() + advancedMs;
  const now = (): number => elapsedMs() - behindMs;
  return {
    now,
    steadyNow: nowWithoutBackwardSteps(now),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = (): void => {
          clearTimeout(timer);
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
        };
        const abort = (): void => {
          leave();
          reject(signal?.reason);
        };
        const wake = (): void => {
          leave();
          resolve();
        };
        const sleeper: Sleeper = { dueMs: elapsedMs() + ms, wake };
        const timer = speed > 0 ? setTimeout(wake, Math.min(ms / speed, MAX_TIMER_MS)).unref() : undefined;
        signal?.addEventListener('abort', abort, { once: true });
        sleepers.add(sleeper);
        for (const watch of [...watchers]) watch();
      }),
    advance: (ms) => {
      advancedMs += ms;
      const due = [...sleepers].filter(({ dueMs }) => dueMs <= elapsedMs());
      for (const { wake } of due.sort((one, other) => one.dueMs - other.dueMs)) wake();
    },
    setBack: (ms) => {
      behindMs += ms;
    },
    sleeping: (count = 1) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (sleepers.size < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
    due: () => [...sleepers].map(({ dueMs }) => dueMs - elapsedMs()).sort((one, other) => one - other),
  };
};

/** Creates a clock that stays at `startMs` until a test moves it. */
export const createManualClock = (startMs = 1_800_000_000_000): SteerableClock =>
  createClock(() => startMs, 0);

/** Creates a clock that starts at the machine's time and runs `speed` times as fast. Its timers do not keep the process alive. */
export const createRunningClock = (speed = 1): SteerableClock => {
  const startMs = Date.now();
  return createClock(() => Math.round(startMs + (Date.now() - startMs) * speed), speed);
};
