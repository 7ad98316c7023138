// Tests that base64 encoding and decoding preserves transactions byte for byte.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fromBase64, toBase64 } from './base64.ts';

describe('base64', () => {
  it('matches Node’s encoding for every byte, every length modulo 3 and the longest transaction', () => {
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    for (const bytes of [
      new Uint8Array(),
      ...[1, 2, 3, 4].map((length) => every.subarray(256 - length)),
      every,
      new Uint8Array(1232).fill(0xfb),
    ]) {
      const text = Buffer.from(bytes).toString('base64');
      assert.equal(toBase64(bytes), text);
      assert.deepEqual(fromBase64(text), Uint8Array.from(bytes));
    }
  });

  it('refuses invalid text instead of decoding the valid part', () => {
    for (const text of ['AAA$', 'A', 'AA-_', 'AAAA=', 'ä'])
      assert.throws(() => fromBase64(text), { name: 'InvalidCharacterError' }, text);
  });
});
