// Errors of the staking flow: declined, not as requested, stopped halfway, expired, or outcome unknown.
import { HoldfastError, isHoldfastError } from '../holdfast-error.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import type { Prepared } from './prepared-transaction.ts';
import type { SubmitAnswer } from './staking-request.ts';
import type { TransactionVerdict } from './verify-against-request.ts';

export interface LandedTransaction {
  readonly record: TransactionRecord;
  readonly response: SubmitAnswer;
}

/** Thrown if the user declined. Nothing was signed. */
export class Declined extends Error {
  override readonly name = 'Declined';
  /** Private, so that `console.log` does not print the transactions. */
  readonly #prepared: Prepared;

  constructor(message: string, prepared: Prepared) {
    super(message);
    this.#prepared = prepared;
  }

  /** The transactions that the user declined. */
  get prepared(): Prepared {
    return this.#prepared;
  }
}

/** Thrown if the transaction has effects other than those requested, or additional ones. */
export class NotAsAsked extends Error {
  override readonly name = 'NotAsAsked';
  /** Source of the transaction: the service that built it, or the wallet that returned it. */
  readonly from: 'service' | 'signer';
  /** Empty if the bytes are not a transaction. */
  readonly fields: TransactionVerdict['fields'];

  constructor(message: string, from: NotAsAsked['from'], fields: TransactionVerdict['fields'] = []) {
    super(message);
    this.from = from;
    this.fields = fields;
  }
}

/** Thrown if the wallet returned the transaction unsigned. */
export class SignatureMissing extends Error {
  override readonly name = 'SignatureMissing';
}

/**
 * Thrown if some transactions of a plan landed and the rest did not. `cause` is the reason; undefined after a
 * reload or a restart between two transactions.
 */
export class StoppedHalfway extends Error {
  override readonly name = 'StoppedHalfway';
  /** Transactions that landed in this run. */
  readonly landed: readonly LandedTransaction[];
  /** Number of landed transactions of the plan, including those of earlier runs. */
  readonly count: number;

  constructor(landed: readonly LandedTransaction[], count: number, cause?: unknown) {
    const last = landed.at(-1);
    const which = last === undefined ? '' : ` (the last: ${last.response.signature})`;
    const why = cause === undefined ? '' : ` ${cause instanceof Error ? cause.message : String(cause)}`;
    super(
      `${count} transaction${count === 1 ? '' : 's'} of the plan landed${which}. No others were sent.${why}`,
      { cause },
    );
    this.landed = landed;
    this.count = count;
  }
}

/** Creates the error for a transaction that can no longer land. */
export const expiredError = (message: string): HoldfastError =>
  new HoldfastError({ errorCode: 'BLOCKHASH_EXPIRED', operation: 'submitTransaction', message });

export const interruptedError = (): HoldfastError =>
  new HoldfastError({ errorCode: 'ABORTED', operation: 'submitTransaction', message: 'Interrupted.' });

/** Title of the error for an unknown outcome, whatever the title of its cause. */
export const OUTCOME_UNKNOWN = 'Outcome unknown';

/**
 * Creates the error for an unknown outcome, with a hint on how to find out. `error` is undefined if the wait
 * was interrupted.
 */
export const unresolvedError = (
  error: unknown,
  { signature, idempotencyKey }: TransactionRecord,
): unknown => {
  const failure = error ?? interruptedError();
  if (!isHoldfastError(failure)) return failure;
  const { errorCode, message, operation, status, retryAfterSeconds, requestId } = failure;
  const suggestedAction = `The transaction was signed and may still land. Check it with holdfast verify ${signature}, or repeat the request with its idempotency key ${idempotencyKey}, which is safe.`;
  return new HoldfastError({
    errorCode,
    message,
    operation,
    status,
    retryAfterSeconds,
    requestId,
    suggestedAction,
    idempotencyKey,
    body: {
      ...failure.body,
      error: OUTCOME_UNKNOWN,
      errorCode,
      message,
      suggestedAction,
      signature,
      idempotencyKey,
    },
    cause: failure,
  });
};
