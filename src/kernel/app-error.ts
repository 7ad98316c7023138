// The one error class that crosses layers: a code from the vocabulary, a message for people, and members for the body.
import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { Guidance } from './guidance.ts';

/** One problem of a request: where, which rule, in words; never the value that broke it. */
export interface ValidationIssue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** What an error carries besides code and message. Everything here may be shown to the caller, so never a key or a URL. */
interface AppErrorOptions {
  /** What the caller can do next, in one sentence. */
  readonly suggestedAction?: Guidance;
  /** Members added to the error body as they are, for instance `currentState`, `epochTiming`, `signature`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Every issue of a refused input. */
  readonly details?: readonly ValidationIssue[];
  /** Whole seconds after which a retry makes sense; becomes the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** For logs only; never shown. */
  readonly cause?: unknown;
}

/** A failure that is reported to the caller. Anything else thrown is a bug and becomes `INTERNAL` without its text. */
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

/** True when `error` is an `AppError`, of the given code if one is named. */
export const isAppError = (error: unknown, code?: ErrorCode): error is AppError =>
  error instanceof AppError && (code === undefined || error.code === code);

/** A refused input: the message lists `path: issue` joined by `; `, as the interface promises. */
export const validationError = (details: readonly ValidationIssue[], suggestedAction?: Guidance): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    details.map((d) => (d.path ? `${d.path}: ${d.message}` : d.message)).join('; '),
    {
      details,
      ...(suggestedAction === undefined ? {} : { suggestedAction }),
    },
  );
