// A banner above every view: the problem, and the button that fixes it.
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './alert-banner.module.css';

/** In `actions`, the button that fixes the problem comes first. */
export const AlertBanner = ({
  tone,
  title,
  actions,
  children,
}: {
  tone: 'bad' | 'warn';
  title: string;
  actions: ReactNode;
  children?: ReactNode;
}) => (
  <div className={classNames(styles.banner, tone === 'warn' && styles.warn)} role="alert" data-alert={tone}>
    <div className={styles.inner}>
      <Icon name="warning" size={22} />
      <div className={styles.text}>
        <strong>{title}</strong>
        {children !== undefined && <p>{children}</p>}
      </div>
      <div className={styles.actions}>{actions}</div>
    </div>
  </div>
);
