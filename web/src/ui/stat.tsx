// A figure with its name. Several figures form a definition list.
import type { ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';
import styles from './stat.module.css';

/** A container that places as many `Stat`s side by side as fit. */
export const Stats = ({ children }: { children: ReactNode }) => <dl className={styles.stats}>{children}</dl>;

/** `value` is undefined while loading. */
export const Stat = ({ label, value, note }: { label: ReactNode; value: ReactNode; note?: ReactNode }) => (
  <div className={styles.stat}>
    <dt>{label}</dt>
    <dd>
      <span className={styles.value}>{value === undefined ? <Skeleton width="5ch" /> : value}</span>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </dd>
  </div>
);

/** A line of a summary: name on the left, figure on the right. */
export const Row = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className={styles.row}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** A container for `Row`s. */
export const Rows = ({ children }: { children: ReactNode }) => <dl className={styles.rows}>{children}</dl>;
