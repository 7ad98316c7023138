// Lets through at most `limit` calls per key in any window, exactly: it remembers the time of each call it let through.

/** The outcome of one call. */
export interface SlidingLogDecision {
  readonly allowed: boolean;
  /** How many more calls would be let through right now. */
  readonly remaining: number;
  /** Milliseconds until the oldest remembered call is exactly as old as the window; it counts until after that instant. */
  readonly resetMs: number;
}

/** `limit` calls per `windowMs`; at most `maxKeys` keys are remembered, the longest unused are forgotten first. */
export interface SlidingLogOptions {
  readonly limit: number;
  readonly windowMs: number;
  readonly maxKeys: number;
}

// The ring starts small: most clients never come near the limit, and 100 times take 800 bytes.
const FIRST_CAPACITY = 8;

/** Times of the calls let through, oldest first. */
class Ring {
  #times = new Float64Array(FIRST_CAPACITY);
  #head = 0;
  count = 0;

  get oldest(): number {
    return this.#times[this.#head] as number;
  }

  push(time: number): void {
    if (this.count === this.#times.length) this.#grow();
    this.#times[(this.#head + this.count) % this.#times.length] = time;
    this.count += 1;
  }

  dropUntil(time: number): void {
    while (this.count > 0 && this.oldest < time) {
      this.#head = (this.#head + 1) % this.#times.length;
      this.count -= 1;
    }
  }

  #grow(): void {
    const grown = new Float64Array(this.#times.length * 2);
    grown.set(this.#times.subarray(this.#head));
    grown.set(this.#times.subarray(0, this.#head), this.#times.length - this.#head);
    this.#times = grown;
    this.#head = 0;
  }
}

/** A sliding log per key. Refused calls are not remembered, so a client that keeps knocking is let in as soon as there is room. */
export class SlidingLog {
  readonly #options: SlidingLogOptions;
  readonly #rings = new Map<string, Ring>();
  #lastKey: string | undefined;

  constructor(options: SlidingLogOptions) {
    this.#options = options;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#rings.size;
  }

  /** Counts a call of `key` at `nowMs` (monotonic). A call exactly `windowMs` old still counts. `limit` may change from call to call. */
  take(key: string, nowMs: number, limit: number = this.#options.limit): SlidingLogDecision {
    const { windowMs } = this.#options;
    const ring = this.#touch(key);
    ring.dropUntil(nowMs - windowMs);
    const allowed = ring.count < limit;
    if (allowed) ring.push(nowMs);
    const oldest = ring.count === 0 ? nowMs : ring.oldest;
    return { allowed, remaining: Math.max(0, limit - ring.count), resetMs: oldest + windowMs - nowMs };
  }

  #touch(key: string): Ring {
    const ring = this.#rings.get(key) ?? new Ring();
    if (key === this.#lastKey) return ring;
    // A Map iterates in insertion order, so inserting anew makes this key the most recently used.
    this.#rings.delete(key);
    this.#rings.set(key, ring);
    this.#lastKey = key;
    if (this.#rings.size > this.#options.maxKeys) {
      const [leastRecent] = this.#rings.keys();
      this.#rings.delete(leastRecent as string);
    }
    return ring;
  }
}
