// The figures of a chart as a table for screen readers, one row for each point that the chart draws.

export interface ChartTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Renders a table that is visually hidden but read by screen readers. */
export const SeriesTable = ({ caption, table }: { caption: string; table: ChartTable }) => (
  <div className="visually-hidden">
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {table.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows rounded to months may have the same text
          <tr key={at}>
            {row.map((cell, index) =>
              index === 0 ? (
                <th key={table.columns[index]} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={table.columns[index]}>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
