// Reads for views: TanStack Query with this service's rules for failures, rate limits and hidden pages.
import { notifyManager, QueryClient, type QueryObserverOptions, useQuery } from '@tanstack/react-query';
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import { connection, recordFailure, recordResponse } from './service-connection.ts';

/** A read value and the state of its read. */
export interface Resource<Data> {
  /** The last good response. It is kept while `error` explains why there is no newer one. */
  readonly data: Data | undefined;
  readonly error: Error | undefined;
  /** Time when `data` arrived, in Unix ms. */
  readonly at: number | undefined;
  readonly loading: boolean;
  /** True if there is data but the last read failed. */
  readonly stale: boolean;
  /** True before the first response or failure. */
  readonly pending: boolean;
  /** Reads again immediately. */
  readonly refresh: () => void;
}

interface Failure {
  readonly error: Error;
  /** Number of consecutive failures. */
  readonly count: number;
  /** Delay until the next attempt, in ms. */
  readonly delayMs: number;
}

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Maximum age of a response that is shown without a request when a view opens. */
const FRESH_MS = 2_000;

/**
 * A wait of up to this long for the rate limit is not reported if there are figures to show, because they are
 * only updated a little late.
 */
const SILENT_WAIT_MS = 5_000;
/**
 * Time after which figures from before a transaction are no longer shown. Most reads arrive sooner, so the
 * figures do not flicker.
 */
const OUTDATED_SHOWN_MS = 2_000;

const failures = new Map<string, Failure>();
/** Keys of values from before a transaction that have not been read again yet. */
const outdated = new Set<string>();
/** Set while the rate limit applies. Reads wait until the gate opens. */
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

/** Randomized, so the tabs of one browser do not retry together. */
const backoff = (count: number): number =>
  Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (count - 1)) * (0.8 + Math.random() * 0.4);

const noteResponse = (key: string): void => {
  failures.delete(key);
  outdated.delete(key);
  // While the gate is closed, only requests that were sent before it closed get responses. Such a response does
  // not end the reported limit.
  if (gate === undefined || connection.get().state !== 'limited') recordResponse(key, Date.now());
};

const noteFailure = (key: string, error: Error): void => {
  const count = (failures.get(key)?.count ?? 0) + 1;
  const retryAfterSeconds = isHoldfastError(error) ? error.retryAfterSeconds : undefined;
  // Repeating an invalid request does not help.
  const isHopeless = isHoldfastError(error) && !error.retryable && error.errorCode !== 'BAD_ANSWER';
  const delayMs = retryAfterSeconds
    ? retryAfterSeconds * 1000 + 200
    : isHopeless
      ? MAX_RETRY_MS
      : backoff(count);
  // Under the rate limit, a read waits and is then repeated, so it has not failed.
  if (isHoldfastError(error, 'RATE_LIMITED')) {
    closeGate(delayMs);
    if (delayMs <= SILENT_WAIT_MS && peek(key) !== undefined) return;
  } else failures.set(key, { error, count, delayMs });
  recordFailure(key, error, Date.now() + delayMs);
};

const keyOf = (query: { readonly queryKey: readonly unknown[] }): string => query.queryKey[0] as string;

/**
 * True if the value is too old to be shown without a request, or from the future because the clock was set
 * back.
 */
const isOld = ({ state }: { readonly state: { readonly dataUpdatedAt: number } }): boolean => {
  const ageMs = Date.now() - state.dataUpdatedAt;
  return ageMs < 0 || ageMs >= FRESH_MS;
};

// Shows responses in the same task. By default, TanStack Query uses a timer, which browsers delay in background
// tabs.
notifyManager.setScheduler(queueMicrotask);

export const queries = new QueryClient();
// Observes page visibility, which `QueryClientProvider` would do. The page has no provider.
queries.mount();

/** Builds the TanStack Query options for `key`. `refreshMs` is the value's maximum age while it is shown. */
export const queryOf = <Data>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<Data>,
  refreshMs: number,
) =>
  ({
    queryKey: [key],
    enabled: key !== null,
    queryFn: async ({ signal }) => {
      for (;;) {
        while (gate !== undefined) await gate.opened;
        signal.throwIfAborted();
        try {
          const data = await load(signal);
          if (!signal.aborted) noteResponse(key!);
          return data;
        } catch (error) {
          if (!signal.aborted) noteFailure(key!, error as Error);
          if (signal.aborted || !isHoldfastError(error, 'RATE_LIMITED')) throw error;
        }
      }
    },
    // `refetchInterval` repeats failed reads, so views show the reason immediately.
    retry: false,
    refetchInterval: () => {
      const failure = failures.get(key ?? '');
      if (failure !== undefined) return failure.delayMs;
      return Number.isFinite(refreshMs) ? refreshMs : false;
    },
    refetchOnMount: (query) => (isOld(query) ? 'always' : false),
    // Users who return to the page have often changed something elsewhere.
    refetchOnWindowFocus: (query) => (Number.isFinite(refreshMs) && isOld(query) ? 'always' : false),
    refetchOnReconnect: false,
    // The browser may be offline while a service on this machine responds.
    networkMode: 'always',
  }) satisfies QueryObserverOptions<Data>;

/**
 * Reads a value and keeps it up to date. Components with the same `key` share one read, so the key must contain
 * every input of `load`. If `key` is null, nothing is read yet. `refreshMs` is the maximum age while shown; by
 * default the value is read once.
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

/** Returns the last good response without a request. */
export const peek = <Data>(key: string): Data | undefined => queries.getQueryData<Data>([key]);

/** Reads all shown values whose key starts with `prefix` again and discards the others. Default: all. */
export const refresh = (prefix = ''): void => {
  const predicate = (query: { readonly queryKey: readonly unknown[] }) =>
    keyOf(query)?.startsWith(prefix) ?? false;
  queries.removeQueries({ type: 'inactive', predicate });
  // A running read may have started before the change that caused this refresh, so it is canceled.
  void queries.cancelQueries({ predicate }).then(() => queries.refetchQueries({ type: 'active', predicate }));
};

/**
 * Like `refresh`, after a transaction that changed the values. Views show them as loading until the new values
 * arrive, and never as they were before the transaction.
 */
export const refreshAfterAct = (prefix: string): void => {
  refresh(prefix);
  for (const query of queries.getQueryCache().getAll())
    if (keyOf(query)?.startsWith(prefix)) outdated.add(keyOf(query));
  setTimeout(
    () => void queries.resetQueries({ predicate: (query) => outdated.has(keyOf(query)) }),
    OUTDATED_SHOWN_MS,
  );
};

/** Repeats failed reads immediately. */
export const retryNow = (): void => {
  gate?.open();
  void queries
    .cancelQueries({ predicate: (query) => failures.has(keyOf(query)) })
    .then(() => queries.refetchQueries({ type: 'active', predicate: (query) => failures.has(keyOf(query)) }));
};
