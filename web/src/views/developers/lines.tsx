// Lines to copy under a heading and a sentence.
import { CodeBlock } from '../../ui/code-block.tsx';
import styles from './developers-view.module.css';

/** `name` marks it for those who look for it. */
export const Lines = ({
  name,
  title,
  note,
  code,
}: {
  name: string;
  title: string;
  note: string;
  code: string;
}) => (
  <div className={styles.lines} data-lines={name}>
    <h3>{title}</h3>
    <p>{note}</p>
    <CodeBlock code={code} what={`lines: ${title}`} />
  </div>
);
