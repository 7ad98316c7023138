// Keys of the sandbox, derived from their role, so the addresses of this throwaway chain are the same on every
// start.

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { encodeBase58 } from './base58.ts';

/** An ed25519 key pair that signs transactions for one role. */
export type SandboxKey = {
  readonly address: string;
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
};

// Fixed PKCS#8 header of an ed25519 private key. The 32 seed bytes follow it (RFC 8410).
const PKCS8_ED25519_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

function keyFromSeed(seed: Uint8Array): SandboxKey {
  const privateKey: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519_HEADER, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = new Uint8Array(spki.subarray(spki.length - 32));
  return {
    address: encodeBase58(publicKey),
    publicKey,
    sign: (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}

/**
 * Returns the key of `role`. Anyone can derive it, so it has no value outside the sandbox and must never be
 * used on another cluster.
 */
export function sandboxKey(role: string): SandboxKey {
  return keyFromSeed(createHash('sha256').update(`holdfast sandbox key: ${role}`).digest());
}
