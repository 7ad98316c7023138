// Lines to copy, with keyboard scrolling and a copy button at the end.
import styles from './code-block.module.css';
import { CopyButton } from './controls/copy-button.tsx';

/** `what` describes the lines, e.g. "curl command". */
export const CodeBlock = ({ code, what }: { code: string; what: string }) => (
  <div className={styles.block}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
    <section tabIndex={0} aria-label={what} className={styles.scroll}>
      <pre>
        <code>{code}</code>
      </pre>
    </section>
    <div className={styles.copy}>
      <CopyButton text={code} what={what} />
    </div>
  </div>
);
