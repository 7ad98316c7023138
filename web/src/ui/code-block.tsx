// Lines to copy: scrolls sideways by keyboard too, with the copy button where the eye ends.
import styles from './code-block.module.css';
import { CopyButton } from './controls/copy-button.tsx';

/** `what` names the lines: "curl command". */
export const CodeBlock = ({ code, what }: { code: string; what: string }) => (
  <div className={styles.block}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
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
