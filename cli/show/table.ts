// Aligns columns at minimal width.

/** A column; numbers are right-aligned. */
interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** Cells of one row; `paint` colours a cell after its width is known. */
export type Row = readonly (string | { readonly text: string; readonly paint: (text: string) => string })[];

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Width of a text in terminal cells. Memos may use any script. */
const widthOf = (text: string): number => {
  let width = 0;
  for (const letter of text) width += /\p{M}/u.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
  return width;
};

const textOf = (cell: Row[number]): string => (typeof cell === 'string' ? cell : cell.text);

/**
 * Formats a table without trailing spaces, starting with the titles. Returns no lines if there are no rows.
 */
export const table = (columns: readonly Column[], rows: readonly Row[]): string[] => {
  if (rows.length === 0) return [];
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(textOf(row[at] ?? '')))),
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

/** Formats names and values in two columns. */
export const pairs = (entries: readonly (readonly [name: string, value: string] | null)[]): string[] => {
  const shown = entries.filter((entry) => entry !== null);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd());
};
