// Shares identical concurrent reads. The request is canceled when its last caller has left.

interface SharedCall {
  readonly result: Promise<unknown>;
  readonly controller: AbortController;
  waiting: number;
}

/** Joins concurrent calls with the same key. Caches nothing after a call ends. */
export class RpcSharedCalls {
  readonly #underWay = new Map<string, SharedCall>();

  /** Number of distinct calls in progress. */
  get size(): number {
    return this.#underWay.size;
  }

  /** Returns true while a call with this key is running. */
  has(key: string): boolean {
    return this.#underWay.has(key);
  }

  /** Cancels every running call. */
  abortAll(reason: unknown): void {
    for (const { controller } of this.#underWay.values()) controller.abort(reason);
  }

  /**
   * Calls `start`, or joins the running call with the same key. Rejects with the signal's reason if this caller
   * leaves.
   */
  run<T>(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const call = this.#underWay.get(key) ?? this.#start(key, start);
    call.waiting += 1;
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        call.waiting -= 1;
        if (call.waiting === 0) {
          this.#forget(key, call);
          call.controller.abort(signal.reason);
        }
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      call.result.then(
        (value) => {
          signal.removeEventListener('abort', leave);
          resolve(value as T);
        },
        (error: unknown) => {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      );
    });
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<unknown>): SharedCall {
    const controller = new AbortController();
    const call: SharedCall = { controller, waiting: 0, result: start(controller.signal) };
    this.#underWay.set(key, call);
    const forget = () => this.#forget(key, call);
    call.result.then(forget, forget);
    return call;
  }

  #forget(key: string, call: SharedCall): void {
    if (this.#underWay.get(key) === call) this.#underWay.delete(key);
  }
}
