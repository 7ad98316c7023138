// A table that omits empty columns and shows only its first ten rows until the user asks for all.
import { useState } from 'react';
import { count } from '../text/format-figures.ts';
import { Button } from '../ui/controls/button.tsx';
import styles from './console.module.css';
import { type ConsoleColumn, ConsoleTable } from './console-table.tsx';

const SHOWN = 10;

/** A column, which is omitted if `isEmpty` is true for every row. */
export interface ShortColumn<Row> extends ConsoleColumn<Row> {
  readonly isEmpty?: (row: Row) => boolean;
}

/** Renders the table. The properties are those of `ConsoleTable`. */
export const ShortTable = <Row,>({
  columns,
  rows,
  ...rest
}: {
  caption: string;
  columns: readonly ShortColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}) => {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <ConsoleTable
        {...rest}
        columns={columns.filter(({ isEmpty }) => isEmpty === undefined || !rows.every(isEmpty))}
        rows={isWhole ? rows : rows.slice(0, SHOWN)}
      />
      {!isWhole && rows.length > SHOWN && (
        <div className={styles.more}>
          <Button size="s" onClick={() => setWhole(true)}>
            Show all {count(rows.length)}
          </Button>
        </div>
      )}
    </>
  );
};
