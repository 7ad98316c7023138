// Decides whether and when a failed attempt may be repeated: only if the repetition cannot have a second
// effect.
import type { HoldfastError } from './holdfast-error.ts';
import type { OperationFacts } from './operation-facts.ts';

const FIRST_DELAY_MS = 300;
const MAX_BACKOFF_MS = 10_000;
/** Maximum wait. Longer waits are left to the caller, because an epoch boundary can be days away. */
const MAX_RETRY_AFTER_SECONDS = 30;
/** Maximum random additional wait, so clients that were refused together do not all retry together. */
const RETRY_AFTER_SPREAD_MS = 500;

/** True if repeating the call cannot have an additional effect. */
export const isRepeatable = (facts: OperationFacts, idempotencyKey: string | undefined): boolean =>
  facts.effect === 'read' ||
  facts.idempotency === 'own' ||
  (facts.idempotency === 'made' && idempotencyKey !== undefined);

/**
 * Returns the milliseconds until the next attempt, or null if the call must not be retried. `attempt` counts
 * from 0; `random` returns 0 to 1.
 */
export const retryDelayMs = (
  error: HoldfastError,
  { repeatable, attempt, random }: { repeatable: boolean; attempt: number; random: () => number },
): number | null => {
  // A service that hangs rarely responds to a third attempt, and each attempt lasts half a minute by default.
  if (error.errorCode === 'TIMEOUT' && attempt > 0) return null;
  // A rate-limited call had no effect, so a retry is safe for every operation.
  if (!error.retryable || !(repeatable || error.errorCode === 'RATE_LIMITED')) return null;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined)
    return retryAfterSeconds > MAX_RETRY_AFTER_SECONDS
      ? null
      : retryAfterSeconds * 1000 + random() * RETRY_AFTER_SPREAD_MS;
  const ceiling = Math.min(MAX_BACKOFF_MS, FIRST_DELAY_MS * 2 ** attempt);
  return ceiling / 2 + (random() * ceiling) / 2;
};
