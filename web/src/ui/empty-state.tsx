// Placeholder for missing content: the reason and the next step.
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import { Icon, type IconName } from './icon.tsx';

/** `children` explain why content is missing; `action` is the next step. */
export const Empty = ({
  icon,
  title,
  action,
  children,
}: {
  icon: IconName;
  title: string;
  action?: ReactNode;
  children?: ReactNode;
}) => (
  <div className={styles.empty}>
    <span className={styles.icon}>
      <Icon name={icon} size={26} />
    </span>
    <h3>{title}</h3>
    {children !== undefined && <p>{children}</p>}
    {action !== undefined && <div className={styles.action}>{action}</div>}
  </div>
);
