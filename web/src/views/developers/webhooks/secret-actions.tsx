// What the secret of a registration allows: to send it a ping, and to have another secret made.
import { api } from '../../../api/holdfast.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { useAction } from '../use-button-action.ts';
import { refreshDeliveries } from './webhook-reads.ts';
import { holdSecret, type NewSecret } from './webhook-secrets.ts';

/** Sends a test ping. Rejects with `HoldfastError`. */
const pingCallback = async (id: string, bearer: string): Promise<void> => {
  await api.pingWebhook({ id }, { bearer });
  refreshDeliveries(id);
};

/** Makes a new secret, which this tab goes on with. Rejects with `HoldfastError`. */
const rotateSecret = async (id: string, bearer: string): Promise<NewSecret> => {
  const { secret } = await api.rotateWebhookSecret({ id }, { bearer });
  holdSecret(id, secret);
  return { id, secret };
};

/** Two buttons; `onSecret` is given a new secret, to be shown once. */
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
      Test ping
    </Button>
    <Button
      size="s"
      icon="key"
      busy={busy === 'rotate'}
      onClick={() => run('rotate', async () => onSecret(await rotateSecret(id, secret)))}
    >
      Rotate secret
    </Button>
  </>
);
