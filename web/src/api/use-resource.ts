// Reads for views: TanStack Query with this service's rules for failures, rate limits and hidden pages.
import { notifyManager, QueryClient, type QueryObserverOptions, useQuery } from '@tanstack/react-query';
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import { answered, failed } from './service-connection.ts';

/** A value as views show it. */
export interface Resource<Data> {
  /** The last good answer; it stays while `error` says why there is no newer one. */
  readonly data: Data | undefined;
  readonly error: Error | undefined;
  /** When `data` arrived, Unix milliseconds. */
  readonly at: number | undefined;
  readonly loading: boolean;
  /** There is data, and reading it again failed. */
  readonly stale: boolean;
  /** Nothing was read yet, and nothing failed yet. */
  readonly pending: boolean;
  /** Reads it again now. */
  readonly refresh: () => void;
}

interface Failure {
  readonly error: Error;
  /** Failures in a row. */
  readonly count: number;
  /** Until the next attempt. */
  readonly delayMs: number;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** An answer this young is shown again without a request when a view opens. */
const FRESH_MS = 2_000;

/** Reads that failed last, by key. */
const failures = new Map<string, Failure>();
/** Closed while the service asks to wait: no read before it opens. */
let gate: { readonly opened: Promise<void>; readonly open: () => void } | undefined;

const closeGate = (delayMs: number): void => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = gate;
  const open = (): void => {
    before?.open();
    if (gate === closed) gate = undefined;
    resolve();
  };
  const closed = { opened: promise, open };
  gate = closed;
  setTimeout(open, delayMs);
};

/** Spread, so that the tabs of one browser do not return together. */
const backoff = (count: number): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (count - 1)) * (0.8 + Math.random() * 0.4);

const noteAnswer = (key: string): void => {
  failures.delete(key);
  answered(key, Date.now());
};

const noteFailure = (key: string, error: Error): void => {
  const count = (failures.get(key)?.count ?? 0) + 1;
  const retryAfterSeconds = isHoldfastError(error) ? error.retryAfterSeconds : undefined;
  // Repeating a wrong request does not make it right.
  const isHopeless = isHoldfastError(error) && !error.retryable && error.errorCode !== 'BAD_ANSWER';
  const delayMs = retryAfterSeconds
    ? retryAfterSeconds * 1000 + 200
    : isHopeless
      ? LONGEST_RETRY_MS
      : backoff(count);
  if (isHoldfastError(error, 'RATE_LIMITED')) closeGate(delayMs);
  failures.set(key, { error, count, delayMs });
  failed(key, error, Date.now() + delayMs);
};

const keyOf = (query: { readonly queryKey: readonly unknown[] }): string => query.queryKey[0] as string;

/** Too old to be shown without asking, or from the future: the clock was set back. */
const isOld = ({ state }: { readonly state: { readonly dataUpdatedAt: number } }): boolean => {
  const ageMs = Date.now() - state.dataUpdatedAt;
  return ageMs < 0 || ageMs >= FRESH_MS;
};

// An answer is shown in the same turn; by default it waits for a timer, which a browser delays in a background tab.
notifyManager.setScheduler(queueMicrotask);

/** All reads of the page. */
export const queries = new QueryClient();
// Follows the page being hidden and shown; a provider, which the page does without, would do it too.
queries.mount();

/** How TanStack Query reads `key`. `refreshMs`: how old the value may become while shown. */
export const queryOf = <Data>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<Data>,
  refreshMs: number,
) =>
  ({
    queryKey: [key],
    enabled: key !== null,
    queryFn: async ({ signal }) => {
      while (gate !== undefined) await gate.opened;
      signal.throwIfAborted();
      try {
        const data = await load(signal);
        if (!signal.aborted) noteAnswer(key!);
        return data;
      } catch (error) {
        if (!signal.aborted) noteFailure(key!, error as Error);
        throw error;
      }
    },
    // Failures are repeated by the interval below, so that views show the reason at once.
    retry: false,
    refetchInterval: () => {
      const failure = failures.get(key ?? '');
      if (failure !== undefined) return failure.delayMs;
      return Number.isFinite(refreshMs) ? refreshMs : false;
    },
    refetchOnMount: (query) => (isOld(query) ? 'always' : false),
    // Someone who returns to the page has often changed something elsewhere.
    refetchOnWindowFocus: (query) => (Number.isFinite(refreshMs) && isOld(query) ? 'always' : false),
    refetchOnReconnect: false,
    // The browser's idea of being online knows nothing of a service on this machine.
    networkMode: 'always',
  }) satisfies QueryObserverOptions<Data>;

/**
 * Reads and follows a value. The same `key` is read once however many components ask, so it must name all that `load` depends on.
 * `key` null: nothing to read yet.
 * `refreshMs`: how old it may get while shown; default: it is read once.
 */
export const useResource = <Data>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<Data>,
  refreshMs = Number.POSITIVE_INFINITY,
): Resource<Data> => {
  const { data, dataUpdatedAt, isFetching } = useQuery<Data>(queryOf(key, load, refreshMs), queries);
  const error = key === null ? undefined : failures.get(key)?.error;
  return {
    data,
    error,
    at: data === undefined ? undefined : dataUpdatedAt,
    loading: isFetching,
    stale: error !== undefined && data !== undefined,
    pending: data === undefined && error === undefined,
    refresh: () => {
      if (key !== null) refresh(key);
    },
  };
};

/** The last good answer, without a request. */
export const peek = <Data>(key: string): Data | undefined => queries.getQueryData<Data>([key]);

/** Reads the shown values again whose key starts with `prefix`; forgets the others. Default: all. */
export const refresh = (prefix = ''): void => {
  const predicate = (query: { readonly queryKey: readonly unknown[] }) =>
    keyOf(query)?.startsWith(prefix) ?? false;
  queries.removeQueries({ type: 'inactive', predicate });
  // A read under way may have begun before the change that this refresh is for.
  void queries.cancelQueries({ predicate }).then(() => queries.refetchQueries({ type: 'active', predicate }));
};

/** Repeats now what failed, without waiting any longer. */
export const retryNow = (): void => {
  gate?.open();
  void queries
    .cancelQueries({ predicate: (query) => failures.has(keyOf(query)) })
    .then(() => queries.refetchQueries({ type: 'active', predicate: (query) => failures.has(keyOf(query)) }));
};
