// The client's only error class. Describes the service's refusal or the missing response, and contains
// everything needed to repeat the call.
import { retryableCodes, type ServiceErrorCode } from './generated/error-codes.ts';
import type { ErrorBody } from './generated/shared-types.ts';

export type { ErrorBody, ServiceErrorCode };

/** Errors raised by the client itself; the service never sends these codes. */
export type ClientErrorCode =
  /**
   * No connection, or the connection broke before the response arrived. The call may have taken effect anyway.
   */
  | 'NETWORK'
  /** No response within the time limit. The call may have taken effect anyway. */
  | 'TIMEOUT'
  /** The caller's signal was aborted. */
  | 'ABORTED'
  /** The response is not from this service: not JSON, or no error body. */
  | 'BAD_ANSWER'
  /** A secret key would have been sent over plain HTTP to another machine; nothing was sent. */
  | 'INSECURE_URL'
  /** A required path parameter is missing, or an amount is invalid; nothing was sent. */
  | 'INVALID_INPUT';

/** Every code known to the client. Unknown codes of a newer service are passed through unchanged. */
export type HoldfastErrorCode = ServiceErrorCode | ClientErrorCode | (string & Record<never, never>);

/** Fields of a `HoldfastError`. */
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

export class HoldfastError extends Error {
  override readonly name = 'HoldfastError';
  /** One of the service's codes, or of the client's (see `ClientErrorCode`). */
  readonly errorCode: HoldfastErrorCode;
  readonly operation: string;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  readonly suggestedAction: string | undefined;
  /** All issues; present with `VALIDATION_ERROR`. */
  readonly details: ErrorBody['details'];
  /** Seconds to wait before a retry, if the service specified a delay. */
  readonly retryAfterSeconds: number | undefined;
  /** ID of the request in the service's logs. */
  readonly requestId: string | undefined;
  /** Idempotency key for repeating the call without repeating its effect. */
  readonly idempotencyKey: string | undefined;
  /** The complete error body, including fields that only some codes have; undefined without a response. */
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

  /** Distinguishes the messages of one `errorCode`. Codes and reasons are stable; texts may change. */
  get reason(): string | undefined {
    return this.body?.reason as string | undefined;
  }

  /** Parameters of `message` and `suggestedAction`, by name. */
  get params(): Readonly<Record<string, string | number>> {
    return (this.body?.params ?? {}) as Readonly<Record<string, string | number>>;
  }

  /**
   * True if the same call may succeed later. Repeat a call that changes something with the same idempotency
   * key.
   */
  get retryable(): boolean {
    return (
      this.errorCode === 'NETWORK' ||
      this.errorCode === 'TIMEOUT' ||
      retryableCodes.has(this.errorCode) ||
      (this.errorCode === 'BAD_ANSWER' && this.status !== undefined && [502, 503, 504].includes(this.status))
    );
  }
}

/** True if `error` is a client error and, if a code is given, has that code. */
export const isHoldfastError = (error: unknown, code?: HoldfastErrorCode): error is HoldfastError =>
  error instanceof HoldfastError && (code === undefined || error.errorCode === code);
