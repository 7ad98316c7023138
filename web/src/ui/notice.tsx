// An inline message: what happened, and what to do.
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';

const ICONS = { info: 'info', good: 'check', warn: 'warning', bad: 'warning' } as const;

/** `bad` interrupts screen readers; other kinds do not. `actions` are buttons at the end. */
export const Notice = ({
  tone = 'info',
  title,
  actions,
  children,
}: {
  tone?: keyof typeof ICONS;
  title?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) => (
  <div className={classNames(styles.notice, styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
    <span className={styles.icon}>
      <Icon name={ICONS[tone]} size={18} />
    </span>
    <div className={styles.text}>
      {title !== undefined && <strong>{title}</strong>}
      {children !== undefined && <div>{children}</div>}
    </div>
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
  </div>
);
