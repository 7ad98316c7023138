// Caches one value for a while: one load however many ask, optionally stale while it is renewed, and a pause after a failed load.
import { orAbort } from './abort.ts';
import { ageMs, type Clock } from './clock.ts';

/** How a value is cached. */
export interface CacheOptions<T> {
  /** How long a value is fresh, ms, 0 for never; by how long the load took where that says what another would cost. */
  readonly freshMs: number | ((tookMs: number) => number);
  /** For how long after that a value is given while it is renewed, ms. Default 0. */
  readonly staleMs?: number;
  /** How long after a failed load its error is given without another load, ms. Default 0. */
  readonly pauseMs?: number;
  readonly clock: Pick<Clock, 'now'>;
  /** Loads for all who wait: a caller that gives up does not end it. */
  readonly load: () => Promise<T>;
}

/** A cached value. */
interface CacheEntry<T> {
  readonly value: T;
  /** When it was asked for, so that a slow answer does not count as younger than it is. */
  readonly atMs: number;
  /** It is past its time and given only while it is renewed. */
  readonly isStale: boolean;
  /** Why the last attempt to renew it failed; undefined where it did not. */
  readonly error?: unknown;
}

/** Holds at most one value and one load under way. */
export class Cache<T> {
  readonly #options: CacheOptions<T>;
  #stored: { readonly value: T; readonly atMs: number; readonly freshMs: number } | null = null;
  #failed: { readonly error: unknown; readonly atMs: number } | null = null;
  #underWay: Promise<CacheEntry<T>> | null = null;

  constructor(options: CacheOptions<T>) {
    this.#options = options;
  }

  /** The value, loaded when it is neither fresh nor stale. Rejects as `load` did, or with the signal's reason when the caller gives up. */
  async read(signal: AbortSignal): Promise<T> {
    return (await this.readEntry(signal)).value;
  }

  /** As `read`, with the value's age. */
  async readEntry(signal: AbortSignal): Promise<CacheEntry<T>> {
    signal.throwIfAborted();
    const entry = this.peek();
    if (entry?.isStale && !this.#isPausing()) void this.refresh().catch(() => undefined);
    if (entry !== null) return entry;
    this.#stored = null;
    if (this.#failed !== null && this.#isPausing()) throw this.#failed.error;
    return await orAbort(this.refresh(), signal);
  }

  /** The value while it is fresh or stale; loads nothing. */
  peek(): CacheEntry<T> | null {
    const stored = this.#stored;
    if (stored === null) return null;
    const age = ageMs(stored.atMs, this.#options.clock.now());
    if (age >= stored.freshMs + (this.#options.staleMs ?? 0)) return null;
    return { ...stored, isStale: age >= stored.freshMs, error: this.#failed?.error };
  }

  /** Loads anew, or joins the load under way. A failure leaves the stored value. */
  refresh(): Promise<CacheEntry<T>> {
    this.#underWay ??= this.#load().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  /** The next call loads anew. */
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
