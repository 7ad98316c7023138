// The frame of a dialog in which an amount is typed: title, form, and the button that opens the review.
import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';
import styles from './amount-dialog.module.css';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

/** `begin` starts the transaction; null while the amount is not valid. `next` says what happens afterwards. */
export const AmountDialog = ({
  title,
  review,
  begin,
  next,
  onClose,
  children,
}: {
  title: string;
  review: string;
  begin: (() => void) | null;
  next: string;
  onClose: () => void;
  children: ReactNode;
}) => {
  const submit = (): void => {
    if (begin === null) return;
    onClose();
    begin();
  };
  return (
    <Dialog
      title={title}
      size="s"
      place="side"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button kind="primary" disabled={begin === null} onClick={submit}>
            {review}
          </Button>
        </>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {children}
        <p className={styles.next}>{next}</p>
      </form>
    </Dialog>
  );
};
