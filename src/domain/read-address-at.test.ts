import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddressDecoder } from '@solana/kit';
import fc from 'fast-check';
import { readAddressAt } from './read-address-at.ts';

const decoder = getAddressDecoder();

test('an address read from any 32 bytes equals the one that kit encodes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
      assert.equal(readAddressAt(key, 0), decoder.decode(key));
    }),
    { numRuns: 2_000 },
  );
});

test('0 to 32 leading zero bytes are kept as one base58 digit each', () => {
  for (let zeros = 0; zeros <= 32; zeros += 1) {
    for (const fill of [1, 57, 58, 255]) {
      const key = new Uint8Array(32).fill(fill, zeros);
      assert.equal(readAddressAt(key, 0), decoder.decode(key), `${zeros} zeros then ${fill}`);
    }
  }
});

test('single bits and powers of 58, where a chunk or limb barely overflows, are encoded exactly', () => {
  const asKey = (value: bigint) => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
  for (let bit = 0n; bit < 256n; bit += 1n)
    assert.equal(readAddressAt(asKey(1n << bit), 0), decoder.decode(asKey(1n << bit)));
  for (let power = 0n; power < 43n; power += 1n) {
    for (const value of [58n ** power, 58n ** power - 1n]) {
      assert.equal(readAddressAt(asKey(value), 0), decoder.decode(asKey(value)), `58^${power}`);
    }
  }
});

test('only the 32 bytes at the offset are read', () => {
  const data = new Uint8Array(100).fill(201);
  const key = Uint8Array.from({ length: 32 }, (_, i) => (i * 37) % 256);
  data.set(key, 51);
  assert.equal(readAddressAt(data, 51), decoder.decode(key));
});
