// Caches one value for a while. Concurrent reads share a load, a stale value may be served during a refresh,
// and loading pauses after a failure.
import { orAbort } from './abort.ts';
import { ageMs, type Clock } from './clock.ts';

/** Cache options. */
export interface CacheOptions<T> {
  /**
   * Time for which a value is fresh, in ms; 0 for never. May be a function of how long the load took, for
   * loads that can be expensive.
   */
  readonly freshMs: number | ((tookMs: number) => number);
  /** Additional time for which a stale value is served during a refresh, in ms. Default: 0. */
  readonly staleMs?: number;
  /** Time after a failed load during which its error is returned without another load, in ms. Default: 0. */
  readonly pauseMs?: number;
  readonly clock: Pick<Clock, 'now'>;
  /** Loads the value for all waiting callers. A caller that gives up does not abort the load. */
  readonly load: () => Promise<T>;
}

/** A cached value. */
interface CacheEntry<T> {
  readonly value: T;
  /** Time at which the load started, so a slow response does not count as younger than it is. */
  readonly atMs: number;
  /** True if the value is no longer fresh and is only served during a refresh. */
  readonly isStale: boolean;
  /** Reason why the last refresh failed; undefined if it succeeded. */
  readonly error?: unknown;
}

/** Holds at most one value, and at most one load in progress. */
export class Cache<T> {
  readonly #options: CacheOptions<T>;
  #stored: { readonly value: T; readonly atMs: number; readonly freshMs: number } | null = null;
  #failed: { readonly error: unknown; readonly atMs: number } | null = null;
  #underWay: Promise<CacheEntry<T>> | null = null;

  constructor(options: CacheOptions<T>) {
    this.#options = options;
  }

  /**
   * Returns the value, and loads it if it is neither fresh nor stale. Rejects like `load`, or with the
   * signal's reason if the caller gives up.
   */
  async read(signal: AbortSignal): Promise<T> {
    return (await this.readEntry(signal)).value;
  }

  /** Like `read`, but also returns the value's age. */
  async readEntry(signal: AbortSignal): Promise<CacheEntry<T>> {
    signal.throwIfAborted();
    const entry = this.peek();
    if (entry?.isStale && !this.#isPausing()) void this.refresh().catch(() => undefined);
    if (entry !== null) return entry;
    this.#stored = null;
    if (this.#failed !== null && this.#isPausing()) throw this.#failed.error;
    return await orAbort(this.refresh(), signal);
  }

  /** Returns the value while it is fresh or stale. Never loads. */
  peek(): CacheEntry<T> | null {
    const stored = this.#stored;
    if (stored === null) return null;
    const age = ageMs(stored.atMs, this.#options.clock.now());
    if (age >= stored.freshMs + (this.#options.staleMs ?? 0)) return null;
    return { ...stored, isStale: age >= stored.freshMs, error: this.#failed?.error };
  }

  /** Loads again, or joins the load in progress. The stored value survives a failure. */
  refresh(): Promise<CacheEntry<T>> {
    this.#underWay ??= this.#load().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  /** Drops the stored value, so the next call loads again. */
  clear(): void {
    this.#stored = null;
  }

  #isPausing(): boolean {
    const { clock, pauseMs = 0 } = this.#options;
    return this.#failed !== null && ageMs(this.#failed.atMs, clock.now()) < pauseMs;
  }

  async #load(): Promise<CacheEntry<T>> {
    const { clock, freshMs, load } = this.#options;
    const atMs = clock.now();
    try {
      const value = await load();
      const tookMs = clock.now() - atMs;
      this.#stored = { value, atMs, freshMs: typeof freshMs === 'number' ? freshMs : freshMs(tookMs) };
      this.#failed = null;
      return { value, atMs, isStale: false };
    } catch (error) {
      this.#failed = { error, atMs: clock.now() };
      throw error;
    }
  }
}
