// A placeholder for loading content. Screen readers announce it once.

import { defineWords } from '../words/define-words.ts';
import { uiEnglish } from '../words/en/ui.ts';
import styles from './skeleton.module.css';

const { say } = defineWords('ui', uiEnglish);

/** Renders one bar. `width` and `height` are CSS lengths. */
export const Skeleton = ({ width = '100%', height = '1em' }: { width?: string; height?: string }) => (
  <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />
);

/** Renders several bars that look like text, announced as "Loading". */
export const SkeletonText = ({ lines = 3, what = say('loading') }: { lines?: number; what?: string }) => (
  <div className={styles.text} role="status">
    <span className="visually-hidden">{what}…</span>
    {Array.from({ length: lines }, (_, index) => (
      <Skeleton key={String(index)} width={index === lines - 1 ? '60%' : '100%'} />
    ))}
  </div>
);
