// Decides whether a failed attempt may be repeated, and after how long: only where repeating cannot repeat an effect.
import type { HoldfastError } from './holdfast-error.ts';
import type { OperationFacts } from './operation-facts.ts';

const FIRST_DELAY_MS = 300;
const LONGEST_BACKOFF_MS = 10_000;
/** Longer waits are the caller's to decide: an epoch boundary can be days away. */
const LONGEST_RETRY_AFTER_SECONDS = 30;
/** Spread after a stated wait, so that clients refused together do not come back together. */
const RETRY_AFTER_SPREAD_MS = 500;

/** True when a second attempt has no effect that the first one had already. */
export const isRepeatable = (facts: OperationFacts, idempotencyKey: string | undefined): boolean =>
  facts.effect === 'read' ||
  facts.idempotency === 'own' ||
  (facts.idempotency === 'made' && idempotencyKey !== undefined);

/** Milliseconds until the next attempt, or null when there must be none. `attempt` counts from 0; `random` gives 0 to 1. */
export const retryDelayMs = (
  error: HoldfastError,
  { repeatable, attempt, random }: { repeatable: boolean; attempt: number; random: () => number },
): number | null => {
  // The rate limit refuses before anything is done: that is safe to repeat whatever the call does.
  if (!error.retryable || !(repeatable || error.errorCode === 'RATE_LIMITED')) return null;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined)
    return retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS
      ? null
      : retryAfterSeconds * 1000 + random() * RETRY_AFTER_SPREAD_MS;
  const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_DELAY_MS * 2 ** attempt);
  return ceiling / 2 + (random() * ceiling) / 2;
};
