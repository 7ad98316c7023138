// The notices of a response about missing or limited figures, without duplicates.
import type { Notice } from '../../../../client/generated/shared-types.ts';
import { useUnsaid } from '../../state/alert-above.ts';
import { noticeText } from '../../text/notice-text.ts';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import styles from './validator-view.module.css';

const { say } = defineWords('validator', validatorEnglish);

/** Renders only notices that are not already shown above the view, and nothing without any. */
export const Warnings = ({ notices = [] }: { notices: readonly Notice[] | undefined }) => {
  const unsaid = useUnsaid(notices);
  return unsaid.length === 0 ? null : (
    <ul className={styles.warnings} aria-label={say('limitations')}>
      {[...new Map(unsaid.map((one) => [one.text, one])).values()].map((one) => (
        <li key={one.text}>{noticeText(one)}</li>
      ))}
    </ul>
  );
};
