// A local receiver for the sandbox: the command that starts it, and a button that fills in its address.

import { CodeBlock } from '../../../ui/code-block.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { RECEIVER_PORT, receiverLine } from '../agent-lines.ts';
import styles from '../developers-view.module.css';

/** Address of the receiver. */
export const RECEIVER_URL = `http://127.0.0.1:${RECEIVER_PORT}/`;

/** `onUse` fills in its address. */
export const ReceiverHelp = ({ onUse }: { onUse: () => void }) => (
  <details className={styles.details}>
    <summary>No receiver yet?</summary>
    <p>
      In the sandbox, a local one will do. This line starts one that prints what it receives. It does not
      verify signatures; a real receiver must (see the documentation).
    </p>
    <CodeBlock code={receiverLine} what="receiver command" />
    <Button size="s" onClick={onUse}>
      Use this address
    </Button>
  </details>
);
