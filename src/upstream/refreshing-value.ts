// Keeps one fetched value: one fetch however many ask, stale for at most one further lifetime, and a broken source is not hammered.

import { orAbort } from '../kernel/abort.ts';
import { ageMs } from '../kernel/age.ts';
import type { Clock } from '../kernel/clock.ts';
import { failureOf, ProviderFailure, type ProviderFailureWord } from './provider-failure.ts';

/** What `read` gives: a kept value, or why there is none. `refreshFailure` says that the last attempt to renew it failed. */
export type Kept<T> =
  | {
      readonly ok: true;
      readonly value: T;
      readonly fetchedAtMs: number;
      readonly stale: boolean;
      readonly refreshFailure: ProviderFailureWord | null;
    }
  | { readonly ok: false; readonly failure: ProviderFailureWord };

/** How a value is kept. */
export interface RefreshingValueOptions<T> {
  /** How long a value is fresh, ms; 0 keeps nothing. */
  readonly freshMs: number;
  readonly clock: Pick<Clock, 'now'>;
  /** Aborts when the owner closes: then nothing is fetched any more. */
  readonly lifetime: AbortSignal;
  /** Fetches anew; gets `lifetime`. It may throw anything. */
  readonly fetch: (signal: AbortSignal) => Promise<T>;
  /** Hears of every attempt's end: null for success. */
  readonly onAttempt?: (failure: ProviderFailureWord | null) => void;
}

/** After a failure the source is left alone for this long at most, ms; for short-lived values no longer than they live. */
const MAX_PAUSE_MS = 15_000;

/** Holds at most one value and one fetch under way. */
export class RefreshingValue<T> {
  readonly #options: RefreshingValueOptions<T>;
  readonly #pauseMs: number;
  #kept: { readonly value: T; readonly fetchedAtMs: number } | null = null;
  #failed: { readonly word: ProviderFailureWord; readonly atMs: number } | null = null;
  #underWay: Promise<Kept<T>> | null = null;

  constructor(options: RefreshingValueOptions<T>) {
    this.#options = options;
    this.#pauseMs = Math.min(options.freshMs, MAX_PAUSE_MS);
  }

  /** The value, fetched if need be. Throws only the signal's reason, when the caller gives up; the fetch goes on for others. */
  async read(signal: AbortSignal): Promise<Kept<T>> {
    signal.throwIfAborted();
    const { freshMs, clock } = this.#options;
    const nowMs = clock.now();
    const kept = this.#kept;
    const age = kept === null ? Number.POSITIVE_INFINITY : ageMs(kept.fetchedAtMs, nowMs);
    const failure = this.#failed?.word ?? null;
    if (kept !== null && age < freshMs) return { ok: true, ...kept, stale: false, refreshFailure: null };
    const pausing = this.#failed !== null && ageMs(this.#failed.atMs, nowMs) < this.#pauseMs;
    if (kept !== null && age < freshMs * 2) {
      // Nobody waits for this one, and it never rejects.
      if (!pausing) void this.#refresh();
      return { ok: true, ...kept, stale: true, refreshFailure: failure };
    }
    this.#kept = null;
    if (pausing && failure !== null) return { ok: false, failure };
    return await orAbort(this.#refresh(), signal);
  }

  #refresh(): Promise<Kept<T>> {
    this.#underWay ??= this.#fetchOnce().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #fetchOnce(): Promise<Kept<T>> {
    const { clock, fetch, lifetime, onAttempt } = this.#options;
    // The moment of asking, so that a slow answer is not held to be younger than it is.
    const fetchedAtMs = clock.now();
    try {
      lifetime.throwIfAborted();
      const kept = { value: await fetch(lifetime), fetchedAtMs };
      this.#kept = kept;
      this.#failed = null;
      onAttempt?.(null);
      return { ok: true, ...kept, stale: false, refreshFailure: null };
    } catch (error) {
      const { word } = lifetime.aborted ? new ProviderFailure('closed') : failureOf(error);
      this.#failed = { word, atMs: clock.now() };
      onAttempt?.(word);
      return { ok: false, failure: word };
    }
  }
}
