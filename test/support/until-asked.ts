// Lets a test await that a scripted server has been asked so many times, without looking again and again.

/** What such a server keeps. */
interface AskedWatch {
  /** To be called after every request. */
  readonly notify: () => void;
  /** Resolves as soon as `count` gives `times` or more. */
  readonly until: (count: () => number, times: number) => Promise<void>;
}

/** Nobody waits yet. */
export const createAskedWatch = (): AskedWatch => {
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
