// Copies a text and confirms it visually and for screen readers.
import { useEffect, useRef, useState } from 'react';
import { defineWords } from '../../words/define-words.ts';
import { uiEnglish } from '../../words/en/ui.ts';
import { Icon } from '../icon.tsx';
import styles from './copy-button.module.css';

const { say } = defineWords('ui', uiEnglish);

const SHOWN_MS = 1_600;

/** `what` completes "Copy …". `label` is shown next to the icon. */
export const CopyButton = ({ text, what, label }: { text: string; what: string; label?: string }) => {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = (): void => {
    const settle = (next: 'copied' | 'failed'): void => {
      setState(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setState('idle'), SHOWN_MS);
    };
    // The clipboard is missing if the page was loaded over plain HTTP from another machine.
    if (navigator.clipboard === undefined) settle('failed');
    else
      navigator.clipboard.writeText(text).then(
        () => settle('copied'),
        () => settle('failed'),
      );
  };
  return (
    <button type="button" className={styles.copy} onClick={copy} aria-label={say('copy', { what })}>
      <Icon name={state === 'copied' ? 'check' : state === 'failed' ? 'close' : 'copy'} size={14} />
      {label !== undefined && <span aria-hidden="true">{state === 'copied' ? say('copied') : label}</span>}
      <span role="status" className="visually-hidden">
        {state === 'idle' ? '' : say(state === 'copied' ? 'copied' : 'copyBlocked')}
      </span>
    </button>
  );
};
