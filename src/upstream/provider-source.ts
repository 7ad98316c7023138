// One provider: its connections, the values kept from it, and a log line when it begins or ceases to fail.
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { ProviderFailure, type ProviderFailureWord, type ProviderName } from './provider-failure.ts';
import { ProviderHttp, type ProviderRequest } from './provider-http.ts';
import { RefreshingValue } from './refreshing-value.ts';
import type { Reading, Snapshot } from './snapshot.ts';

/** What every provider is made from. */
export interface ProviderOptions {
  /** Base URL; path, query and user info may hold keys. */
  readonly url: string;
  /** Our validator. */
  readonly voteAccount: string;
  /** For one whole answer, ms. Default 10,000. */
  readonly timeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One thing that is asked for and how its answer is read. */
export interface SourceValue<T> extends Omit<ProviderRequest, 'signal'> {
  /** In log lines. */
  readonly what: string;
  readonly freshMs: number;
  /** Throws `ProviderFailure` for what is not the documented shape. */
  readonly read: (text: string) => Reading<T> | Promise<Reading<T>>;
}

const TIMEOUT_MS = 10_000;

/** A provider that is asked. */
export class ProviderSource {
  readonly #provider: ProviderName;
  readonly #options: ProviderOptions;
  readonly #http: ProviderHttp;
  readonly #lifetime = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(provider: ProviderName, options: ProviderOptions) {
    this.#provider = provider;
    this.#options = options;
    this.#http = new ProviderHttp(options.url, options.timeoutMs ?? TIMEOUT_MS);
  }

  /** A value kept as `RefreshingValue` keeps it, told as a snapshot. The call throws only its signal's reason. */
  keep<T>({
    what,
    freshMs,
    read,
    ...request
  }: SourceValue<T>): (signal: AbortSignal) => Promise<Snapshot<T>> {
    const { clock, logger } = this.#options;
    let last: ProviderFailureWord | null = null;
    const value = new RefreshingValue<Reading<T>>({
      freshMs,
      clock,
      lifetime: this.#lifetime.signal,
      fetch: (signal) => this.#track(this.#http.getText({ ...request, signal }).then(read)),
      onAttempt: (failure) => {
        const from = { provider: this.#provider, what };
        if (failure !== null && failure !== last && failure !== 'closed')
          logger.warn({ ...from, failure }, 'a statistics provider fails');
        if (failure === null && last !== null) logger.info(from, 'a statistics provider answers again');
        last = failure;
      },
    });
    return async (signal) => {
      const kept = await value.read(signal);
      if (!kept.ok) return this.failed(kept.failure);
      const { fetchedAtMs, stale, refreshFailure } = kept;
      const { warnings } = kept.value;
      return {
        value: kept.value.value,
        fetchedAtMs,
        stale,
        warnings:
          refreshFailure === null
            ? warnings
            : [...warnings, { provider: this.#provider, word: refreshFailure }],
      };
    };
  }

  /** The snapshot of nothing. */
  failed(word: ProviderFailureWord): Snapshot<never> {
    return { value: null, fetchedAtMs: null, stale: false, warnings: [{ provider: this.#provider, word }] };
  }

  /** Ends what is under way, then the connections. */
  async close(): Promise<void> {
    this.#lifetime.abort(new ProviderFailure('closed'));
    await Promise.allSettled([...this.#underWay]);
    await this.#http.close();
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
    return tracked;
  }
}
