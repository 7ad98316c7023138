// Holds a wallet's key for one request: checks that it belongs to the wallet, signs, and wipes it.
import { createPublicKey, sign } from 'node:crypto';
import type { Address } from '@solana/kit';
import { AppError } from '../../kernel/app-error.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import type { ErrorReason } from '../../kernel/error-reasons.ts';
import type { SecretBytes } from '../../kernel/secret-bytes.ts';
import { freeUsedKeys } from './free-used-keys.ts';

const SEED_BYTES = 32;
const KEYPAIR_BYTES = 64;

// Each call gets the raw bytes instead of a stored KeyObject, so that the native copy is freed and wiped
// right after the call.
const rawKey = (seed: Uint8Array<ArrayBuffer>) =>
  ({ format: 'raw-private', key: seed, asymmetricKeyType: 'ed25519' }) as unknown as Parameters<
    typeof createPublicKey
  >[0];

const seedOf = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(bytes.buffer, bytes.byteOffset, SEED_BYTES);

const publicKeyOf = (bytes: Uint8Array<ArrayBuffer>): Buffer =>
  createPublicKey(rawKey(seedOf(bytes))).export({ format: 'raw-public' } as never) as unknown as Buffer;

const invalid = (reason: ErrorReason<'INVALID_SECRET_KEY'>, message: string): AppError =>
  new AppError('INVALID_SECRET_KEY', message, {
    reason,
    suggestedAction:
      'Send the base58 secret key of the wallet: 64 bytes as wallets export it, or its 32-byte seed. Nothing was sent to the network.',
  });

/** Signs for one wallet until disposed. */
export class WalletKey implements Disposable {
  readonly #secret: SecretBytes;
  /** Address of the wallet that the key belongs to. */
  readonly address: Address;

  private constructor(secret: SecretBytes, address: Address) {
    this.#secret = secret;
    this.address = address;
  }

  /**
   * Takes ownership of a decoded secret key: 64 bytes whose public half matches its seed, or a 32-byte seed.
   * A pure computation, so that a wrong key is found before any network call. On failure, the secret is
   * wiped. The messages contain no part of it.
   * @throws `AppError('INVALID_SECRET_KEY')` if the length is wrong or the halves do not match.
   * @throws `AppError('SECRET_KEY_MISMATCH')` if the key is valid but belongs to a wallet other than
   * `walletAddress`.
   */
  static open(secret: SecretBytes, walletAddress?: Address): WalletKey {
    try {
      const address = secret.use((bytes) => {
        if (bytes.length !== SEED_BYTES && bytes.length !== KEYPAIR_BYTES)
          throw invalid(
            'LENGTH',
            'secretKey must be 64 bytes (secret key) or 32 bytes (seed) in base58, given once.',
          );
        const publicKey = publicKeyOf(bytes);
        if (bytes.length === KEYPAIR_BYTES && publicKey.compare(bytes, SEED_BYTES, KEYPAIR_BYTES) !== 0)
          throw invalid('DAMAGED', 'secretKey is damaged: its public and private halves do not match.');
        return encodeBase58(publicKey) as Address;
      });
      if (walletAddress !== undefined && address !== walletAddress)
        throw new AppError('SECRET_KEY_MISMATCH', 'secretKey does not belong to walletAddress.', {
          suggestedAction: 'Send the secret key of this wallet. Nothing was signed or sent to the network.',
        });
      return new WalletKey(secret, address);
    } catch (error) {
      secret[Symbol.dispose]();
      throw error;
    } finally {
      freeUsedKeys();
    }
  }

  /** Returns the 64-byte ed25519 signature of `message`. Throws after disposal. */
  sign(message: Uint8Array): Uint8Array {
    try {
      return this.#secret.use((bytes) => sign(null, message, rawKey(seedOf(bytes)) as never));
    } finally {
      freeUsedKeys();
    }
  }

  /** Wipes the key. Can be called repeatedly. */
  [Symbol.dispose](): void {
    this.#secret[Symbol.dispose]();
  }
}
