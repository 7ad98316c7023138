// Shows a new secret once. It cannot be shown again after it is hidden.

import { useStore } from '../../../state/create-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { webhooksEnglish } from '../../../words/en/developers/webhooks.ts';
import styles from '../developers-view.module.css';
import { heldSecrets, keepSecrets, type NewSecret } from './webhook-secrets.ts';

const { say } = defineWords('webhooks', webhooksEnglish);

/** `owner` names what the secret belongs to. The tab keeps using the secret after `onHide`. */
export const SecretNotice = ({
  owner,
  made,
  onHide,
}: {
  owner: 'webhook' | 'callback';
  made: NewSecret;
  onHide: () => void;
}) => {
  const { isStored } = useStore(heldSecrets);
  return (
    <Notice tone="warn" title={say('saveSecret')}>
      <div className={styles.secret}>
        <p>{say('saveSecretText', { owner })}</p>
        <p className={styles.secretLine}>
          <code data-secret={made.id}>{made.secret}</code>
          <CopyButton text={made.secret} what={say('secret')} label={say('copy')} />
        </p>
        <label className={styles.check}>
          <input type="checkbox" checked={isStored} onChange={(event) => keepSecrets(event.target.checked)} />
          <span>{say('keepSecret')}</span>
        </label>
        <div>
          <Button size="s" onClick={onHide}>
            {say('haveIt')}
          </Button>
        </div>
      </div>
    </Notice>
  );
};
