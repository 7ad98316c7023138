// Whether the service answers, as the whole page sees it: fed by every read, shown in one banner.
import { type HoldfastError, isHoldfastError } from '../../../client/holdfast-error.ts';
import { createStore } from '../state/create-store.ts';

/** `down`: nobody answers. `limited`: the service asks us to wait. `degraded`: it answers, but cannot reach the cluster. */
export interface Connection {
  readonly state: 'ok' | 'down' | 'limited' | 'degraded';
  /** When the last good answer came, Unix milliseconds. */
  readonly lastAnswerMs: number | null;
  /** When the next attempt is made; null while none is planned. */
  readonly nextTryMs: number | null;
  readonly message: string | null;
}

/** The state now. */
export const connection = createStore<Connection>({
  state: 'ok',
  lastAnswerMs: null,
  nextTryMs: null,
  message: null,
});

/** The read that stands for the cluster: every view follows it, and nothing answers it from a cache. */
export const CLUSTER_KEY = 'cluster/epoch';

/** Called for every good answer. Any of them shows that the service is there; only one shows that the cluster is. */
export const answered = (key: string, nowMs: number): void => {
  const { state } = connection.get();
  if (state === 'degraded' && key !== CLUSTER_KEY) return;
  connection.set({ state: 'ok', lastAnswerMs: nowMs, nextTryMs: null, message: null });
};

/** What a failure says about the connection as a whole; null where it is about the request alone. */
export const troubleOf = (error: unknown): Connection['state'] | null => {
  if (!isHoldfastError(error)) return 'down';
  const { errorCode, status } = error as HoldfastError;
  if (errorCode === 'RATE_LIMITED') return 'limited';
  if (errorCode === 'NETWORK' || errorCode === 'TIMEOUT' || errorCode === 'BAD_ANSWER') return 'down';
  if (errorCode === 'SHUTTING_DOWN') return 'down';
  return status !== undefined && status >= 500 && error.retryable && errorCode !== 'EPOCH_REWARDS_ACTIVE'
    ? 'degraded'
    : null;
};

/** Called for every failed read with the time of its next attempt. */
export const failed = (key: string, error: unknown, nextTryMs: number): void => {
  const state = troubleOf(error);
  // A single failing read is reported in place, not above the whole page.
  if (state === null || (state === 'degraded' && key !== CLUSTER_KEY)) return;
  const before = connection.get();
  const sooner = before.state === state ? (before.nextTryMs ?? 0) : 0;
  connection.set({
    state,
    lastAnswerMs: before.lastAnswerMs,
    nextTryMs: Math.max(sooner, nextTryMs),
    message: error instanceof Error ? error.message : null,
  });
};
