// Exact sliding-window limiter: at most `limit` calls per key in any window.
import { providerOf, SITE_SHARES, siteOf } from '../../kernel/network/client-network.ts';

/** Result of counting one call. */
export interface SlidingLogDecision {
  readonly allowed: boolean;
  /** Number of further calls that would be accepted now. */
  readonly remaining: number;
  /**
   * Milliseconds until the oldest counted call is exactly as old as the window. At that time it still counts,
   * and afterwards it does not.
   */
  readonly resetMs: number;
}

/**
 * Options of a log: `limit` calls per `windowMs`. At most `maxKeys` keys have their own count. If all of them
 * were used within the window, new keys share one count per provider, and no count is evicted.
 */
interface SlidingLogOptions {
  readonly limit: number;
  readonly windowMs: number;
  readonly maxKeys: number;
}

// Initial capacity of a ring. It is small, because most clients never come near the limit, and 100 timestamps
// take 800 bytes.
const FIRST_CAPACITY = 8;

/** Times of the accepted calls, oldest first. */
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

  dropNewest(): void {
    this.count -= 1;
  }

  #grow(): void {
    const grown = new Float64Array(this.#times.length * 2);
    grown.set(this.#times.subarray(this.#head));
    grown.set(this.#times.subarray(0, this.#head), this.#times.length - this.#head);
    this.#times = grown;
    this.#head = 0;
  }
}

/** Rings by key, least recently used first. A ring is removed only when none of its calls count any more. */
class Rings {
  readonly #rings = new Map<string, Ring>();
  readonly #maxKeys: number;
  #lastKey: string | undefined;

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  get size(): number {
    return this.#rings.size;
  }

  /** Returns the ring of `key`; null if there is no room for a new one. */
  use(key: string, countsFromMs: number): Ring | null {
    let ring = this.#rings.get(key);
    if (ring !== undefined && key === this.#lastKey) return ring;
    if (ring === undefined) {
      if (!this.#makeRoom(countsFromMs)) return null;
      ring = new Ring();
    }
    // A Map iterates in insertion order, so reinserting the key makes it the most recently used.
    this.#rings.delete(key);
    this.#rings.set(key, ring);
    this.#lastKey = key;
    return ring;
  }

  get(key: string): Ring | undefined {
    return this.#rings.get(key);
  }

  #makeRoom(countsFromMs: number): boolean {
    if (this.#rings.size < this.#maxKeys) return true;
    const [oldest] = this.#rings;
    if (oldest === undefined) return false;
    const [key, ring] = oldest;
    ring.dropUntil(countsFromMs);
    if (ring.count > 0) return false;
    return this.#rings.delete(key);
  }
}

/**
 * One sliding log per key. Refused calls are not counted, so a client that keeps retrying is accepted as soon
 * as there is room.
 */
export class SlidingLog {
  readonly #options: SlidingLogOptions;
  readonly #own: Rings;
  readonly #byProvider: Rings;
  /** Ring shared by all new keys once there is no room for their providers either. */
  readonly #others = new Ring();

  constructor(options: SlidingLogOptions) {
    this.#options = options;
    this.#own = new Rings(options.maxKeys);
    this.#byProvider = new Rings(options.maxKeys);
  }

  /** Number of keys with their own count. */
  get size(): number {
    return this.#own.size;
  }

  /**
   * Counts a call of `key` at `nowMs` (monotonic). A call exactly `windowMs` old still counts. `limit` may
   * change from call to call.
   */
  take(key: string, nowMs: number, limit: number = this.#options.limit): SlidingLogDecision {
    const countsFromMs = nowMs - this.#options.windowMs;
    const ring =
      this.#own.use(key, countsFromMs) ?? this.#byProvider.use(providerOf(key), countsFromMs) ?? this.#others;
    ring.dropUntil(countsFromMs);
    const allowed = ring.count < limit;
    if (allowed) ring.push(nowMs);
    const oldest = ring.count === 0 ? nowMs : ring.oldest;
    return { allowed, remaining: Math.max(0, limit - ring.count), resetMs: oldest - countsFromMs };
  }

  /** Undoes the last accepted call of `key`. Must be called before any other call is counted. */
  takeBack(key: string): void {
    (this.#own.get(key) ?? this.#byProvider.get(providerOf(key)) ?? this.#others).dropNewest();
  }
}

interface ClientLogs {
  readonly clients: SlidingLog;
  readonly sites: SlidingLog;
}

/** Creates logs for `limit` calls per client and `SITE_SHARES` times that per site. */
export const createClientLogs = (options: SlidingLogOptions): ClientLogs => ({
  clients: new SlidingLog(options),
  sites: new SlidingLog({ ...options, limit: options.limit * SITE_SHARES }),
});

/** Counts a call of a client, and of its site if it has one. A call refused by either log counts in neither. */
export const countClientCall = (
  { clients, sites }: ClientLogs,
  rateKey: string,
  nowMs: number,
  limit?: number,
): SlidingLogDecision => {
  const own = clients.take(rateKey, nowMs, limit);
  const site = own.allowed ? siteOf(rateKey) : null;
  if (site === null) return own;
  const whole = sites.take(site, nowMs, limit === undefined ? undefined : limit * SITE_SHARES);
  if (!whole.allowed) clients.takeBack(rateKey);
  return whole.remaining < own.remaining || !whole.allowed ? whole : own;
};
