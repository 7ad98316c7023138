// The warnings of an answer, without duplicates.
import styles from './validator-view.module.css';

/** Renders nothing without warnings. */
export const Warnings = ({ warnings }: { warnings: readonly string[] | undefined }) =>
  warnings === undefined || warnings.length === 0 ? null : (
    <ul className={styles.warnings} aria-label="Limitations">
      {[...new Set(warnings)].map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
