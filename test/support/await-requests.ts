// Lets a test await a number of requests to a scripted server without polling.

/** A counter of such a server. */
interface AskedWatch {
  /** Must be called after every request. */
  readonly notify: () => void;
  /** Resolves as soon as `count` returns `times` or more. */
  readonly until: (count: () => number, times: number) => Promise<void>;
}

/** No caller waits yet. */
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
