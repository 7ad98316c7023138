// A progress bar with a name and a value in words.
import styles from './meter.module.css';

/** `share` is from 0 to 1. Screen readers read `text` instead of the number. */
export const Meter = ({ label, share, text }: { label: string; share: number; text: string }) => (
  <div
    className={styles.meter}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(share * 100)}
    aria-valuetext={text}
  >
    <span style={{ inlineSize: `${Math.min(100, Math.max(0, share * 100))}%` }} />
  </div>
);
