// Where the next page begins, as opaque text: what was listed last. Text that no page gave out is refused.
import { validationError } from '../../kernel/app-error.ts';

/** What a list is sorted by: a moment, and an id among those of the same moment. */
interface PagePlace {
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number;
  readonly id: string;
}

/** `nextCursor` behind the entry at `place`. */
export const formatCursor = ({ atMs, id }: PagePlace): string =>
  Buffer.from(`${atMs}.${id}`).toString('base64url');

/** The place that a cursor names; null without one. Throws `VALIDATION_ERROR` for text that no page gave out. */
export const parseCursor = (cursor: string | undefined): PagePlace | null => {
  if (cursor === undefined) return null;
  const [, atMs, id] =
    /^(\d{1,15})\.(\w{1,88})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (atMs === undefined || id === undefined)
    throw validationError([
      { path: 'cursor', code: 'custom', message: 'This is not a cursor from an earlier page.' },
    ]);
  return { atMs: Number(atMs), id };
};
