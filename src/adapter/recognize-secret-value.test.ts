import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createKeyPairFromPrivateKeyBytes, getAddressFromPublicKey, getBase58Encoder } from '@solana/kit';
import { encodeBase58 } from '../kernel/base58.ts';
import { JsonNumber } from '../kernel/json-number.ts';
import { isSecretText, secretMember } from './recognize-secret-value.ts';

const keypair = async (): Promise<Uint8Array> => {
  const seed = new Uint8Array(randomBytes(32));
  const { publicKey } = await createKeyPairFromPrivateKeyBytes(seed);
  return new Uint8Array([...seed, ...getBase58Encoder().encode(await getAddressFromPublicKey(publicKey))]);
};

const PHRASES = [
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  ' Legal winner  thank year wave sausage worth useful legal winner thank\nyellow ',
  Array(23).fill('abandon').concat('art').join(' '),
];

test('a keypair is recognized as base58, as numbers and as the text of a key file, under any name and at any depth', async () => {
  for (let made = 0; made < 50; made += 1) {
    const bytes = await keypair();
    const text = encodeBase58(bytes);
    const values = [
      ...[text, ` ${text}\n`, [...bytes], [...bytes].map((one) => new JsonNumber(String(one)))],
      ...[JSON.stringify([...bytes]), [...bytes].join(', ')],
    ];
    for (const value of values) {
      assert.equal(secretMember({ amountSol: 1, phantomKey: value }), 'phantomKey');
      assert.equal(secretMember({ data: [{ deep: { seed: value } }] }), 'seed');
    }
    assert.equal(
      secretMember({ [text]: 1 }),
      'secretKey',
      'a field name that is itself a key is not repeated',
    );
    assert.equal(secretMember({ '1 2': text }), 'secretKey');
  }
});

test('a recovery phrase is recognized as text and as a list of words', () => {
  for (const phrase of PHRASES) {
    assert.equal(secretMember({ mnemonic: phrase }), 'mnemonic');
    assert.equal(secretMember({ words: phrase.trim().split(/\s+/) }), 'words');
  }
});

test('signatures, addresses, transactions, other bytes and sentences are not mistaken for secrets', () => {
  for (let made = 0; made < 200; made += 1) {
    const bytes = new Uint8Array(randomBytes(64));
    assert.equal(secretMember({ signature: encodeBase58(bytes), list: [...bytes] }), null);
    assert.equal(secretMember({ signedTransaction: Buffer.from(randomBytes(600)).toString('base64') }), null);
  }
  assert.equal(
    isSecretText('Stakes 2 SOL to the validator in a new stake account that only your wallet controls.'),
    false,
  );
  assert.equal(isSecretText(PHRASES[0]!.split(' ').slice(1).join(' ')), false, 'eleven words');
});

test('a body nested thousands of levels deep is searched completely', () => {
  let value: unknown = 'nothing secret';
  for (let depth = 0; depth < 50_000; depth += 1) value = depth % 2 === 0 ? [value] : { fail: value };
  assert.equal(secretMember(value), null);
});
