// Signs a delivery according to Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`, one signature
// per valid secret.
import { createHmac } from 'node:crypto';

interface SignedParts {
  readonly id: string;
  /** Time of this attempt, not of the event, in whole seconds since the Unix epoch. */
  readonly timestampSeconds: number;
  readonly body: string;
}

/** Builds the three headers, e.g. `webhook-signature: v1,… v1,…`. `secrets` are raw bytes, newest first. */
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
