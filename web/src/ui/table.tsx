// A table that scrolls sideways on phones and has a caption for screen readers.
import type { ReactNode } from 'react';
import styles from './table.module.css';

/** One column; `key` is unique in the table. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** True for numbers, which are right-aligned. */
  readonly numeric?: boolean;
}

/** `caption` is for screen readers only. */
export const Table = <Row,>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
  <section className={styles.scroll} aria-label={caption} tabIndex={0}>
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ key, title, numeric }) => (
            <th key={key} scope="col" className={numeric === true ? styles.numeric : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, cell, numeric }) => (
              <td key={key} className={numeric === true ? styles.numeric : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
