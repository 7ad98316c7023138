// Encodes the end of a history page as text that is opaque to callers.
import { validationError } from '../kernel/app-error.ts';
import { BASE58_CHARACTER } from '../kernel/base58.ts';

/** Maximum number of entries per page. */
export const MAX_HISTORY_PAGE = 200;

/** The last entry of a page. */
interface HistoryPosition {
  readonly slot: bigint;
  readonly signature: string;
}

/** Returns the cursor for the page that follows `position`. */
export const formatCursor = ({ slot, signature }: HistoryPosition): string =>
  Buffer.from(`${slot}.${signature}`).toString('base64url');

const CURSOR = new RegExp(`^(\\d{1,18})\\.(${BASE58_CHARACTER}{1,88})$`);

/** Returns the position in a cursor. Throws `AppError('VALIDATION_ERROR')` for other text. */
export const parseCursor = (cursor: string): HistoryPosition => {
  const [, slot, signature] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (slot === undefined || signature === undefined)
    throw validationError([
      { path: 'cursor', code: 'invalid_cursor', message: 'This is not a cursor from an earlier page.' },
    ]);
  return { slot: BigInt(slot), signature };
};

/** Throws `AppError('VALIDATION_ERROR')` unless `limit` is a whole number from 1 to 200. */
export const requirePageSize = (limit: number): void => {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_HISTORY_PAGE) return;
  throw validationError([
    {
      path: 'limit',
      code: 'out_of_range',
      message: `A whole number from 1 to ${MAX_HISTORY_PAGE}.`,
      params: { minimum: 1, maximum: MAX_HISTORY_PAGE },
    },
  ]);
};
