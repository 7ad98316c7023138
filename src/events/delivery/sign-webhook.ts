// Signs a delivery as Standard Webhooks 1.0.0 says: HMAC-SHA256 over `id.timestamp.body`, one signature for each live secret.
import { createHmac } from 'node:crypto';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { liveGenerations, type WebhookSecrets } from './webhook-secret.ts';

/** What is signed. */
interface SignedParts {
  readonly id: string;
  /** Whole seconds since the Unix epoch: of this attempt, not of the event. */
  readonly timestampSeconds: number;
  readonly body: string;
}

/** The three headers, e.g. `webhook-signature: v1,… v1,…`. `secrets`: raw bytes, the newest first. */
export const signatureHeaders = (
  { id, timestampSeconds, body }: SignedParts,
  secrets: readonly Uint8Array[],
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> => {
  const content = `${id}.${timestampSeconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets
      .map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
      .join(' '),
  };
};

/** Registrations whose secrets are cached: deriving a secret costs more than signing with it. */
const MOST_CACHED = 10_000;

interface CachedSecrets {
  /** The newest. */
  readonly generation: number;
  readonly secrets: readonly Uint8Array[];
}

/** `bytesOf` with a cache; which generations are live is asked anew each time. */
export const cachedSecrets = ({ bytesOf }: Pick<WebhookSecrets, 'bytesOf'>): WebhookSecrets['bytesOf'] => {
  const known = new BoundedMap<string, CachedSecrets>(MOST_CACHED);
  return (owner, nowMs) => {
    const cached = known.get(owner.id);
    // The newest and how many before it: that says which.
    if (
      cached?.generation === owner.secretGeneration &&
      cached.secrets.length === liveGenerations(owner, nowMs).length
    )
      return cached.secrets;
    const secrets = bytesOf(owner, nowMs);
    known.set(owner.id, { generation: owner.secretGeneration, secrets });
    return secrets;
  };
};
