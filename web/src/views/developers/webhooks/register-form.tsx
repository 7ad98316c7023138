// The form that registers a webhook: wallet, URL and events.
import { useState } from 'react';
import { api } from '../../../api/holdfast.ts';
import { isSandbox } from '../../../state/cluster.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { webhooksEnglish } from '../../../words/en/developers/webhooks.ts';
import styles from '../developers-view.module.css';
import { useAction } from '../use-button-action.ts';
import { RECEIVER_URL, ReceiverHelp } from './receiver-help.tsx';
import { EVENTS, refreshWebhooks, type WebhookEvent } from './webhook-reads.ts';
import { holdSecret, type NewSecret } from './webhook-secrets.ts';

const { say } = defineWords('webhooks', webhooksEnglish);

/** `onRegistered` receives the secret, which the service shows only once. */
export const RegisterForm = ({
  walletAddress,
  onRegistered,
}: {
  walletAddress: string;
  onRegistered: (made: NewSecret) => void;
}) => {
  const [callbackUrl, setCallbackUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(EVENTS.map(({ value }) => value));
  const { busy, failure, run } = useAction();
  const register = async (): Promise<void> => {
    const made = await api.registerWebhook({ walletAddress, callbackUrl: callbackUrl.trim(), events });
    const { id, secret } = made;
    // The secret is missing only if a request is repeated with its idempotency key, which this form never does.
    if (secret !== undefined) {
      holdSecret(id, secret);
      onRegistered({ id, secret });
    }
    setCallbackUrl('');
    refreshWebhooks();
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        run('register', register);
      }}
    >
      <TextField
        label={say('callbackUrl')}
        placeholder={say('exampleUrl')}
        mono
        value={callbackUrl}
        onChange={setCallbackUrl}
        hint={say(isSandbox ? 'sandboxUrl' : 'httpsOnly')}
      />
      {isSandbox && <ReceiverHelp onUse={() => setCallbackUrl(RECEIVER_URL)} />}
      <fieldset className={styles.events}>
        <legend>{say('notifyWhen')}</legend>
        {EVENTS.map(({ value, label }) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={events.includes(value)}
              onChange={(event) =>
                setEvents(
                  EVENTS.map((one) => one.value).filter((one) =>
                    one === value ? event.target.checked : events.includes(one),
                  ),
                )
              }
            />
            <span>
              {say(label)} <code>{value}</code>
            </span>
          </label>
        ))}
      </fieldset>
      {failure !== undefined && (
        <Notice tone="warn" title={failure.title}>
          {failure.detail}
        </Notice>
      )}
      <div className={styles.actions}>
        <Button
          type="submit"
          kind="primary"
          busy={busy !== null}
          disabled={callbackUrl.trim() === '' || events.length === 0}
        >
          {say('register')}
        </Button>
      </div>
    </form>
  );
};
