// The callback of a policy: its state, every delivered offer, and the actions that need its secret.

import { useStore } from '../../../state/create-store.ts';
import { Notice } from '../../../ui/notice.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { autopilotEnglish } from '../../../words/en/developers/autopilot-policy.ts';
import styles from '../developers-view.module.css';
import { useAction } from '../use-button-action.ts';
import { Deliveries } from '../webhooks/deliveries.tsx';
import { SecretActions } from '../webhooks/secret-actions.tsx';
import { SecretField } from '../webhooks/secret-field.tsx';
import { heldSecrets, type NewSecret } from '../webhooks/webhook-secrets.ts';
import type { OwnPolicy } from './policy-reads.ts';

const { say } = defineWords('autopilot', autopilotEnglish);

/** `onSecret` receives a new secret, to be shown once. */
export const PolicyCallback = ({
  policy: { webhookId: id, callbackStatus },
  onSecret,
}: {
  policy: OwnPolicy;
  onSecret: (made: NewSecret) => void;
}) => {
  const secret = useStore(heldSecrets).byId[id];
  const action = useAction();
  const { failure } = action;
  return (
    <>
      {callbackStatus === 'disabled' && (
        <Notice tone="warn" title={say('notDelivered')}>
          {say('notDeliveredText')}
        </Notice>
      )}
      {secret === undefined ? (
        <SecretField id={id} />
      ) : (
        <>
          <div className={styles.actions}>
            <SecretActions id={id} secret={secret} action={action} onSecret={onSecret} />
          </div>
          {failure !== undefined && (
            <Notice tone="warn" title={failure.title}>
              {failure.detail}
            </Notice>
          )}
          <Deliveries key={secret} id={id} secret={secret} />
        </>
      )}
    </>
  );
};
