// A table that becomes a list of compact rows where it does not fit. Each row starts with the subject and its
// figure. The other columns follow with their names.
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import base from '../ui/table.module.css';
import type { Column } from '../ui/table.tsx';
import styles from './console-table.module.css';

/** A column. */
export interface ConsoleColumn<Row> extends Column<Row> {
  /** Place in a compact row: `subject` on the left, `figure` on the right, both without the column's name. */
  readonly place?: 'subject' | 'figure';
}

/** Renders the scrolling frame of a table; `caption` names it. */
export const TableFrame = ({ caption, children }: { caption: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
  <section className={classNames(base.scroll, styles.frame)} aria-label={caption} tabIndex={0}>
    <table className={classNames(base.table, styles.table)}>
      <caption className="visually-hidden">{caption}</caption>
      {children}
    </table>
  </section>
);

/** Renders a table. `caption` is for screen readers only. */
export const ConsoleTable = <Row,>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  caption: string;
  columns: readonly ConsoleColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}) => (
  <TableFrame caption={caption}>
    <thead>
      <tr>
        {columns.map(({ key, title, numeric }) => (
          <th key={key} scope="col" className={classNames(numeric && base.numeric)}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={rowKey(row)}>
          {columns.map(({ key, title, cell, numeric, place }) => (
            <td
              key={key}
              data-label={title}
              className={classNames(numeric && base.numeric, place && styles[place])}
            >
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </TableFrame>
);
