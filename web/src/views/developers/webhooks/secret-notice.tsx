// Shows a new secret once. Hiding it is final.

import { useStore } from '../../../state/create-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from '../developers-view.module.css';
import { heldSecrets, keepSecrets, type NewSecret } from './webhook-secrets.ts';

/** `what` names its owner. The tab keeps using it after `onHide`. */
export const SecretNotice = ({
  what,
  made,
  onHide,
}: {
  what: 'webhook' | 'callback';
  made: NewSecret;
  onHide: () => void;
}) => {
  const { isStored } = useStore(heldSecrets);
  return (
    <Notice tone="warn" title="Save this secret now. It is shown only once.">
      <div className={styles.secret}>
        <p>
          It verifies deliveries and proves that the {what} is yours. Anyone who has it can manage the {what}.
        </p>
        <p className={styles.secretLine}>
          <code data-secret={made.id}>{made.secret}</code>
          <CopyButton text={made.secret} what="secret" label="Copy" />
        </p>
        <label className={styles.check}>
          <input type="checkbox" checked={isStored} onChange={(event) => keepSecrets(event.target.checked)} />
          <span>Keep it in this tab across reloads. Otherwise it is gone when you leave the page.</span>
        </label>
        <div>
          <Button size="s" onClick={onHide}>
            I have it
          </Button>
        </div>
      </div>
    </Notice>
  );
};
