// Shares identical concurrent reads; the request is cancelled when its last caller has gone.

interface SharedCall {
  readonly result: Promise<unknown>;
  readonly controller: AbortController;
  waiting: number;
}

/** Joins concurrent calls of one key. Nothing is cached after a call ends. */
export class RpcSharedCalls {
  readonly #underWay = new Map<string, SharedCall>();

  /** How many distinct calls are under way. */
  get size(): number {
    return this.#underWay.size;
  }

  /** True while a call of this key is under way. */
  has(key: string): boolean {
    return this.#underWay.has(key);
  }

  /** Cancels every call under way. */
  abortAll(reason: unknown): void {
    for (const { controller } of this.#underWay.values()) controller.abort(reason);
  }

  /** Starts `start` or joins the call of the same key; rejects with the signal's reason when this caller leaves. */
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
