// Decides the consequences of an attempt: the delivery is delivered, retried later or given up, and the
// registration may be disabled or enabled. Pure.
import type { DeliveryType } from '../../domain/notification-types.ts';
import { type AttemptOutcome, type AttemptResult, isOwnFailure } from '../../store/outbox/outbox.ts';
import { type FailedAttempt, nextRetryAtMs } from './retry-schedule.ts';

/** Time after which a registration is disabled if all its attempts have failed. */
export const FAILING_DISABLES_MS = 5 * 24 * 60 * 60 * 1_000;

/** An attempt, with the state before it. */
export interface AttemptCircumstances extends FailedAttempt {
  readonly type: DeliveryType;
  readonly outcome: AttemptOutcome;
  readonly expiresAtMs: number | null;
  readonly failingSinceMs: number | null;
}

export type Consequence = Pick<AttemptResult, 'next' | 'disable' | 'enable'>;

const dead: Consequence['next'] = { state: 'dead' };
const DELIVERED: Consequence = { next: { state: 'delivered' } };

const nextAfterFailure = (it: AttemptCircumstances): Consequence['next'] => {
  const nextAttemptAtMs = nextRetryAtMs(it);
  return nextAttemptAtMs === null || (it.expiresAtMs !== null && nextAttemptAtMs >= it.expiresAtMs)
    ? dead
    : { state: 'pending', nextAttemptAtMs };
};

export const consequenceOf = (it: AttemptCircumstances): Consequence => {
  if (it.outcome === 'delivered') return it.type === 'ping' ? { ...DELIVERED, enable: true } : DELIVERED;
  if (it.outcome === 'interrupted') return { next: { state: 'pending', nextAttemptAtMs: it.nowMs } };
  if (it.outcome === 'gone') return { next: dead, disable: 'gone' };
  const hasFailedLong = it.failingSinceMs !== null && it.nowMs - it.failingSinceMs >= FAILING_DISABLES_MS;
  const next = nextAfterFailure(it);
  return hasFailedLong && !isOwnFailure(it.outcome) ? { next, disable: 'failing' } : { next };
};
