// One webhook: state, deliveries and actions, most of which need its secret.
import { useState } from 'react';
import type { WebhookRegistration } from '../../../../../client/generated/webhooks-operations.ts';
import { api } from '../../../api/holdfast.ts';
import { useStore } from '../../../state/create-store.ts';
import { timeText } from '../../../text/format-figures.ts';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { webhooksEnglish } from '../../../words/en/developers/webhooks.ts';
import styles from '../developers-view.module.css';
import { useAction } from '../use-button-action.ts';
import { Deliveries } from './deliveries.tsx';
import { SecretActions } from './secret-actions.tsx';
import { SecretField } from './secret-field.tsx';
import { refreshWebhooks } from './webhook-reads.ts';
import { heldSecrets, type NewSecret } from './webhook-secrets.ts';

const { say } = defineWords('webhooks', webhooksEnglish);

const RegistrationState = ({ webhook, isDeleted }: { webhook: WebhookRegistration; isDeleted: boolean }) => {
  if (isDeleted) return <Pill tone="neutral">{say('deleted')}</Pill>;
  if (webhook.status !== 'active')
    return (
      <Pill tone="warn" dot>
        {say('disabled')}
      </Pill>
    );
  return webhook.awaitsAnswer ? (
    <Pill tone="warn" dot>
      {say('waiting')}
    </Pill>
  ) : (
    <Pill tone="good" dot>
      {say('active')}
    </Pill>
  );
};

/** `isDeleted`: the webhook was deleted in this tab and can be restored with its secret. */
export const WebhookItem = ({
  webhook,
  isDeleted,
  onDeleted,
  onSecret,
}: {
  webhook: WebhookRegistration;
  isDeleted: boolean;
  onDeleted: (isDeleted: boolean) => void;
  onSecret: (made: NewSecret) => void;
}) => {
  const { id, walletAddress } = webhook;
  const secret = useStore(heldSecrets).byId[id];
  const [isSure, setSure] = useState(false);
  const action = useAction();
  const { busy, failure, run } = action;
  const proof = secret === undefined ? {} : { bearer: secret };
  const remove = async (): Promise<void> => {
    await api.deleteWebhook({ id, walletAddress }, proof);
    setSure(false);
    onDeleted(true);
    refreshWebhooks();
  };
  const restore = async (): Promise<void> => {
    await api.restoreWebhook({ id }, proof);
    onDeleted(false);
    refreshWebhooks();
  };
  // Asks for confirmation, because a webhook cannot be restored without its secret.
  const wantsSure = secret === undefined && !isSure;
  return (
    <li className={styles.webhook} data-webhook={id} data-deleted={isDeleted || undefined}>
      <div className={styles.webhookHead}>
        <strong>{webhook.callbackUrl}</strong>
        <RegistrationState webhook={webhook} isDeleted={isDeleted} />
        <span className={styles.muted}>{say('since', { time: timeText(webhook.createdAt) })}</span>
        <Address address={id} what={say('webhookId')} />
      </div>
      <p className={styles.muted}>{webhook.events.join(' · ')}</p>
      {webhook.awaitsAnswer && !isDeleted && <p className={styles.muted}>{say('awaitsAnswer')}</p>}
      {webhook.disabledReason !== null && <p className={styles.muted}>{say(webhook.disabledReason)}</p>}
      {secret === undefined && !isDeleted && <SecretField id={id} />}
      <div className={styles.actions}>
        {isDeleted ? (
          <Button
            size="s"
            busy={busy === 'restore'}
            disabled={secret === undefined}
            onClick={() => run('restore', restore)}
          >
            {say('restore')}
          </Button>
        ) : (
          <>
            {secret !== undefined && (
              <SecretActions id={id} secret={secret} action={action} onSecret={onSecret} />
            )}
            <Button
              size="s"
              kind="danger"
              busy={busy === 'delete'}
              onClick={() => (wantsSure ? setSure(true) : run('delete', remove))}
            >
              {say(isSure ? 'deletePermanently' : 'delete')}
            </Button>
          </>
        )}
      </div>
      {isSure && (
        <p className={styles.muted} role="status">
          {say('sureText')}
        </p>
      )}
      {isDeleted && (
        <p className={styles.muted} role="status">
          {say(secret === undefined ? 'restorableWithSecret' : 'restorable')}
        </p>
      )}
      {failure !== undefined && (
        <Notice tone="warn" title={failure.title}>
          {failure.detail}
        </Notice>
      )}
      {secret !== undefined && !isDeleted && <Deliveries key={secret} id={id} secret={secret} />}
    </li>
  );
};
