// Actions that need the secret of a registration: sending a ping, and rotating the secret.
import { api } from '../../../api/holdfast.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { webhooksEnglish } from '../../../words/en/developers/webhooks.ts';
import type { useAction } from '../use-button-action.ts';
import { refreshDeliveries } from './webhook-reads.ts';
import { holdSecret, type NewSecret } from './webhook-secrets.ts';

const { say } = defineWords('webhooks', webhooksEnglish);

/** Sends a test ping. Rejects with `HoldfastError`. */
const pingCallback = async (id: string, bearer: string): Promise<void> => {
  await api.pingWebhook({ id }, { bearer });
  refreshDeliveries(id);
};

/** Creates a new secret and keeps it in this tab. Rejects with `HoldfastError`. */
const rotateSecret = async (id: string, bearer: string): Promise<NewSecret> => {
  const { secret } = await api.rotateWebhookSecret({ id }, { bearer });
  holdSecret(id, secret);
  return { id, secret };
};

/** Renders two buttons. `onSecret` receives a new secret, to be shown once. */
export const SecretActions = ({
  id,
  secret,
  action: { busy, run },
  onSecret,
}: {
  id: string;
  secret: string;
  action: Pick<ReturnType<typeof useAction>, 'busy' | 'run'>;
  onSecret: (made: NewSecret) => void;
}) => (
  <>
    <Button size="s" busy={busy === 'ping'} onClick={() => run('ping', () => pingCallback(id, secret))}>
      {say('testPing')}
    </Button>
    <Button
      size="s"
      icon="key"
      busy={busy === 'rotate'}
      onClick={() => run('rotate', async () => onSecret(await rotateSecret(id, secret)))}
    >
      {say('rotateSecret')}
    </Button>
  </>
);
