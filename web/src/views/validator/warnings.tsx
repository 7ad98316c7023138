// The warnings of an answer, without duplicates.
import { sentenceText } from '../../text/notice-text.ts';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import styles from './validator-view.module.css';

const { say } = defineWords('validator', validatorEnglish);

/** Renders nothing without warnings. */
export const Warnings = ({ warnings }: { warnings: readonly string[] | undefined }) =>
  warnings === undefined || warnings.length === 0 ? null : (
    <ul className={styles.warnings} aria-label={say('limitations')}>
      {[...new Set(warnings)].map((warning) => (
        <li key={warning}>{sentenceText(warning)}</li>
      ))}
    </ul>
  );
