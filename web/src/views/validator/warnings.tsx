// What an answer says about its own gaps, in its own words, each said once.
import styles from './validator-view.module.css';

/** Nothing where there is none. */
export const Warnings = ({ warnings }: { warnings: readonly string[] | undefined }) =>
  warnings === undefined || warnings.length === 0 ? null : (
    <ul className={styles.warnings} aria-label="Limitations">
      {[...new Set(warnings)].map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
