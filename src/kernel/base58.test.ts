// Base58 yields the same results as other implementations, and refusals are unambiguous.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBase58Codec } from '@solana/kit';
import fc from 'fast-check';
import { decodeBase58Bytes, encodeBase58, writeBase58Key } from './base58.ts';

const bytes = (maxLength: number) =>
  fc
    .tuple(fc.nat({ max: 5 }), fc.uint8Array({ maxLength: maxLength - 5 }))
    .map(([zeros, rest]) => Uint8Array.from([...new Uint8Array(zeros), ...rest]));

test('any bytes, including leading zeros, are encoded the same as by an independent codec', () => {
  fc.assert(
    fc.property(bytes(128), (some) => {
      assert.equal(encodeBase58(some), getBase58Codec().decode(some));
    }),
    { seed: 58 },
  );
});

test('encoding accepts views into larger buffers, and plain arrays as some wallets return them', () => {
  const buffer = Uint8Array.of(9, 0, 58, 9);
  assert.equal(encodeBase58(buffer.subarray(1, 3)), '121');
  assert.equal(encodeBase58([0, 58]), '121');
});

test('decoding restores the encoded bytes', () => {
  fc.assert(
    fc.property(bytes(64), (some) => {
      const text = Buffer.from(`"${encodeBase58(some)}"`);
      const target = new Uint8Array(64);
      assert.equal(decodeBase58Bytes(text, 1, text.length - 1, target), some.length);
      assert.deepEqual(target.subarray(0, some.length), some);
    }),
    { seed: 58 },
  );
});

test('characters outside the alphabet and results longer than the target are refused', () => {
  for (const text of ['0', 'O', 'I', 'l', ' 1', 'é', '1111A+']) {
    const ascii = Buffer.from(text, 'latin1');
    assert.equal(decodeBase58Bytes(ascii, 0, ascii.length, new Uint8Array(64)), -1, text);
  }
  const ascii = Buffer.from(encodeBase58(new Uint8Array(33).fill(255)));
  assert.equal(decodeBase58Bytes(ascii, 0, ascii.length, new Uint8Array(32)), -1);
  assert.equal(decodeBase58Bytes(Buffer.from('1'.repeat(33)), 0, 33, new Uint8Array(32)), -1);
});

test('the bytes of a key are only written if the text is the base58 of exactly 32 bytes', () => {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i);
  const target = new Uint8Array(40);
  writeBase58Key(encodeBase58(key), target, 4);
  assert.deepEqual(target.subarray(4, 36), key);
  assert.deepEqual([...target.subarray(36)], [0, 0, 0, 0]);
  for (const text of [
    '',
    encodeBase58(new Uint8Array(31).fill(9)),
    encodeBase58(new Uint8Array(33).fill(9)),
    '1'.repeat(44),
    'ł'.repeat(40),
  ])
    assert.throws(() => writeBase58Key(text, target), {
      name: 'RangeError',
      message: 'not 32 bytes in base58',
    });
});

test('ranges with more bytes than the encoder supports are refused', () => {
  const many = new Uint8Array(300).fill(7);
  assert.equal(encodeBase58(many, 100, 228), getBase58Codec().decode(many.subarray(0, 128)));
  for (const [start, end] of [
    [100, 229],
    [0, 300],
    [101, 300],
  ] as const)
    assert.throws(() => encodeBase58(many, start, end), RangeError);
});
