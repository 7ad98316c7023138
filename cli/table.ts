// Aligned columns: what people read down, in as much room as it needs.

/** A column; numbers stand on their right edge. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** Cells of one row; `paint` colours a cell after its width is known. */
export type Row = readonly (string | { readonly text: string; readonly paint: (text: string) => string })[];

const textOf = (cell: Row[number]): string => (typeof cell === 'string' ? cell : cell.text);

/** The lines of a table, without trailing spaces; the titles come first. Nothing for no rows. */
export const table = (columns: readonly Column[], rows: readonly Row[]): string[] => {
  if (rows.length === 0) return [];
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...rows.map((row) => textOf(row[at] ?? '').length)),
  );
  const line = (cells: Row): string =>
    columns
      .map(({ align }, at) => {
        const cell = cells[at] ?? '';
        const text = textOf(cell);
        const space = ' '.repeat(widths[at]! - text.length);
        const shown = typeof cell === 'string' ? text : cell.paint(text);
        return align === 'right' ? space + shown : shown + space;
      })
      .join('  ')
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map(line)];
};

/** Names and values in two columns. */
export const pairs = (entries: readonly (readonly [name: string, value: string] | null)[]): string[] => {
  const shown = entries.filter((entry) => entry !== null);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd());
};
