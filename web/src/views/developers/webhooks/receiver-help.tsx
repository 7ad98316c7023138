// A receiver on one's own machine, for the sandbox: the line that starts it, and its address in the field.
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { RECEIVER_PORT, receiverLine } from '../agent-lines.ts';
import styles from '../developers-view.module.css';

/** Where it listens. */
export const RECEIVER_URL = `http://127.0.0.1:${RECEIVER_PORT}/`;

/** `onUse` puts its address into the field. */
export const ReceiverHelp = ({ onUse }: { onUse: () => void }) => (
  <details className={styles.details}>
    <summary>No receiver at hand?</summary>
    <p>
      In the sandbox one on this machine will do. This line starts one that prints what comes; it verifies
      nothing (a real one must: see the documentation).
    </p>
    <CodeBlock code={receiverLine} what="line that starts a receiver" />
    <Button size="s" onClick={onUse}>
      Use its address
    </Button>
  </details>
);
