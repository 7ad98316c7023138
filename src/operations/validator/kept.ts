// Keeps one value read from the chain for a while: one reading however many ask, and a failed one is nobody's answer.

import { orAbort } from '../../kernel/abort.ts';
import { ageMs } from '../../kernel/age.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import { SingleFlight } from '../../kernel/single-flight.ts';

/** How a value is kept. */
export interface KeptOptions<T> {
  /** How long a value is given without a new reading, ms; by how long the reading took where that says what another would cost. */
  readonly freshMs: number | ((tookMs: number) => number);
  /** For one whole reading, ms. Default 25,000: several calls of at most 10 s each. */
  readonly timeoutMs?: number;
  readonly clock: Pick<Clock, 'now'>;
  /** Aborts when the owner stops. */
  readonly lifetime: AbortSignal;
  /** One reading; its signal is not that of any one caller, so that one who gives up ends it for nobody else. */
  readonly load: (signal: AbortSignal) => Promise<T>;
}

const LOAD_TIMEOUT_MS = 25_000;

/** Holds at most one value and one reading under way. */
export class Kept<T> {
  readonly #options: KeptOptions<T>;
  readonly #flight = new SingleFlight<'', T>();
  #kept: { readonly value: T; readonly atMs: number; readonly freshMs: number } | null = null;

  constructor(options: KeptOptions<T>) {
    this.#options = options;
  }

  /** The value, read anew when it is no longer fresh. Rejects as `load` does, with `UPSTREAM_UNAVAILABLE` when that takes too long, or with the signal's reason. */
  async read(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const fresh = this.peek();
    if (fresh !== null) return fresh.value;
    return await orAbort(
      this.#flight.run('', () => this.#load()),
      signal,
    );
  }

  /** The value while it is fresh, without reading anything. */
  peek(): { readonly value: T; readonly atMs: number } | null {
    const kept = this.#kept;
    return kept !== null && ageMs(kept.atMs, this.#options.clock.now()) < kept.freshMs ? kept : null;
  }

  /** The next call reads anew. */
  forget(): void {
    this.#kept = null;
  }

  async #load(): Promise<T> {
    const { clock, freshMs, lifetime, load, timeoutMs = LOAD_TIMEOUT_MS } = this.#options;
    // The moment of asking, so that a slow answer is not held to be younger than it is.
    const atMs = clock.now();
    const deadline = AbortSignal.timeout(timeoutMs);
    const value = await load(AbortSignal.any([lifetime, deadline])).catch((error: unknown) => {
      if (!deadline.aborted) throw error;
      throw new AppError('UPSTREAM_UNAVAILABLE', 'The Solana RPC did not answer in time.', { cause: error });
    });
    this.#kept = {
      ...{ value, atMs },
      freshMs: typeof freshMs === 'number' ? freshMs : freshMs(clock.now() - atMs),
    };
    return value;
  }
}
