// A modal dialog: the browser's own, so that focus stays inside, Escape closes, and focus returns to where it came from.
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { Button } from './controls/button.tsx';
import styles from './dialog.module.css';

/** Shown while mounted. `onClose` is called by Escape, the close button and a click beside the dialog. */
export const Dialog = ({
  title,
  onClose,
  size = 'm',
  children,
  footer,
}: {
  title: string;
  onClose: () => void;
  size?: 's' | 'm';
  children: ReactNode;
  footer?: ReactNode;
}) => {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // A text that is selected to beyond the edge ends in a click on the dialog itself: only what also began there is one beside it.
  const beganBeside = useRef(false);
  // In the layout phase: it is closed while it still stands in the page, else the browser gives the focus back to nobody.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way to close it
    <dialog
      ref={ref}
      className={classNames(styles.dialog, styles[size])}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        beganBeside.current = event.target === ref.current;
      }}
      onClick={(event) => {
        if (event.target === ref.current && beganBeside.current) onClose();
      }}
    >
      <div className={styles.box}>
        <header className={styles.header}>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          <Button kind="quiet" size="s" icon="close" aria-label="Close" onClick={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
      </div>
    </dialog>
  );
};
