// Derives the secrets of registrations from the server secret on demand, so neither the store nor a log
// contains any of them.
import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { writeBase58Key } from '../../kernel/base58.ts';
import { lengthPrefixed } from '../../kernel/length-prefixed.ts';
import type { SecretBytes } from '../../kernel/secret-bytes.ts';
import type { Registration } from '../../store/registration-rows.ts';

/** Fields of a registration that determine its secrets. */
export type SecretOwner = Pick<Registration, 'id' | 'secretGeneration' | 'rotatedAtMs'>;

/** Derives and checks the secrets of one service's registrations. */
export interface WebhookSecrets {
  /**
   * Returns every valid secret in the receivers' format, `whsec_` and base64 (Standard Webhooks 1.0.0),
   * newest first.
   */
  readonly of: (owner: SecretOwner, nowMs: number) => readonly string[];
  /** Returns the same secrets as raw bytes for signing, newest first. */
  readonly bytesOf: (owner: SecretOwner, nowMs: number) => readonly Uint8Array[];
  /** Returns true if `presented` is a valid secret. Runs in constant time. */
  readonly matches: (owner: SecretOwner, presented: string, nowMs: number) => boolean;
  /**
   * Derives a registration id from a caller's idempotency key: 32 hexadecimal characters, unpredictable
   * without the server secret.
   */
  readonly registrationIdOf: (request: {
    readonly client: string;
    readonly idempotencyKey: string;
  }) => string;
  /**
   * Derives the idempotency key of an autopilot offer: `hf_offer_` and 32 hexadecimal characters. It is
   * unpredictable without the server secret, so only the receiver of the offer can ask a builder for the stake
   * address derived from it. `candidate` counts from 0; the next number is used if an address is unusable.
   */
  readonly offerKeyOf: (offer: {
    readonly registrationId: string;
    readonly epoch: bigint;
    readonly candidate: number;
  }) => string;
}

/** Time for which the previous secret remains valid after a rotation, in ms: 24 hours. */
export const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1000;

const PREFIX = 'whsec_';

/** Lists the secret generations valid at `nowMs`, newest first. */
const liveGenerations = (
  { secretGeneration, rotatedAtMs }: Pick<SecretOwner, 'secretGeneration' | 'rotatedAtMs'>,
  nowMs: number,
): readonly number[] =>
  secretGeneration > 0 && rotatedAtMs !== null && nowMs < rotatedAtMs + ROTATION_OVERLAP_MS
    ? [secretGeneration, secretGeneration - 1]
    : [secretGeneration];

/**
 * Creates the secrets: HKDF-SHA256(server secret, salt = the genesis hash's 32 bytes, info = length-prefixed
 * {webhook, id, generation}), 32 bytes each. Replicas share the server secret, so each can sign and verify for
 * all. `genesisHash` is base58.
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

/** Hashes any input to the same length, as `timingSafeEqual` requires. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
