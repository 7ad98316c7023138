// States that the bytes or text to be signed were checked in this browser.
import type { ReactNode } from 'react';
import styles from './checked-badge.module.css';
import { Icon } from './icon.tsx';

/** `children` describe the result. */
export const CheckedBadge = ({ children }: { children: ReactNode }) => (
  <p className={styles.badge} data-verified="true">
    <Icon name="shield" size={20} />
    <span>
      <strong>Checked in your browser</strong> {children}
    </span>
  </p>
);
