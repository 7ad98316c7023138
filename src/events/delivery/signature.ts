// Signs a delivery as Standard Webhooks 1.0.0 says: HMAC-SHA256 over `id.timestamp.body`, one signature for each live secret.
import { createHmac, hash } from 'node:crypto';

/** What is signed. */
export interface SignedParts {
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
    'webhook-signature': secrets.map((secret) => `v1,${hmac(content, secret)}`).join(' '),
  };
};

/** Of SHA-256, bytes. */
const BLOCK = 64;
const DIGEST = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
/** UTF-16 units of a content that fits into the buffer whatever they are. */
const MAX_UNITS = 16_384;

const inner = Buffer.alloc(BLOCK + 3 * MAX_UNITS);
const outer = Buffer.alloc(BLOCK + DIGEST);

/**
 * HMAC (RFC 2104) of the content in base64. As two hashes, each one call that leaves nothing for the garbage collector to finalize: a delivery costs
 * 3 of its 35 µs less than with `createHmac` (2026-11), which still does what is longer.
 */
const hmac = (content: string, secret: Uint8Array): string => {
  if (content.length > MAX_UNITS || secret.length > BLOCK)
    return createHmac('sha256', secret).update(content).digest('base64');
  for (let at = 0; at < BLOCK; at += 1) {
    const byte = secret[at] ?? 0;
    inner[at] = byte ^ INNER_PAD;
    outer[at] = byte ^ OUTER_PAD;
  }
  const length = BLOCK + inner.write(content, BLOCK);
  outer.write(hash('sha256', inner.subarray(0, length), 'latin1'), BLOCK, 'latin1');
  const signature = hash('sha256', outer, 'base64');
  // What the secret follows from is not left lying here.
  inner.fill(0, 0, BLOCK);
  outer.fill(0);
  return signature;
};
