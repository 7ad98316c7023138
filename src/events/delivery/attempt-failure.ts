// Why an attempt got no answer that counts, in the fixed words of the delivery log; the receiver's own words are never stored.
import type { AttemptOutcome } from '../../store/outbox/outbox.ts';

/** Carries its word through connectors and callbacks. */
export class AttemptFailure extends Error {
  readonly outcome: AttemptOutcome;

  constructor(outcome: AttemptOutcome) {
    super(outcome);
    this.name = 'AttemptFailure';
    this.outcome = outcome;
  }
}

/** The word for whatever undici rejected with. */
export const outcomeOfError = (error: unknown): AttemptOutcome => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AttemptFailure) return cause.outcome;
    if ('code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  }
  return 'connection-failed';
};
