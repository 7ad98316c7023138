// The secrets of registrations that were told something lately: deriving one costs more than signing with it.
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { liveGenerations, type WebhookSecrets } from './webhook-secret.ts';

/** Registrations whose secrets are kept in memory beside the server secret that they follow from. */
const REMEMBERED = 10_000;

interface Remembered {
  /** The newest. */
  readonly generation: number;
  readonly secrets: readonly Uint8Array[];
}

/** `bytesOf` that remembers; which generations are live is asked anew each time. */
export const rememberedSecrets = ({
  bytesOf,
}: Pick<WebhookSecrets, 'bytesOf'>): WebhookSecrets['bytesOf'] => {
  const known = new BoundedMap<string, Remembered>(REMEMBERED);
  return (owner, nowMs) => {
    const remembered = known.get(owner.id);
    // The newest and how many before it: that says which.
    if (
      remembered?.generation === owner.secretGeneration &&
      remembered.secrets.length === liveGenerations(owner, nowMs).length
    )
      return remembered.secrets;
    const secrets = bytesOf(owner, nowMs);
    known.set(owner.id, { generation: owner.secretGeneration, secrets });
    return secrets;
  };
};
