// Connection state of the whole page, updated by every read and shown in one banner.
import { type HoldfastError, isHoldfastError } from '../../../client/holdfast-error.ts';
import { createStore, useStore } from '../state/create-store.ts';

/**
 * `down`: no response. `limited`: the rate limit applies. `degraded`: the service responds but cannot reach the
 * cluster.
 */
export interface Connection {
  readonly state: 'ok' | 'down' | 'limited' | 'degraded';
  /** Time of the last response for `CLUSTER_KEY` in Unix ms; other reads may return older data. */
  readonly lastResponseMs: number | null;
  /** Time of the next attempt; null if none is planned. */
  readonly nextTryMs: number | null;
}

export const connection = createStore<Connection>({
  state: 'ok',
  lastResponseMs: null,
  nextTryMs: null,
});

/** True while the chain cannot be reached. Figures stay as last known, and no actions are offered. */
export const useIsAway = (): boolean => ['down', 'degraded'].includes(useStore(connection).state);

/**
 * Key of the read that represents the cluster. Every view makes this read, and its response is never cached.
 */
export const CLUSTER_KEY = 'cluster/epoch';

/**
 * Records a successful response. Any response shows that the service is up; only one for `CLUSTER_KEY` shows
 * that the cluster is up too.
 */
export const recordResponse = (key: string, nowMs: number): void => {
  const before = connection.get();
  if (key === CLUSTER_KEY) connection.set({ state: 'ok', lastResponseMs: nowMs, nextTryMs: null });
  else if (before.state !== 'degraded') connection.set({ ...before, state: 'ok', nextTryMs: null });
};

/** Returns the connection state implied by a failure; null if only the request is at fault. */
export const connectionStateOfFailure = (error: unknown): Connection['state'] | null => {
  if (!isHoldfastError(error)) return 'down';
  const { errorCode, status } = error as HoldfastError;
  if (errorCode === 'RATE_LIMITED') return 'limited';
  if (errorCode === 'NETWORK' || errorCode === 'TIMEOUT' || errorCode === 'BAD_ANSWER') return 'down';
  if (errorCode === 'SHUTTING_DOWN') return 'down';
  return status !== undefined && status >= 500 && error.retryable && errorCode !== 'EPOCH_REWARDS_ACTIVE'
    ? 'degraded'
    : null;
};

/** Records a failed read and the time of its next attempt. */
export const recordFailure = (key: string, error: unknown, nextTryMs: number): void => {
  const state = connectionStateOfFailure(error);
  // The view that made the read reports its failure, so the banner does not.
  if (state === null || (state === 'degraded' && key !== CLUSTER_KEY)) return;
  const before = connection.get();
  const sooner = before.state === state ? (before.nextTryMs ?? 0) : 0;
  connection.set({ ...before, state, nextTryMs: Math.max(sooner, nextTryMs) });
};
