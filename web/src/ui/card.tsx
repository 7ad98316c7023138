// A card: one subject, with an optional heading, a note beside it and actions; sections are announced by their heading.
import { type ReactNode, useId } from 'react';
import styles from './card.module.css';
import { classNames } from './class-names.ts';

/** What a card shows. */
interface CardProps {
  readonly title?: ReactNode;
  /** Small text under the title. */
  readonly note?: ReactNode;
  /** Beside the title, at its end. */
  readonly actions?: ReactNode;
  readonly className?: string | undefined;
  /** Without inner padding, e.g. around a table. */
  readonly flush?: boolean;
  readonly children?: ReactNode;
}

/** A card. With a title it is a region of that name. */
export const Card = ({ title, note, actions, className, flush = false, children }: CardProps) => {
  const id = useId();
  return (
    <section
      className={classNames(styles.card, flush && styles.flush, className)}
      {...(title === undefined ? {} : { 'aria-labelledby': id })}
    >
      {title !== undefined && (
        <header className={styles.header}>
          <div>
            <h2 id={id}>{title}</h2>
            {note !== undefined && <p className={styles.note}>{note}</p>}
          </div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
};

/** The heading of a view with a sentence under it. */
export const ViewHeading = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles.viewHeading}>
    <h1 tabIndex={-1}>{title}</h1>
    {children !== undefined && <p>{children}</p>}
  </div>
);
