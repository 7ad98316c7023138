// KEY-4: a key that does not belong to the wallet is found by computation alone, before any network call.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import { WalletKey } from '../../src/chain/signer.ts';
import { extractSecretKey } from '../../src/http/secret-body.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';

const CASES = process.env.HOLDFAST_TEST_FULL === '1' ? 1_000 : 50;

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url');
  const publicBytes = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  return {
    text: encodeBase58(Buffer.concat([seed, publicBytes])),
    seed: encodeBase58(seed),
    address: encodeBase58(publicBytes) as Address,
  };
};

/** From the request's bytes to the opened key, as a one-shot route does it. */
const open = (walletAddress: Address, secretKey: string): WalletKey => {
  const { secret } = extractSecretKey(Buffer.from(JSON.stringify({ walletAddress, secretKey })));
  return WalletKey.open(secret!, walletAddress);
};

describe('KEY-4: key and address must belong together', () => {
  test(`${CASES} foreign keys are refused synchronously, as 64 bytes and as seed, and none says what it was`, () => {
    for (let i = 0; i < CASES; i += 1) {
      const [own, foreign] = [newKey(), newKey()];
      for (const secretKey of [foreign.text, foreign.seed]) {
        assert.throws(
          () => open(own.address, secretKey),
          (error: Error & { code?: string }) =>
            error.code === 'SECRET_KEY_MISMATCH' &&
            !JSON.stringify([error.message, error.stack, error]).includes(secretKey.slice(0, 12)),
        );
      }
      using key = open(own.address, own.text);
      assert.equal(key.address, own.address);
    }
  });

  test('the module that decides can reach no network: it imports none', () => {
    const source = readFileSync(new URL('../../src/chain/signer.ts', import.meta.url), 'utf8');
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    assert.deepEqual(imported.sort(), [
      '../kernel/app-error.ts',
      '../kernel/base58.ts',
      '../kernel/secret-bytes.ts',
      '../kernel/secret-sweep.ts',
      '@solana/kit',
      'node:crypto',
    ]);
    assert.match(source, /import type \{ Address \} from '@solana\/kit'/);
  });

  test('every one-shot operation opens the key before anything that could ask the network', () => {
    for (const name of ['stake', 'unstake', 'withdraw']) {
      const source = readFileSync(new URL(`../../src/operations/stake/${name}.ts`, import.meta.url), 'utf8');
      const body = source.slice(source.indexOf('async run('));
      assert.ok(body.includes('WalletKey.open('), name);
      assert.doesNotMatch(
        body.slice(0, body.indexOf('WalletKey.open(')),
        /await|ctx\.(reads|cluster|submitter)/,
        name,
      );
    }
  });
});
