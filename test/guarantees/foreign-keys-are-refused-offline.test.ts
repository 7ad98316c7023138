// KEY-4: a secret key that does not belong to the wallet is refused by local computation, before any network
// call.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Address, getBase58Encoder } from '@solana/kit';
import type { Refusal } from '../../demo/http-client.ts';
import { extractSecretKey } from '../../src/adapter/extract-secret-key.ts';
import { WalletKey } from '../../src/chain/transactions/signer.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { sharedService } from '../support/service-fixture.ts';

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

/** Extracts and decodes the key from a request's bytes, as the route of a one-shot call does. */
const open = (walletAddress: Address, secretKey: string): WalletKey => {
  const { secret } = extractSecretKey(Buffer.from(JSON.stringify({ walletAddress, secretKey })));
  return WalletKey.open(secret!, walletAddress);
};

describe('KEY-4: the key must belong to the address', () => {
  test(`${CASES} keys of other wallets are refused synchronously, both as 64 bytes and as a seed, and no refusal contains the key`, () => {
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

  test('the module that checks the key cannot reach the network, because it imports no network module', () => {
    const source = readFileSync(new URL('../../src/chain/transactions/signer.ts', import.meta.url), 'utf8');
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    assert.deepEqual(imported.sort(), [
      '../../kernel/app-error.ts',
      '../../kernel/base58.ts',
      '../../kernel/error-reasons.ts',
      '../../kernel/secret-bytes.ts',
      './free-used-keys.ts',
      '@solana/kit',
      'node:crypto',
    ]);
    assert.match(source, /import type \{ Address \} from '@solana\/kit'/);
  });

  describe('at the service, with no RPC node reachable', () => {
    const shared = sharedService({ before, after });

    test('mismatched, damaged and missing keys get different refusals, and only the matching key waits for the network', async () => {
      const { sandbox, service } = shared();
      await sandbox.close();
      const [own, foreign] = [newKey(), newKey()];
      const damaged = encodeBase58(
        Buffer.concat([getBase58Encoder().encode(own.text).slice(0, 63), Buffer.of(1)]),
      );
      const outcomes = async (secretKey: unknown) => {
        const bodies = {
          stake: { walletAddress: own.address, secretKey, amountSol: 2 },
          unstake: { walletAddress: own.address, secretKey, stakeAccountAddress: foreign.address },
          withdraw: { walletAddress: own.address, secretKey, stakeAccountAddress: foreign.address },
        };
        const responses = await Promise.all(
          Object.entries(bodies).map(([name, body]) =>
            service.client.post(`/api/v1/${name}`, body).catch((error: Refusal) => error),
          ),
        );
        return [...new Set(responses.map((response) => `${response.status} ${response.errorCode}`))];
      };
      assert.deepEqual(await outcomes(foreign.text), ['400 SECRET_KEY_MISMATCH']);
      assert.deepEqual(await outcomes(foreign.seed), ['400 SECRET_KEY_MISMATCH']);
      assert.deepEqual(await outcomes(damaged), ['400 INVALID_SECRET_KEY']);
      assert.deepEqual(await outcomes(own.text.slice(3)), ['400 INVALID_SECRET_KEY']);
      assert.deepEqual(await outcomes([1, 2, 3]), ['400 VALIDATION_ERROR']);
      assert.deepEqual(await outcomes(undefined), ['400 VALIDATION_ERROR']);
      assert.deepEqual(await outcomes(own.text), ['502 UPSTREAM_UNAVAILABLE']);
    });
  });
});
