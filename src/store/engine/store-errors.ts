// Every failure of a store reaches callers as one of two codes; what the engine said stays in the cause, for logs.
import { AppError, isAppError } from '../../kernel/app-error.ts';

/** Runs `work`. Whatever it throws becomes `STORE_UNAVAILABLE`: no connection, disk full, locked, damaged, refused. */
export const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (cause) {
    throw isAppError(cause) ? cause : storeUnavailable(cause);
  }
};

/** Like `guarded`, but a statement that a healthy store could not carry out is `UPSTREAM_UNAVAILABLE` (502). */
export const guardedQuery = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw isQueryFailure(cause)
      ? new AppError('UPSTREAM_UNAVAILABLE', 'The store could not answer this query.', { cause })
      : storeUnavailable(cause);
  }
};

/** The store is away, whatever the reason. */
export const storeUnavailable = (cause: unknown): AppError =>
  new AppError(
    'STORE_UNAVAILABLE',
    // Nothing about what was sent: the store may fail before a broadcast as well as after it.
    'The service cannot read or write its store at the moment.',
    {
      suggestedAction: 'Repeat the request with the same idempotency key in a few seconds.',
      retryAfterSeconds: 5,
      cause,
    },
  );

// SQLite: a statement that is wrong for its schema or its values (SQLITE_ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE).
const failedStatements: ReadonlySet<number> = new Set([1, 18, 19, 20, 25]);
// PostgreSQL: cardinality, data, constraints, syntax and access rules, and a statement cancelled for taking too long.
const failedStates = /^(21|22|23|42|57014)/;

const isQueryFailure = (error: unknown): boolean => {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return failedStatements.has(errcode & 0xff);
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && failedStates.test(code);
};
