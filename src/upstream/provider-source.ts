// One provider: its connections, cached values, and log lines when it starts or stops failing.
import { Cache } from '../kernel/cache.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import {
  failureOf,
  ProviderFailure,
  type ProviderFailureWord,
  type ProviderName,
} from './provider-failure.ts';
import { ProviderHttp, type ProviderRequest } from './provider-http.ts';
import type { ParsedResponse, Snapshot } from './provider-snapshot.ts';

export interface ProviderOptions {
  /** Base URL. The path, query and user info may contain keys. */
  readonly url: string;
  /** Our validator. */
  readonly voteAccount: string;
  /** Time limit for a whole response, in ms. Default: 10,000. */
  readonly timeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One kind of request and the parser of its response. */
interface SourceValue<T> extends Omit<ProviderRequest, 'signal'> {
  /** Name in log lines. */
  readonly what: string;
  readonly freshMs: number;
  /** Parses the response. Throws `ProviderFailure` if it does not have the documented shape. */
  readonly read: (text: string) => ParsedResponse<T> | Promise<ParsedResponse<T>>;
}

const TIMEOUT_MS = 10_000;
/** Maximum pause after a failure, in ms. It is shorter for values with a shorter lifetime. */
const MAX_PAUSE_MS = 15_000;

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

  /**
   * Returns a cached value as a snapshot, which is stale for at most one more lifetime. Rejects only if
   * `signal` is aborted.
   */
  cached<T>({
    what,
    freshMs,
    read,
    ...request
  }: SourceValue<T>): (signal: AbortSignal) => Promise<Snapshot<T>> {
    const { clock } = this.#options;
    const lifetime = this.#lifetime.signal;
    const report = this.#reporter(what);
    const cache = new Cache<ParsedResponse<T>>({
      freshMs,
      staleMs: freshMs,
      pauseMs: Math.min(freshMs, MAX_PAUSE_MS),
      clock,
      load: async () => {
        try {
          lifetime.throwIfAborted();
          const response = await this.#track(this.#http.getText({ ...request, signal: lifetime }).then(read));
          report(null);
          return response;
        } catch (error) {
          const failure = lifetime.aborted ? new ProviderFailure('closed') : failureOf(error);
          report(failure.word);
          throw failure;
        }
      },
    });
    return async (signal) => {
      try {
        const { value, atMs, isStale, error } = await cache.readEntry(signal);
        const refreshWarning =
          isStale && error !== undefined ? [{ provider: this.#provider, word: failureOf(error).word }] : [];
        return {
          value: value.value,
          fetchedAtMs: atMs,
          stale: isStale,
          warnings: [...value.warnings, ...refreshWarning],
        };
      } catch (error) {
        signal.throwIfAborted();
        return this.failed(failureOf(error).word);
      }
    };
  }

  /** Logs when a value starts or stops failing. */
  #reporter(what: string): (failure: ProviderFailureWord | null) => void {
    const { logger } = this.#options;
    const from = { provider: this.#provider, what };
    let last: ProviderFailureWord | null = null;
    return (failure) => {
      if (failure !== null && failure !== last && failure !== 'closed')
        logger.warn({ ...from, failure }, 'a statistics provider fails');
      if (failure === null && last !== null) logger.info(from, 'a statistics provider is responding again');
      last = failure;
    };
  }

  /** Creates a snapshot without a value. */
  failed(word: ProviderFailureWord): Snapshot<never> {
    return { value: null, fetchedAtMs: null, stale: false, warnings: [{ provider: this.#provider, word }] };
  }

  /** Aborts requests in progress, then closes the connections. */
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
