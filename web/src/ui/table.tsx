// A table with a caption for screen readers. On phones each row is a list of names and values.
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
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
    <table className={classNames(styles.table, styles.stacked)}>
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
            {columns.map(({ key, title, cell, numeric }) => (
              <td key={key} data-label={title} className={numeric === true ? styles.numeric : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
