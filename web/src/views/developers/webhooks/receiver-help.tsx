// A local receiver for the sandbox: the command that starts it, and a button that fills in its address.

import { CodeBlock } from '../../../ui/code-block.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { webhooksEnglish } from '../../../words/en/developers/webhooks.ts';
import { RECEIVER_PORT, receiverCommand } from '../agent-instructions.ts';
import styles from '../developers-view.module.css';

const { say } = defineWords('webhooks', webhooksEnglish);

/** URL of the receiver that the help starts. */
export const RECEIVER_URL = `http://127.0.0.1:${RECEIVER_PORT}/`;

/** `onUse` fills in the receiver's URL. */
export const ReceiverHelp = ({ onUse }: { onUse: () => void }) => (
  <details className={styles.details}>
    <summary>{say('noReceiver')}</summary>
    <p>{say('noReceiverText')}</p>
    <CodeBlock code={receiverCommand} what={say('receiverCommand')} />
    <Button size="s" onClick={onUse}>
      {say('useThisAddress')}
    </Button>
  </details>
);
