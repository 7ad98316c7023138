// The client's time and random numbers, replaceable in tests. Works in browsers and in Node.

/** Time functions that the client uses. */
export interface ClientClock {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason if it is aborted first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Maximum timer delay (24.8 days). Longer timers fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const machineClock: ClientClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        Math.min(ms, MAX_TIMER_MS),
      );
      signal?.addEventListener('abort', leave, { once: true });
    }),
};
