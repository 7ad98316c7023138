// What the secret of a callback allows, of a webhook's and of an autopilot's alike.
import { api } from '../../../api/holdfast.ts';
import { holdSecret, type NewSecret } from './secrets.ts';
import { refreshDeliveries } from './webhook-reads.ts';

/** Sends a test ping. Rejects with `HoldfastError`. */
export const pingCallback = async (id: string, bearer: string): Promise<void> => {
  await api.pingWebhook({ id }, { bearer });
  refreshDeliveries(id);
};

/** Makes a new secret, which this tab goes on with. Rejects with `HoldfastError`. */
export const rotateSecret = async (id: string, bearer: string): Promise<NewSecret> => {
  const { secret } = await api.rotateWebhookSecret({ id }, { bearer });
  holdSecret(id, secret);
  return { id, secret };
};
