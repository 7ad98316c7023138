// One call under way per key: callers that arrive meanwhile share its result instead of repeating it.

/** Joins concurrent calls that ask for the same thing. Nothing is kept after the call ends. */
export class SingleFlight<Key, Value> {
  readonly #underWay = new Map<Key, Promise<Value>>();

  /** Runs `call`, or joins the one already under way for `key`. A failure reaches every joined caller. */
  run(key: Key, call: () => Promise<Value>): Promise<Value> {
    const joined = this.#underWay.get(key);
    if (joined !== undefined) return joined;
    const started = call().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, started);
    return started;
  }

  /** How many calls are under way. */
  get size(): number {
    return this.#underWay.size;
  }

  /** Resolves when every call now under way has ended, however it ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()]);
  }
}
