// A modal dialog, based on the browser's `<dialog>`, so focus stays inside, Escape closes it, and focus returns
// afterwards.
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { openEntry } from '../state/dialog-entry.ts';
import { defineWords } from '../words/define-words.ts';
import { uiEnglish } from '../words/en/ui.ts';
import { classNames } from './class-names.ts';
import { Button } from './controls/button.tsx';
import styles from './dialog.module.css';

const { say } = defineWords('ui', uiEnglish);

/** Open while mounted. Escape, Back, the close button and a click outside call `onClose`. */
export const Dialog = ({
  title,
  onClose,
  size = 'm',
  place = 'center',
  children,
  footer,
}: {
  title: string;
  onClose: () => void;
  size?: 's' | 'm';
  /** `side` shows a sheet of full height at the right edge of the screen. */
  place?: 'center' | 'side';
  children: ReactNode;
  footer?: ReactNode;
}) => {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // A text selection that ends outside causes a click on the dialog element. A click counts as outside only if
  // it also started there.
  const beganOutside = useRef(false);
  const close = useRef(onClose);
  close.current = onClose;
  // Closes in the layout phase, while the dialog is still in the document. Otherwise the browser could not
  // return the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    dialog.showModal();
    const closeEntry = openEntry(() => close.current());
    return () => {
      closeEntry();
      dialog.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard
    <dialog
      ref={ref}
      className={classNames(styles.dialog, styles[size], place === 'side' && styles.side)}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        beganOutside.current = event.target === ref.current;
      }}
      onClick={(event) => {
        if (event.target === ref.current && beganOutside.current) onClose();
      }}
    >
      <div className={styles.box}>
        <header className={styles.header}>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          <Button kind="quiet" size="s" icon="close" aria-label={say('close')} onClick={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
      </div>
    </dialog>
  );
};
