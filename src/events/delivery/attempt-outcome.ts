// Maps the response of an attempt, or the error if there was none, to a fixed term for the delivery log. Text from
// the receiver is never stored.
import type { AttemptOutcome } from '../../store/outbox/outbox.ts';

/** An error whose outcome survives wrapping by connectors and callbacks. */
export class AttemptFailure extends Error {
  readonly outcome: AttemptOutcome;

  constructor(outcome: AttemptOutcome) {
    super(outcome);
    this.name = 'AttemptFailure';
    this.outcome = outcome;
  }
}

export const outcomeOfStatus = (status: number): AttemptOutcome => {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'refused-status';
};

/** Returns the outcome for an error from undici. */
export const outcomeOfError = (error: unknown): AttemptOutcome => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AttemptFailure) return cause.outcome;
    if ('code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  }
  return 'connection-failed';
};
