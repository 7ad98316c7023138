// A field for an amount of SOL: exact text, with limits, errors and a confirmation for ambiguous input.
import { type ReactNode, useId } from 'react';
import { readSol } from '../../text/read-sol.ts';
import { classNames } from '../class-names.ts';
import styles from './amount-field.module.css';
import { Button } from './button.tsx';

/**
 * `hint` is shown below the field, or `problem` instead; `end` is next to the label. `labeledAs` is the id
 * of the input, for a caller that shows its own label.
 */
export const AmountField = ({
  label,
  labeledAs,
  value,
  onChange,
  hint,
  problem,
  end,
  action,
}: {
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  problem?: ReactNode;
  end?: ReactNode;
  action?: ReactNode;
} & ({ label: string; labeledAs?: never } | { label?: never; labeledAs: string })) => {
  const ownId = useId();
  const id = labeledAs ?? ownId;
  const { choices } = readSol(value);
  return (
    <div className={styles.field}>
      {label !== undefined && (
        <div className={styles.head}>
          <label htmlFor={id}>{label}</label>
          {end !== undefined && <span className={styles.end}>{end}</span>}
        </div>
      )}
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
          onChange={(event) => onChange(event.target.value)}
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
      {choices !== undefined && (
        <div className={styles.choices}>
          {choices.map((choice) => (
            <Button key={choice} size="s" onClick={() => onChange(choice)}>
              {choice} SOL
            </Button>
          ))}
        </div>
      )}
    </div>
  );
};
