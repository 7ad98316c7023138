// A card with an optional heading, a note and actions. Screen readers announce it by its heading.
import { type ReactNode, useId } from 'react';
import styles from './card.module.css';
import { classNames } from './class-names.ts';

interface CardProps {
  readonly title?: ReactNode;
  /** Name of the region if there is no title. */
  readonly label?: string;
  /** Small text below the title. */
  readonly note?: ReactNode;
  /** Actions at the end of the title line. */
  readonly actions?: ReactNode;
  readonly className?: string | undefined;
  /** True omits the inner padding, e.g. around a table. */
  readonly flush?: boolean;
  readonly children?: ReactNode;
}

/** Renders a card. With a title it is a region with that name. */
export const Card = ({ title, label, note, actions, className, flush = false, children }: CardProps) => {
  const id = useId();
  return (
    <section
      className={classNames(styles.card, flush && styles.flush, className)}
      {...(title === undefined ? { 'aria-label': label } : { 'aria-labelledby': id })}
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

/** Renders the heading of a view and a sentence below it. */
export const ViewHeading = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles.viewHeading}>
    <h1 tabIndex={-1}>{title}</h1>
    {children !== undefined && <p>{children}</p>}
  </div>
);
