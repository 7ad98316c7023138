// Lets many requests run together but never beside a block or an epoch boundary, so that clients only see whole ones.

/** Shared entries and exclusive sections; a waiting exclusive section holds back new entries, so it cannot starve. */
export class AccessGate {
  #entered = 0;
  #exclusive = false;
  #waitingExclusive: (() => void)[] = [];
  #waitingEntries: (() => void)[] = [];

  /** Enters once no exclusive section runs or waits; call the returned function exactly once to leave (more calls do nothing). */
  async enter(): Promise<() => void> {
    while (this.#exclusive || this.#waitingExclusive.length > 0) {
      await new Promise<void>((resolve) => this.#waitingEntries.push(resolve));
    }
    this.#entered += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#entered -= 1;
      this.#advance();
    };
  }

  /** Runs `section` alone. */
  async exclusive<T>(section: () => Promise<T> | T): Promise<T> {
    if (this.#exclusive || this.#entered > 0 || this.#waitingExclusive.length > 0) {
      await new Promise<void>((resolve) => this.#waitingExclusive.push(resolve));
    } else {
      this.#exclusive = true;
    }
    try {
      return await section();
    } finally {
      this.#exclusive = false;
      this.#advance();
    }
  }

  #advance(): void {
    if (this.#exclusive || this.#entered > 0) return;
    const next = this.#waitingExclusive.shift();
    if (next !== undefined) {
      // Taken over here, not by the woken section: nobody can slip in between.
      this.#exclusive = true;
      next();
      return;
    }
    const entries = this.#waitingEntries;
    this.#waitingEntries = [];
    for (const entry of entries) entry();
  }
}
