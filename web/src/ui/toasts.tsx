// Shows temporary messages in a corner and announces them. They stay while hovered or focused.
import { useEffect, useState } from 'react';
import { useStore } from '../state/create-store.ts';
import { dismissToast, type Toast, toasts } from '../state/toast-store.ts';
import { defineWords } from '../words/define-words.ts';
import { uiEnglish } from '../words/en/ui.ts';
import { classNames } from './class-names.ts';
import { Button } from './controls/button.tsx';
import { Icon } from './icon.tsx';
import styles from './toasts.module.css';

const { say } = defineWords('ui', uiEnglish);

const SHOWN_MS = 6_000;

const OneToast = ({ toast }: { toast: Toast }) => {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissToast(toast.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, toast.id]);
  return (
    <li
      className={classNames(styles.toast, styles[toast.tone])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={styles.icon}>
        <Icon name={toast.tone === 'good' ? 'check' : toast.tone === 'info' ? 'info' : 'warning'} />
      </span>
      <div className={styles.text}>
        <strong>{toast.title}</strong>
        {toast.detail !== undefined && <p>{toast.detail}</p>}
      </div>
      <Button
        kind="quiet"
        size="s"
        icon="close"
        aria-label={say('dismiss')}
        onClick={() => dismissToast(toast.id)}
      />
    </li>
  );
};

export const Toasts = () => {
  const shown = useStore(toasts);
  return (
    <section aria-label={say('messages')} aria-live="polite" className={styles.area}>
      <ul>
        {shown.map((toast) => (
          <OneToast key={toast.id} toast={toast} />
        ))}
      </ul>
    </section>
  );
};
