// The secrets of registrations: derived when needed from the server secret, so that neither the store nor a log ever holds one.
import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { writeBase58Key } from '../../kernel/base58.ts';
import { lengthPrefixed } from '../../kernel/length-prefixed.ts';
import type { SecretBytes } from '../../kernel/secret-bytes.ts';
import type { Registration } from '../../store/registration-rows.ts';

/** Whose secrets are asked for. */
export type SecretOwner = Pick<Registration, 'id' | 'secretGeneration' | 'rotatedAtMs'>;

/** The secrets of one service's registrations. */
export interface WebhookSecrets {
  /** As receivers know them, `whsec_` and base64 (Standard Webhooks 1.0.0): every secret that is live now, the newest first. */
  readonly of: (owner: SecretOwner, nowMs: number) => readonly string[];
  /** Their raw bytes, which sign; the newest first. */
  readonly bytesOf: (owner: SecretOwner, nowMs: number) => readonly Uint8Array[];
  /** Whether `presented` is a secret that is live now. Takes as long whatever it is. */
  readonly matches: (owner: SecretOwner, presented: string, nowMs: number) => boolean;
  /** An id that a caller's idempotency key leads to again, 32 hexadecimal characters; nobody without the server secret can tell it beforehand. */
  readonly registrationIdOf: (request: {
    readonly client: string;
    readonly idempotencyKey: string;
  }) => string;
  /**
   * The idempotency key under which an autopilot offer is built: `hf_offer_` and 32 hexadecimal characters. Nobody without the server secret can
   * tell it, so nobody but the receiver of the offer can ask a builder for the stake address that follows from it. `candidate` counts from 0: the
   * next one stands in where the address of the one before cannot be used.
   */
  readonly offerKeyOf: (offer: {
    readonly registrationId: string;
    readonly epoch: bigint;
    readonly candidate: number;
  }) => string;
}

/** How long the secret before the newest stays live after a rotation, ms: 24 hours. */
export const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1000;

const PREFIX = 'whsec_';

/** Generations that are live at `nowMs`, the newest first. */
const liveGenerations = (
  { secretGeneration, rotatedAtMs }: Pick<SecretOwner, 'secretGeneration' | 'rotatedAtMs'>,
  nowMs: number,
): readonly number[] =>
  secretGeneration > 0 && rotatedAtMs !== null && nowMs < rotatedAtMs + ROTATION_OVERLAP_MS
    ? [secretGeneration, secretGeneration - 1]
    : [secretGeneration];

/**
 * HKDF-SHA256(server secret, salt = the genesis hash's 32 bytes, info = length-prefixed {webhook, id, generation}), 32 bytes each.
 * Replicas share the server secret, so each can sign and check for all. `genesisHash` is base58.
 */
export const createWebhookSecrets = (serverSecret: SecretBytes, genesisHash: string): WebhookSecrets => {
  const salt = new Uint8Array(32);
  writeBase58Key(genesisHash, salt);
  const derive = (length: number, ...parts: readonly string[]): Uint8Array =>
    serverSecret.use((ikm) => new Uint8Array(hkdfSync('sha256', ikm, salt, lengthPrefixed(parts), length)));
  const bytesOf: WebhookSecrets['bytesOf'] = (owner, nowMs) =>
    liveGenerations(owner, nowMs).map((generation) => derive(32, 'webhook', owner.id, String(generation)));
  const of: WebhookSecrets['of'] = (owner, nowMs) =>
    bytesOf(owner, nowMs).map((bytes) => PREFIX + Buffer.from(bytes).toString('base64'));
  return {
    of,
    bytesOf,
    matches: (owner, presented, nowMs) => {
      const given = digest(presented);
      let isLive = false;
      for (const secret of of(owner, nowMs)) isLive = timingSafeEqual(given, digest(secret)) || isLive;
      return isLive;
    },
    registrationIdOf: ({ client, idempotencyKey }) =>
      Buffer.from(derive(16, 'webhook-id', client, idempotencyKey)).toString('hex'),
    offerKeyOf: ({ registrationId, epoch, candidate }) =>
      `hf_offer_${Buffer.from(derive(16, 'autopilot-offer', registrationId, String(epoch), String(candidate))).toString('hex')}`,
  };
};

/** Of equal length whatever was given. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
