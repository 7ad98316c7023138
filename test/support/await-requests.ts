// Lets a test await a number of requests to a scripted server without polling.

interface AskedWatch {
  /** Must be called on every request. */
  readonly notify: () => void;
  /** Resolves once `count` returns at least `times`. */
  readonly until: (count: () => number, times: number) => Promise<void>;
}

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
