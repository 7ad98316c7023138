// Shows a new secret once, to be copied; what hides it cannot bring it back.
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useStore } from '../../../ui/store.ts';
import styles from '../developers-view.module.css';
import { heldSecrets, keepSecrets, type NewSecret } from './secrets.ts';

/** `what` is whose it is. The tab goes on using it after `onHide`. */
export const SecretNotice = ({
  what,
  made,
  onHide,
}: {
  what: 'webhook' | 'callback';
  made: NewSecret;
  onHide: () => void;
}) => {
  const { isKept } = useStore(heldSecrets);
  return (
    <Notice tone="warn" title="The secret is shown once: keep it now">
      <div className={styles.secret}>
        <p>
          It verifies the deliveries, and it proves that the {what} is yours. Whoever has it can manage the{' '}
          {what}.
        </p>
        <p className={styles.secretLine}>
          <code data-secret={made.id}>{made.secret}</code>
          <CopyButton text={made.secret} what="secret" label="Copy" />
        </p>
        <label className={styles.check}>
          <input type="checkbox" checked={isKept} onChange={(event) => keepSecrets(event.target.checked)} />
          <span>Keep it in this tab over a reload. Unticked, this page forgets it when it is left.</span>
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
