// Decides the result of an attempt: delivered, retried later or given up, and whether it disables or enables
// the registration. Pure.
import type { DeliveryType } from '../../domain/notification-types.ts';
import { type AttemptOutcome, type AttemptResult, isOwnFailure } from '../../store/outbox/outbox.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Delay after the first, second, … failed attempt, in ms, before jitter. After the tenth failure the delivery
 * is given up.
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

/** Maximum jitter of each delay. It prevents deliveries that failed together from being retried together. */
const JITTER = 0.2;
/** Maximum delay that a receiver may request. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
/** Time after which a registration is disabled if all its attempts have failed. */
export const FAILING_DISABLES_MS = 5 * 24 * HOUR_MS;

/** An attempt, and the state before it. */
export interface AttemptCircumstances {
  readonly type: DeliveryType;
  readonly outcome: AttemptOutcome;
  /** Delay requested by a 429 or 503, in ms. */
  readonly retryAfterMs: number | null;
  /** Number of attempts in the current schedule before this one. */
  readonly attempts: number;
  readonly expiresAtMs: number | null;
  readonly failingSinceMs: number | null;
  readonly nowMs: number;
  /** Random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** The consequences to store. */
export type Consequence = Pick<AttemptResult, 'next' | 'disable' | 'enable'>;

const dead: Consequence['next'] = { state: 'dead' };
const DELIVERED: Consequence = { next: { state: 'delivered' } };

const nextAfterFailure = (it: AttemptCircumstances): Consequence['next'] => {
  const delayMs = RETRY_DELAYS_MS[it.attempts];
  if (delayMs === undefined) return dead;
  const jittered = delayMs * (1 - JITTER + 2 * JITTER * it.random());
  const asked = Math.min(it.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  const nextAttemptAtMs = it.nowMs + Math.round(Math.max(jittered, asked));
  return it.expiresAtMs !== null && nextAttemptAtMs >= it.expiresAtMs
    ? dead
    : { state: 'pending', nextAttemptAtMs };
};

/** Decides the consequences. */
export const consequenceOf = (it: AttemptCircumstances): Consequence => {
  if (it.outcome === 'delivered') return it.type === 'ping' ? { ...DELIVERED, enable: true } : DELIVERED;
  if (it.outcome === 'interrupted') return { next: { state: 'pending', nextAttemptAtMs: it.nowMs } };
  if (it.outcome === 'gone') return { next: dead, disable: 'gone' };
  const hasFailedLong = it.failingSinceMs !== null && it.nowMs - it.failingSinceMs >= FAILING_DISABLES_MS;
  const next = nextAfterFailure(it);
  return hasFailedLong && !isOwnFailure(it.outcome) ? { next, disable: 'failing' } : { next };
};
