// A line of text to fill in, with its label, a hint or a problem under it, and room for a button beside it.
import { type ReactNode, useId } from 'react';
import styles from './text-field.module.css';

/** `problem` stands instead of `hint` and marks the field; `action` beside it. `mono` for addresses and the like. */
export const TextField = ({
  label,
  value,
  onChange,
  hint,
  problem,
  action,
  placeholder,
  mono = false,
  secret = false,
  inputMode,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  problem?: ReactNode;
  action?: ReactNode;
  placeholder?: string;
  mono?: boolean;
  secret?: boolean;
  /** The keyboard that a phone shows. */
  inputMode?: 'decimal' | 'url';
}) => {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.line}>
        <input
          id={id}
          className={mono ? styles.mono : undefined}
          type={secret ? 'password' : 'text'}
          inputMode={inputMode}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={value}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange(event.target.value)}
        />
        {action}
      </div>
      <p id={`${id}-hint`} role="status" className={problem ? styles.problem : styles.hint}>
        {problem || hint}
      </p>
    </div>
  );
};
