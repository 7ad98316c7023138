// Shows the check result field by field, for users who want the details.
import type { TransactionVerdict } from '../../../client/staking/verify-against-request.ts';
import type { FieldVerdict } from '../../../src/operations/verify/add-verifier-problems.ts';
import { foreignText } from '../text/foreign-text.ts';
import { verifierText } from '../text/notice-text.ts';
import { Icon } from '../ui/icon.tsx';
import { defineWords } from '../words/define-words.ts';
import { reviewEnglish } from '../words/en/flow/review.ts';
import styles from './review-dialog.module.css';

const { say } = defineWords('review', reviewEnglish);

/** Returns the problem in words, otherwise the value in the transaction. */
const foundText = ({ ok, found, problemSentences }: FieldVerdict): string =>
  !ok ? verifierText(problemSentences) : found === 'none' ? say('none') : foreignText(found ?? '');

/**
 * Shows the fields of the check, collapsed if all of them pass. Omits fields that the transaction lacks and
 * should lack.
 */
export const CheckResultTable = ({ checked }: { checked: TransactionVerdict }) => {
  const fields = checked.fields.filter(({ ok, found }) => !ok || found !== null);
  return (
    <details className={styles.details} open={!checked.ok}>
      <summary>
        <span>
          {checked.ok
            ? say('checksPassed', { count: fields.length })
            : say('checksFailed', {
                count: fields.length,
                failed: fields.filter(({ ok }) => !ok).length,
              })}
        </span>
        <Icon name="down" size={16} />
      </summary>
      <ul className={styles.results}>
        {fields.map((result) => (
          <li key={result.field} className={result.ok ? undefined : styles.wrong}>
            <Icon name={result.ok ? 'check' : 'close'} size={14} />
            <span className={styles.field}>
              {say(result.field)}
              {!result.ok && <span className="visually-hidden">{say('wrong')}</span>}
            </span>
            <span className={styles.found}>{foundText(result)}</span>
          </li>
        ))}
        {checked.recognized.extraInstructions.map(({ program, name, summarySentences }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: instructions have no other name, and never move.
          <li key={at}>
            <Icon name="shield" size={14} />
            <span className={styles.field}>{say('alsoInIt')}</span>
            <span className={styles.found}>
              {foreignText(`${program} ${name}: ${verifierText(summarySentences)}`)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
};
