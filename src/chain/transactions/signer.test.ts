// A wallet's key only signs for its own wallet, and no error reveals anything about it.
import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import { isAppError } from '../../kernel/app-error.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { SecretBytes } from '../../kernel/secret-bytes.ts';
import { freeUsedKeys } from './free-used-keys.ts';
import { WalletKey } from './signer.ts';

const newKeypair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url');
  const publicBytes = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  return { seed, publicBytes, publicKey, address: encodeBase58(publicBytes) as Address };
};

const secretOf = (...parts: Uint8Array[]): SecretBytes => SecretBytes.take(Buffer.concat(parts));

describe('WalletKey', () => {
  test('signs for its wallet, given 64 bytes or the 32-byte seed', () => {
    const { seed, publicBytes, publicKey, address } = newKeypair();
    const message = Buffer.from('message');
    for (const secret of [secretOf(seed, publicBytes), secretOf(seed)]) {
      using key = WalletKey.open(secret, address);
      assert.equal(key.address, address);
      assert.equal(
        verify(
          null,
          message,
          createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })),
          key.sign(message),
        ),
        true,
      );
    }
  });

  test('wipes the key on disposal and does not sign afterwards', () => {
    const { seed, address } = newKeypair();
    const secret = secretOf(seed);
    const key = WalletKey.open(secret, address);
    key[Symbol.dispose]();
    assert.equal(secret.wiped, true);
    assert.throws(() => key.sign(Buffer.from('message')), /after being wiped/);
  });

  const refusals = (): [string, string, SecretBytes, Address][] => {
    const { seed, publicBytes, address } = newKeypair();
    const other = newKeypair();
    return [
      ['halves that do not match', 'INVALID_SECRET_KEY', secretOf(seed, other.publicBytes), address],
      ['no bytes', 'INVALID_SECRET_KEY', new SecretBytes(0), address],
      ['33 bytes', 'INVALID_SECRET_KEY', secretOf(seed, publicBytes.subarray(0, 1)), address],
      ['another wallet', 'SECRET_KEY_MISMATCH', secretOf(seed, publicBytes), other.address],
      ['another wallet, by seed', 'SECRET_KEY_MISMATCH', secretOf(seed), other.address],
    ];
  };

  for (const [name, code, secret, wallet] of refusals()) {
    test(`refuses ${name} with ${code}, wipes the bytes and does not quote them`, () => {
      const shown = secret.length === 0 ? 'nothing' : secret.use((bytes) => encodeBase58(bytes));
      assert.throws(
        () => WalletKey.open(secret, wallet),
        (error) =>
          isAppError(error) &&
          error.code === code &&
          !`${error.message}${error.suggestedAction}`.includes(shown),
      );
      assert.equal(secret.wiped, true);
    });
  }
});

test('forcing a garbage collection works in this runtime and leaves no global variable behind', () => {
  freeUsedKeys();
  assert.equal('gc' in globalThis, false);
});
