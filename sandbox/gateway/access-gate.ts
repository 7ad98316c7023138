// Runs requests concurrently, but never during a block change or an epoch boundary, so clients see only
// complete states.

/**
 * A lock with shared entries and exclusive sections. A waiting exclusive section blocks new entries, so it does
 * not starve.
 */
export class AccessGate {
  #entered = 0;
  #exclusive = false;
  #waitingExclusive: (() => void)[] = [];
  #waitingEntries: (() => void)[] = [];

  /**
   * Enters once no exclusive section is running or waiting. The returned function leaves, and repeated calls do
   * nothing.
   */
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

  /** Runs `section` while no other section or entry is active. */
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
      // Set here rather than by the woken section, so no other caller can enter before the section runs.
      this.#exclusive = true;
      next();
      return;
    }
    const entries = this.#waitingEntries;
    this.#waitingEntries = [];
    for (const entry of entries) entry();
  }
}
