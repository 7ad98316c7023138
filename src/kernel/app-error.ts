// The error class used across layers: a code, a message for people, and members for the body.
import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { Guidance } from './guidance.ts';

/** One problem of a request: the path, the rule, a sentence; never the offending value. */
export interface ValidationIssue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Details in addition to code and message. All of them except `cause` may be shown to the caller, so never a key or a URL. */
interface AppErrorOptions {
  /** The caller's next action, in one sentence. */
  readonly suggestedAction?: Guidance;
  /** Members added to the error body unchanged, for instance `currentState`, `epochTiming`, `signature`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Every issue of a refused input. */
  readonly details?: readonly ValidationIssue[];
  /** Whole seconds after which a retry makes sense; becomes the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** For logs only; never shown. */
  readonly cause?: unknown;
}

/** A failure reported to the caller. Any other thrown error is a bug and becomes `INTERNAL` without its message. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly suggestedAction: Guidance | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly details: readonly ValidationIssue[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.suggestedAction = options.suggestedAction;
    this.body = options.body ?? {};
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** True when the same request may succeed later unchanged. */
  get retryable(): boolean {
    return errorCodes[this.code].retryable;
  }
}

/** True when `error` is an `AppError`, and has `code` if it is given. */
export const isAppError = (error: unknown, code?: ErrorCode): error is AppError =>
  error instanceof AppError && (code === undefined || error.code === code);

/** A refused input: the message lists `path: issue` joined by `; `, as the API defines. */
export const validationError = (details: readonly ValidationIssue[], suggestedAction?: Guidance): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    details.map((d) => (d.path ? `${d.path}: ${d.message}` : d.message)).join('; '),
    {
      details,
      ...(suggestedAction === undefined ? {} : { suggestedAction }),
    },
  );
