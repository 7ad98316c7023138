// Creates and checks sign links, which let a wallet owner sign a program's request on the service's page.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import {
  decodeSignLink,
  encodeSignLink,
  MAX_LINKED_ACCOUNTS,
  SIGN_LINK_SECONDS,
  type SignLink,
  type SignRequest,
} from '../../domain/sign-request.ts';
import { writeBase58Key } from '../../kernel/base58.ts';
import { lengthPrefixed } from '../../kernel/length-prefixed.ts';
import type { SecretBytes } from '../../kernel/secret-bytes.ts';

/** Path of the page that sign links open. */
const SIGN_PATH = '/sign';

export interface SignLinks {
  /**
   * Creates a link for any page of this service, valid for 24 hours: `/sign?request=…`, up to 1,600 characters.
   * Returns null if the request names more accounts than fit.
   */
  readonly create: (
    request: SignRequest,
    idempotencyKey: string,
    nowMs: number,
  ) => { readonly path: string; readonly expiresAtMs: number } | null;
  /**
   * Returns the content of a link, even if it has expired. Returns null if this service did not create the
   * link or if it was altered.
   */
  readonly read: (text: string) => SignLink | null;
}

/**
 * Length of the authentication code: 128 bits, so an altered link passes the check with a probability of
 * 2^-128.
 */
const MAC_BYTES = 16;

/**
 * Creates the sign links of a service. Links are authenticated with HMAC-SHA256 under HKDF-SHA256(server
 * secret, salt = the genesis hash's 32 bytes, info = length-prefixed {sign-link, vote account}), so replicas
 * accept each other's links and no other service's.
 */
export const createSignLinks = (
  serverSecret: SecretBytes,
  { genesisHash, voteAccount }: { readonly genesisHash: string; readonly voteAccount: string },
): SignLinks => {
  const salt = new Uint8Array(32);
  writeBase58Key(genesisHash, salt);
  const info = lengthPrefixed(['sign-link', voteAccount]);
  const macOf = (content: string): string => {
    const key = serverSecret.use((ikm) => new Uint8Array(hkdfSync('sha256', ikm, salt, info, 32)));
    return createHmac('sha256', key).update(content).digest().subarray(0, MAC_BYTES).toString('base64url');
  };
  return {
    create: (request, idempotencyKey, nowMs) => {
      if ((request.change?.accounts?.length ?? 0) > MAX_LINKED_ACCOUNTS) return null;
      const expiresAtSeconds = Math.floor(nowMs / 1000) + SIGN_LINK_SECONDS;
      const content = encodeSignLink({
        ...request,
        idempotencyKey,
        genesisHash,
        voteAccount,
        expiresAtSeconds,
      });
      return {
        path: `${SIGN_PATH}?request=${content}.${macOf(content)}`,
        expiresAtMs: expiresAtSeconds * 1000,
      };
    },
    read: (text) => {
      const [content = '', mac = '', ...more] = text.split('.');
      // Compares the text, because the last character has bits that its bytes do not contain.
      const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(content))];
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
        return null;
      return decodeSignLink(content);
    },
  };
};
