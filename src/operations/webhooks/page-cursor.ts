// Encodes the start of the next page as opaque text, and refuses text that was not encoded here.
import { validationError } from '../../kernel/app-error.ts';

/** A position in a list: a timestamp, and an id to break ties. */
interface PagePlace {
  readonly atMs: number;
  readonly id: string;
}

/** Returns the `nextCursor` that continues after this entry. */
export const formatCursor = ({ atMs, id }: PagePlace): string =>
  Buffer.from(`${atMs}.${id}`).toString('base64url');

/**
 * Decodes a cursor; returns null if none was sent. Throws `AppError('VALIDATION_ERROR')` for text that is not
 * a cursor.
 */
export const parseCursor = (cursor: string | undefined): PagePlace | null => {
  if (cursor === undefined) return null;
  const [, atMs, id] =
    /^(\d{1,15})\.(\w{1,88})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (atMs === undefined || id === undefined)
    throw validationError([
      { path: 'cursor', code: 'invalid_cursor', message: 'This is not a cursor from an earlier page.' },
    ]);
  return { atMs: Number(atMs), id };
};
