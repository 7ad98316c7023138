// Says that what is about to be signed was checked here, on the bytes or the text itself.
import type { ReactNode } from 'react';
import styles from './checked-badge.module.css';
import { Icon } from './icon.tsx';

/** `children` say what was found. */
export const CheckedBadge = ({ children }: { children: ReactNode }) => (
  <p className={styles.badge} data-verified="true">
    <Icon name="shield" size={20} />
    <span>
      <strong>Checked in your browser</strong> {children}
    </span>
  </p>
);
