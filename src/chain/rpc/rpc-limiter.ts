// Runs at most `limit` tasks concurrently. Other tasks wait in order, and leave the queue when their signal
// is aborted.

/** A counting semaphore whose waiters can give up. */
export class RpcLimiter {
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();
  #active = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Number of tasks running plus tasks waiting. */
  get load(): number {
    return this.#active + this.#waiting.size;
  }

  /** Runs `task` when a slot is free. Rejects with the signal's reason if it is aborted while waiting. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#active >= this.#limit) await this.#place(signal);
    else this.#active += 1;
    try {
      return await task();
    } finally {
      const [next] = this.#waiting;
      if (next) {
        this.#waiting.delete(next);
        next();
      } else {
        this.#active -= 1;
      }
    }
  }

  #place(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
