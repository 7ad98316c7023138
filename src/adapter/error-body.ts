// Turns any thrown value into the public error body without internals.
import { AppError } from '../kernel/app-error.ts';
import { type ErrorCode, type ErrorCodeFacts, errorCodes } from '../kernel/error-codes.ts';
import type { AnyOperation } from '../operations/operation.ts';
import type { Endpoint } from './describe-endpoint.ts';
import { buildMeta, type Meta, type MetaFacts } from './response-meta.ts';

/** The status and title that an operation uses for an error code. */
export interface ErrorPresentation {
  readonly status: number;
  readonly title: string;
}

/**
 * Returns the status and title of `code` for `operation`. The operation's own `presentation` takes
 * precedence. Otherwise the title is the operation's failure title, but only for codes that the operation
 * declares. Codes that any route can return (validation, rate limit, …) keep their own title.
 */
export const errorPresentation = (operation: AnyOperation | null, code: ErrorCode): ErrorPresentation => {
  const own = operation?.presentation?.[code];
  const facts: ErrorCodeFacts = errorCodes[code];
  const failureTitle =
    operation?.errors.includes(code) && !facts.keepsTitle ? operation.failureTitle : undefined;
  return {
    status: own?.status ?? facts.status,
    title: own?.title ?? failureTitle ?? facts.title,
  };
};

/** Path of the error guide, which explains every code and how to handle it. */
export const ERRORS_PATH = '/docs/guides/errors';

/** Anchor of a code in the error guide. */
export const errorAnchor = (code: ErrorCode): string => `error-${code}`;

/** An error response ready to be sent. */
interface ErrorResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;
}

const INTERNAL_MESSAGE =
  'Something failed inside the service. Quote the X-Request-Id header when you report it.';

/** Returns the error that the caller sees: the error itself, or `INTERNAL` for a bug. */
export const toAppError = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError('INTERNAL', INTERNAL_MESSAGE, { reason: 'FAULT', cause: error });

/**
 * Builds the error response of a failed call. If the path is unknown or has no operation, `endpoint` is null
 * and `place` describes the target.
 */
export const errorResponse = (
  error: AppError,
  endpoint: Endpoint | null,
  source: MetaFacts,
  nowMs: number,
  place: Partial<Meta> = {},
): ErrorResponse => {
  const { status, title } = errorPresentation(endpoint?.operation ?? null, error.code);
  const { reason, params, suggestedAction, details } = error;
  return {
    status,
    retryAfterSeconds: error.retryAfterSeconds,
    body: {
      error: title,
      message: error.message,
      errorCode: error.code,
      ...(reason === undefined ? {} : { reason }),
      ...(Object.keys(params).length === 0 ? {} : { params }),
      ...(suggestedAction === undefined ? {} : { suggestedAction }),
      ...(details === undefined ? {} : { details }),
      ...error.body,
      _meta: buildMeta(source, endpoint, nowMs, '', {
        documentation: `${new URL(ERRORS_PATH, source.documentationUrl)}#${errorAnchor(error.code)}`,
        ...place,
      }),
    },
  };
};
