// The check result field by field, for users who want the details.
import type { TransactionVerdict } from '../../../client/staking/verify-against-request.ts';
import { foreignText } from '../text/foreign-text.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './review-dialog.module.css';

const NAMES: Readonly<Record<string, string>> = {
  feePayer: 'Who pays and signs',
  instructions: 'Instructions',
  signers: 'Signers',
  stakeAccount: 'Stake account',
  stakeAuthority: 'May unstake',
  withdrawAuthority: 'May withdraw',
  lockup: 'Lockup',
  validator: 'Delegated to',
  fundedBy: 'Funded by',
  recipient: 'Recipient',
  amount: 'Amount',
  memo: 'Memo',
  priorityFee: 'Priority fee',
};

/** Collapsed if everything is right. */
export const VerdictTable = ({ checked }: { checked: TransactionVerdict }) => (
  <details className={styles.details} open={!checked.ok}>
    <summary>
      <span>
        {checked.fields.length} checks of the transaction bytes
        {checked.ok ? '' : `, ${checked.fields.filter(({ ok }) => !ok).length} failed`}
      </span>
      <Icon name="down" size={16} />
    </summary>
    <ul className={styles.verdicts}>
      {checked.fields.map(({ field, ok, found, problem }) => (
        <li key={field} className={ok ? undefined : styles.wrong}>
          <Icon name={ok ? 'check' : 'close'} size={14} />
          <span className={styles.field}>
            {NAMES[field] ?? field}
            <span className="visually-hidden">{ok ? ': right' : ': wrong'}</span>
          </span>
          <span className={styles.found}>{problem ?? foreignText(found ?? 'none')}</span>
        </li>
      ))}
      {checked.recognised.extraInstructions.map(({ program, name, summary }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: instructions have no other name, and never move.
        <li key={at}>
          <Icon name="shield" size={14} />
          <span className={styles.field}>Also in it</span>
          <span className={styles.found}>{foreignText(`${program} ${name}: ${summary}`)}</span>
        </li>
      ))}
    </ul>
  </details>
);
