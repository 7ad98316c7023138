// An intent has the same stake account address on every replica, and any difference in the intent yields a
// different address.
import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import { type Address, createAddressWithSeed, createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { SecretBytes } from '../../kernel/secret-bytes.ts';
import { deriveStakeKey } from './derive-stake-key.ts';
import { isSignedBy } from './wire-transaction.ts';

const secret = new Uint8Array(32).fill(1);
const genesisHash = encodeBase58(new Uint8Array(32).fill(2));
const wallet = encodeBase58(new Uint8Array(32).fill(3)) as Address;
const intent = { use: 'one-shot', wallet, idempotencyKey: 'order-1' } as const;

test('the same arguments yield the same address, in whatever form the secret is passed', () => {
  using first = deriveStakeKey(secret, genesisHash, intent);
  using again = deriveStakeKey(SecretBytes.take(new Uint8Array(32).fill(1)), genesisHash, intent);
  assert.equal(first.address, again.address);
  assert.deepEqual([...secret], [...new Uint8Array(32).fill(1)], 'the server secret must survive');
});

test('the derivation matches its documentation, so other implementations find the same addresses', async () => {
  const parts = ['one-shot', wallet, 'order-1'].map((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(part.length);
    return Buffer.concat([length, Buffer.from(part)]);
  });
  const seed = new Uint8Array(
    hkdfSync('sha256', secret, new Uint8Array(32).fill(2), Buffer.concat(parts), 32),
  );
  using key = deriveStakeKey(secret, genesisHash, intent);
  assert.equal(key.address, (await createKeyPairSignerFromPrivateKeyBytes(seed)).address);
});

test('an address derived from a seed equals kit’s address for the documented seed', async () => {
  const parts = ['seed', 'one-shot', wallet, 'order-1'].map((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(part.length);
    return Buffer.concat([length, Buffer.from(part)]);
  });
  const derived = hkdfSync('sha256', secret, new Uint8Array(32).fill(2), Buffer.concat(parts), 32);
  const seed = Buffer.from(derived).toString('hex').slice(0, 32);
  using found = deriveStakeKey(secret, genesisHash, { ...intent, addressing: 'seed' });
  assert.equal(found.seed, seed);
  assert.equal(
    found.address,
    await createAddressWithSeed({ baseAddress: wallet, seed, programAddress: STAKE_PROGRAM }),
  );
  assert.throws(() => found.sign(Buffer.from('message')), /no key/);
});

test('every part of the intent, the cluster and the server secret change the address', () => {
  const others = [
    deriveStakeKey(secret, genesisHash, intent),
    deriveStakeKey(secret, genesisHash, { ...intent, use: 'builder' }),
    deriveStakeKey(secret, genesisHash, { ...intent, wallet: genesisHash as Address }),
    deriveStakeKey(secret, genesisHash, { ...intent, idempotencyKey: 'order-2' }),
    deriveStakeKey(secret, wallet, intent),
    deriveStakeKey(new Uint8Array(32).fill(9), genesisHash, intent),
    deriveStakeKey(secret, genesisHash, { ...intent, addressing: 'seed' }),
    deriveStakeKey(secret, genesisHash, { ...intent, addressing: 'seed', idempotencyKey: 'order-2' }),
    deriveStakeKey(secret, wallet, { ...intent, addressing: 'seed' }),
    deriveStakeKey(new Uint8Array(32).fill(9), genesisHash, { ...intent, addressing: 'seed' }),
  ];
  assert.equal(new Set(others.map(({ address }) => address)).size, others.length);
});

test('a derived key signs for its address until it is disposed', () => {
  const key = deriveStakeKey(secret, genesisHash, intent);
  const message = Buffer.from('message');
  assert.equal(isSignedBy(key.address, message, key.sign(message)), true);
  assert.equal(isSignedBy(wallet, message, key.sign(message)), false);
  key[Symbol.dispose]();
  assert.throws(() => key.sign(message), /disposed/);
});

test('a short server secret or an invalid genesis hash is refused', () => {
  assert.throws(() => deriveStakeKey(new Uint8Array(31), genesisHash, intent), RangeError);
  assert.throws(() => deriveStakeKey(secret, 'nonsense', intent), RangeError);
});
