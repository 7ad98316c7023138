// States that the bytes or text to be signed were checked in this browser.
import type { ReactNode } from 'react';
import { defineWords } from '../words/define-words.ts';
import { uiEnglish } from '../words/en/ui.ts';
import styles from './checked-badge.module.css';
import { Icon } from './icon.tsx';

const { say } = defineWords('ui', uiEnglish);

/** `children` describe the result. */
export const CheckedBadge = ({ children }: { children: ReactNode }) => (
  <p className={styles.badge} data-verified="true">
    <Icon name="shield" size={20} />
    <span>
      <strong>{say('checkedInBrowser')}</strong> {children}
    </span>
  </p>
);
