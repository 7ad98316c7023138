// A benchmark result: the measured value, its control in the same run, and the goal.

/** Row of the table that `npm run bench` prints. */
export interface BenchRow {
  readonly path: string;
  readonly control: string;
  /** Both values are medians, in `unit`. */
  readonly value: number;
  readonly controlValue: number;
  readonly unit: 'µs CPU' | 'µs' | 'ms' | 'MB' | 'calls';
  readonly goal: string;
  readonly met: boolean;
}

/** Returns the median of the values. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** Formats the rows as a Markdown table, including the ratio. */
export const asMarkdown = (rows: readonly BenchRow[]): string => {
  const lines = rows.map(
    (row) =>
      `| ${row.path} | ${figure(row.value)} ${row.unit} | ${row.control} | ${figure(row.controlValue)} ${row.unit} | ${(row.value / row.controlValue).toFixed(2)} | ${row.goal} | ${row.met ? 'yes' : '**no**'} |`,
  );
  return [
    '| path | measured | control | control measured | ratio | goal | met |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
};
