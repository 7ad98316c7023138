// The one error of the client: what the service answered, or why there was no answer, with everything needed to repeat the call.
import { retryableCodes, type ServiceErrorCode } from './generated/error-codes.ts';
import type { ErrorBody } from './generated/shared-types.ts';

export type { ErrorBody, ServiceErrorCode };

/** Failures that are the client's own: the service never said them. */
export type ClientErrorCode =
  /** No answer came: no connection, or it broke. An acting call may nevertheless have been carried out. */
  | 'NETWORK'
  /** No answer came in time. An acting call may nevertheless have been carried out. */
  | 'TIMEOUT'
  /** The caller's signal aborted. */
  | 'ABORTED'
  /** Something answered, but not this service: no JSON, or no error body. */
  | 'BAD_ANSWER'
  /** A secret key would have gone over plain HTTP to another machine; nothing was sent. */
  | 'INSECURE_URL'
  /** A member that the path needs is missing, or an amount is none; nothing was sent. */
  | 'INVALID_INPUT';

/** Every code that the client can name. A newer service may answer with others: they stay as they are. */
export type HoldfastErrorCode = ServiceErrorCode | ClientErrorCode | (string & Record<never, never>);

/** The details of a failure. */
interface HoldfastErrorFacts {
  readonly errorCode: HoldfastErrorCode;
  readonly message: string;
  readonly operation: string;
  readonly status?: number | undefined;
  readonly suggestedAction?: string | undefined;
  readonly details?: ErrorBody['details'];
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** A call that failed. */
export class HoldfastError extends Error {
  override readonly name = 'HoldfastError';
  /** Of the service's list, or of the client's own (see `ClientErrorCode`). */
  readonly errorCode: HoldfastErrorCode;
  /** Name of the operation that was called. */
  readonly operation: string;
  /** HTTP status; undefined where nothing answered. */
  readonly status: number | undefined;
  readonly suggestedAction: string | undefined;
  /** Every issue, with `VALIDATION_ERROR`. */
  readonly details: ErrorBody['details'];
  /** Seconds after which a retry makes sense, where the service said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** The key under which the intent can be repeated without repeating its effect. */
  readonly idempotencyKey: string | undefined;
  /** The whole error body, members of single codes included; undefined where nothing answered. */
  readonly body: Readonly<Record<string, unknown>> | undefined;

  constructor(facts: HoldfastErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.errorCode = facts.errorCode;
    this.operation = facts.operation;
    this.status = facts.status;
    this.suggestedAction = facts.suggestedAction;
    this.details = facts.details;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.requestId = facts.requestId;
    this.idempotencyKey = facts.idempotencyKey;
    this.body = facts.body;
  }

  /** The same call may succeed later without any change; with the same idempotency key where it acts. */
  get retryable(): boolean {
    return (
      this.errorCode === 'NETWORK' ||
      this.errorCode === 'TIMEOUT' ||
      retryableCodes.has(this.errorCode) ||
      (this.errorCode === 'BAD_ANSWER' && this.status !== undefined && [502, 503, 504].includes(this.status))
    );
  }
}

/** True if `error` came from a client, with this code if one is given. */
export const isHoldfastError = (error: unknown, code?: HoldfastErrorCode): error is HoldfastError =>
  error instanceof HoldfastError && (code === undefined || error.errorCode === code);
