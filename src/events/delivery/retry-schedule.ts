// Retry schedule of deliveries: the delay after each failed attempt, with jitter. Pure.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Delays after the first, second, … failed attempt, in ms, before jitter. The delivery is given up after the
 * tenth failure.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/**
 * Maximum jitter, as a share of the delay. It prevents deliveries that failed together from being retried
 * together.
 */
const JITTER = 0.2;
/** Maximum delay that a receiver may request. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

export interface FailedAttempt {
  /** Number of earlier attempts in the current schedule. */
  readonly attempts: number;
  /** Delay requested by a 429 or 503 response, in ms. */
  readonly retryAfterMs: number | null;
  readonly nowMs: number;
  /** Random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** Returns the time of the next attempt, in ms since the Unix epoch; null if the schedule has ended. */
export const nextRetryAtMs = ({ attempts, retryAfterMs, nowMs, random }: FailedAttempt): number | null => {
  const delayMs = RETRY_DELAYS_MS[attempts];
  if (delayMs === undefined) return null;
  const jittered = delayMs * (1 - JITTER + 2 * JITTER * random());
  const requested = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return nowMs + Math.round(Math.max(jittered, requested));
};
