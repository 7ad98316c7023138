// Lets a test await a number of requests to a scripted server without polling.

/** Waits for the requests that a scripted server has counted. */
interface AskedWatch {
  /** Must be called after every request. */
  readonly notify: () => void;
  /** Resolves as soon as `count` returns at least `times`. */
  readonly until: (count: () => number, times: number) => Promise<void>;
}

/** Creates a watch that nothing waits for yet. */
export const createRequestWatch = (): AskedWatch => {
  const waiting = new Set<() => void>();
  return {
    notify: () => {
      for (const check of [...waiting]) check();
    },
    until: (count, times) =>
      new Promise((resolve) => {
        const check = () => {
          if (count() < times) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
};
