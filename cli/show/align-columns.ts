// Aligns columns at minimal width.
import { wrapText } from './wrap-text.ts';

/** A table column. Numeric columns are right-aligned. */
interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Maximum width. Wider cells continue on the next line. Default: no limit. */
  readonly wrapAt?: number;
  /** Shortens the cells of the column if the table is too wide otherwise. */
  readonly shorten?: (text: string) => string;
}

/** Cells of one row. `paint` colors a cell once its width is known. */
export type Row = readonly (string | { readonly text: string; readonly paint: (text: string) => string })[];

/** Minimum width of the values. Narrower terminals break the lines themselves. */
const MIN_VALUE_WIDTH = 20;

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/**
 * Width of a text in terminal cells. It differs from the number of characters, because memos may use any
 * script.
 */
const widthOf = (text: string): number => {
  let width = 0;
  for (const letter of text) width += /\p{M}/u.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
  return width;
};

const textOf = (cell: Row[number]): string => (typeof cell === 'string' ? cell : cell.text);

/** Breaks the cells of wrapped columns into further rows. */
const wrapRow = (columns: readonly Column[], row: Row): Row[] => {
  const lines = columns.map(({ wrapAt }, at) => {
    const cell = row[at] ?? '';
    return wrapAt === undefined || typeof cell !== 'string' ? [cell] : wrapText(cell, wrapAt);
  });
  const height = Math.max(...lines.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => lines.map((cell) => cell[line] ?? ''));
};

/**
 * Formats a table without trailing spaces, starting with the titles. Returns no lines if there are no rows.
 * Columns with `shorten` become narrower if the table is wider than `maxWidth`. Default: no limit.
 */
export const formatTable = (
  columns: readonly Column[],
  given: readonly Row[],
  maxWidth = Number.POSITIVE_INFINITY,
): string[] => {
  if (given.length === 0) return [];
  const rows = given.flatMap((row) => wrapRow(columns, row));
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(textOf(row[at] ?? '')))),
  );
  const width = widths.reduce((sum, one) => sum + one + 2, -2);
  if (width > maxWidth)
    return formatTable(
      columns.map(({ shorten: _, ...column }) => column),
      given.map((row) =>
        row.map((cell, at) => {
          const shorten = columns[at]?.shorten;
          return shorten !== undefined && typeof cell === 'string' ? shorten(cell) : cell;
        }),
      ),
    );
  const line = (cells: Row): string =>
    columns
      .map(({ align }, at) => {
        const cell = cells[at] ?? '';
        const text = textOf(cell);
        const space = ' '.repeat(widths[at]! - widthOf(text));
        const shown = typeof cell === 'string' ? text : cell.paint(text);
        return align === 'right' ? space + shown : shown + space;
      })
      .join('  ')
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map(line)];
};

/** Formats names and values in two columns. Long values continue on the next line to fit `columns`. Default: no limit. */
export const formatPairs = (
  entries: readonly (readonly [name: string, value: string] | null)[],
  columns = Number.POSITIVE_INFINITY,
): string[] => {
  const shown = entries.filter((entry) => entry !== null);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.flatMap(([name, value]) =>
    wrapText(value, Math.max(MIN_VALUE_WIDTH, columns - width - 2)).map((line, at) =>
      `${(at === 0 ? name : '').padEnd(width)}  ${line}`.trimEnd(),
    ),
  );
};
