// One webhook: how it stands, its deliveries, and what can be done with it; most of that takes its secret.
import { useState } from 'react';
import type { WebhookRegistration } from '../../../../../client/generated/webhooks-operations.ts';
import { api } from '../../../api/holdfast.ts';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/button.tsx';
import { timeText } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { useStore } from '../../../ui/store.ts';
import styles from '../developers-view.module.css';
import { useAction } from '../use-action.ts';
import { Deliveries } from './deliveries.tsx';
import { SecretActions } from './secret-actions.tsx';
import { SecretField } from './secret-field.tsx';
import { heldSecrets, type NewSecret } from './secrets.ts';
import { refreshWebhooks } from './webhook-reads.ts';

const REASONS = {
  failing: 'Disabled: nothing was accepted for 5 days. An accepted ping enables it.',
  gone: 'Disabled: the receiver said that it is gone (410). An accepted ping enables it.',
} as const;

const AWAITS_ANSWER =
  'Its receiver has not accepted a ping yet. Until it answers one with 2xx, events wait here.';

const Standing = ({ webhook, isDeleted }: { webhook: WebhookRegistration; isDeleted: boolean }) => {
  if (isDeleted) return <Pill tone="neutral">Deleted</Pill>;
  if (webhook.status !== 'active')
    return (
      <Pill tone="warn" dot>
        Disabled
      </Pill>
    );
  return webhook.awaitsAnswer ? (
    <Pill tone="warn" dot>
      Waiting for its first answer
    </Pill>
  ) : (
    <Pill tone="good" dot>
      Active
    </Pill>
  );
};

/** `isDeleted`: it was deleted in this tab and can be brought back with its secret. */
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
  // Without its secret nobody brings it back.
  const wantsSure = secret === undefined && !isSure;
  return (
    <li className={styles.webhook} data-webhook={id} data-deleted={isDeleted || undefined}>
      <div className={styles.webhookHead}>
        <strong>{webhook.callbackUrl}</strong>
        <Standing webhook={webhook} isDeleted={isDeleted} />
        <span className={styles.muted}>since {timeText(webhook.createdAt)}</span>
        <Address address={id} what="webhook id" />
      </div>
      <p className={styles.muted}>{webhook.events.join(' · ')}</p>
      {webhook.awaitsAnswer && !isDeleted && <p className={styles.muted}>{AWAITS_ANSWER}</p>}
      {webhook.disabledReason !== null && <p className={styles.muted}>{REASONS[webhook.disabledReason]}</p>}
      {secret === undefined && !isDeleted && <SecretField id={id} />}
      <div className={styles.actions}>
        {isDeleted ? (
          <Button
            size="s"
            busy={busy === 'restore'}
            disabled={secret === undefined}
            onClick={() => run('restore', restore)}
          >
            Restore
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
              {isSure ? 'Delete it for good' : 'Delete'}
            </Button>
          </>
        )}
      </div>
      {isSure && (
        <p className={styles.muted} role="status">
          Without its secret you cannot bring it back. Its receiver is told.
        </p>
      )}
      {isDeleted && (
        <p className={styles.muted} role="status">
          Its receiver was told. {secret === undefined ? 'Its secret can restore it' : 'It can be restored'}{' '}
          for 30 days.
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
