// An amount of SOL: typed exactly, kept as text so that no lamport is lost, with its limits and mistakes in words beside it.
import { type ReactNode, useId } from 'react';
import styles from './amount-field.module.css';
import { classNames } from './class-names.ts';
import { typedSol } from './read-sol.ts';

/** `hint` stands under the field, `problem` instead of it; `end` beside the label. */
export const AmountField = ({
  label,
  value,
  onChange,
  hint,
  problem,
  end,
  action,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  problem?: ReactNode;
  end?: ReactNode;
  action?: ReactNode;
}) => {
  const id = useId();
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {end !== undefined && <span className={styles.end}>{end}</span>}
      </div>
      <div className={classNames(styles.box, Boolean(problem) && styles.wrong)}>
        <input
          id={id}
          className={styles.input}
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          placeholder="0"
          value={value}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange(typedSol(event.target.value))}
        />
        <span className={styles.unit}>SOL</span>
        {action}
      </div>
      <p
        id={`${id}-hint`}
        className={classNames(styles.hint, Boolean(problem) && styles.problem)}
        aria-live="polite"
      >
        {problem || hint}
      </p>
    </div>
  );
};
