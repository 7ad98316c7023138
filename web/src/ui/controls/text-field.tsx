// A text field with a label, a hint or problem below, and room for a button.
import { type ReactNode, useId } from 'react';
import styles from './text-field.module.css';

/** `problem` replaces `hint` and marks the field; `action` is next to it. Use `mono` for addresses. */
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
  /** Keyboard shown on a phone. */
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
