// The check result field by field, for users who want the details.
import type { TransactionVerdict } from '../../../client/staking/verify-against-request.ts';
import { foreignText } from '../text/foreign-text.ts';
import { sentenceText } from '../text/notice-text.ts';
import { Icon } from '../ui/icon.tsx';
import { defineWords } from '../words/define-words.ts';
import { reviewEnglish } from '../words/en/flow/review.ts';
import styles from './review-dialog.module.css';

const { say } = defineWords('review', reviewEnglish);

/** Fields of the check that have a name of their own in the catalogue. */
const NAMES = [
  'feePayer',
  'instructions',
  'signers',
  'stakeAccount',
  'stakeAuthority',
  'withdrawAuthority',
  'lockup',
  'validator',
  'fundedBy',
  'recipient',
  'amount',
  'memo',
  'priorityFee',
] as const;

const nameOf = (field: string): string => {
  const known = NAMES.find((one) => one === field);
  return known === undefined ? field : say(known);
};

/** Collapsed if everything is right. */
export const VerdictTable = ({ checked }: { checked: TransactionVerdict }) => (
  <details className={styles.details} open={!checked.ok}>
    <summary>
      <span>
        {checked.ok
          ? say('checks', { count: checked.fields.length })
          : say('checksFailed', {
              count: checked.fields.length,
              failed: checked.fields.filter(({ ok }) => !ok).length,
            })}
      </span>
      <Icon name="down" size={16} />
    </summary>
    <ul className={styles.verdicts}>
      {checked.fields.map(({ field, ok, found, problem }) => (
        <li key={field} className={ok ? undefined : styles.wrong}>
          <Icon name={ok ? 'check' : 'close'} size={14} />
          <span className={styles.field}>
            {nameOf(field)}
            <span className="visually-hidden">{say(ok ? 'right' : 'wrong')}</span>
          </span>
          <span className={styles.found}>{problem ?? foreignText(found ?? say('none'))}</span>
        </li>
      ))}
      {checked.recognised.extraInstructions.map(({ program, name, summary }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: instructions have no other name, and never move.
        <li key={at}>
          <Icon name="shield" size={14} />
          <span className={styles.field}>{say('alsoInIt')}</span>
          <span className={styles.found}>{foreignText(`${program} ${name}: ${sentenceText(summary)}`)}</span>
        </li>
      ))}
    </ul>
  </details>
);
