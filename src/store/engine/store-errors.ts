// Maps every store failure to one of two codes. The engine's message stays in the cause, for logs.
import { AppError, isAppError } from '../../kernel/app-error.ts';

/**
 * Runs `work`. Converts every error to `STORE_UNAVAILABLE`: no connection, disk full, locked, damaged,
 * refused.
 */
export const withStoreErrors = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (cause) {
    throw isAppError(cause) ? cause : storeUnavailable(cause);
  }
};

/**
 * Like `withStoreErrors`, but a statement that a healthy store cannot execute becomes `UPSTREAM_UNAVAILABLE`
 * (502).
 */
export const guardedQuery = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw isQueryFailure(cause)
      ? new AppError('UPSTREAM_UNAVAILABLE', 'The store could not execute this query.', {
          reason: 'STORE_QUERY',
          cause,
        })
      : storeUnavailable(cause);
  }
};

export const storeUnavailable = (cause: unknown): AppError =>
  new AppError(
    'STORE_UNAVAILABLE',
    // The message does not say whether anything was sent, because the store may fail before or after a
    // broadcast.
    'The service cannot read or write its store right now.',
    {
      suggestedAction: 'Repeat the request with the same idempotency key in a few seconds.',
      retryAfterSeconds: 5,
      cause,
    },
  );

// SQLite error codes for a statement that does not match the schema or its values (SQLITE_ERROR, TOOBIG,
// CONSTRAINT, MISMATCH, RANGE).
const failedStatements: ReadonlySet<number> = new Set([1, 18, 19, 20, 25]);
// PostgreSQL error codes: cardinality, data, constraints, syntax and access rules, and a statement timeout.
const failedStates = /^(21|22|23|42|57014)/;

const isQueryFailure = (error: unknown): boolean => {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return failedStatements.has(errcode & 0xff);
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && failedStates.test(code);
};
