// Tests that the demo's wallet reads keys in the usual format, creates valid signatures, and leaves no key on
// disk.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { encodeBase58 } from '../src/kernel/base58.ts';
import { newWallet } from '../test/support/wallets.ts';
import { fromBase58, runSnippet, signText, signTransaction } from './wallet.ts';

const holds = (signature: Uint8Array, message: Uint8Array, address: string): boolean => {
  const x = fromBase58(address).toString('base64url');
  return verify(
    null,
    message,
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    signature,
  );
};

test('base58 decoding restores every byte, including leading zeros and inputs of only zeros', () => {
  for (const bytes of [
    [],
    [0],
    [0, 0, 0],
    [1],
    [0, 255],
    [0, 0, 1, 0],
    new Array<number>(32).fill(0),
    new Array<number>(64).fill(255),
    [0, ...new Array<number>(63).fill(7)],
  ])
    assert.deepEqual([...fromBase58(encodeBase58(Uint8Array.from(bytes)))], bytes);
});

test('a text is signed as its UTF-8 bytes, with the wallet’s key', () => {
  const wallet = newWallet();
  const signature = fromBase58(signText('nonce=1\n– not only ASCII', wallet));
  assert.equal(signature.length, 64);
  assert.ok(holds(signature, Buffer.from('nonce=1\n– not only ASCII'), wallet.walletAddress));
});

test('signing a transaction inserts only the first signature', () => {
  const wallet = newWallet();
  const message = Buffer.from('the message to sign');
  const unsigned = Buffer.concat([Buffer.of(2), Buffer.alloc(64), Buffer.alloc(64, 9), message]);
  const signed = Buffer.from(signTransaction(unsigned.toString('base64'), wallet), 'base64');
  assert.ok(holds(signed.subarray(1, 65), message, wallet.walletAddress));
  assert.deepEqual([signed[0], signed.subarray(65)], [2, unsigned.subarray(65)]);
});

test('a snippet runs in a separate process, whose folder is removed even if the snippet fails', () => {
  const print = 'const one = { walletAddress: import.meta.dirname, secretKey: String(process.pid) };\n';
  const { walletAddress: folder, secretKey } = runSnippet(`${print}console.log(JSON.stringify(one));`);
  assert.notEqual(secretKey, String(process.pid));
  assert.equal(existsSync(folder), false);
  let reported = '';
  try {
    runSnippet(`${print}console.error('at ' + one.walletAddress); process.exit(3);`);
  } catch (error) {
    reported = String(error);
  }
  assert.match(reported, /the snippet failed: at /);
  assert.equal(existsSync(/at (.*)/.exec(reported)![1]!), false);
});
