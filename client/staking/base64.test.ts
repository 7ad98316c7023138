// Transactions survive base64, and keys and signatures survive base58, byte for byte.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toBase58 } from '../../web/src/wallet/base58.ts';
import { fromBase64, toBase64 } from './base64.ts';

describe('base64', () => {
  it('equals Node’s, for every byte, every remainder and the longest transaction', () => {
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

  it('invalid text is refused rather than read in part', () => {
    for (const text of ['AAA$', 'A', 'AA-_', 'AAAA=', 'ä'])
      assert.throws(() => fromBase64(text), { name: 'InvalidCharacterError' }, text);
  });
});

describe('base58', () => {
  it('keeps every leading zero byte as a 1', () => {
    for (const [bytes, text] of [
      [[], ''],
      [[0], '1'],
      [[0, 0, 1], '112'],
      [[57], 'z'],
      [[58], '21'],
      [new Array<number>(32).fill(0), '1'.repeat(32)],
      [[...new TextEncoder().encode('Hello World!')], '2NEpo7TZRRrLZSi2U'],
      [[0, 0, 0x28, 0x7f, 0xb4, 0xcd], '11233QC4'],
    ] as const)
      assert.equal(toBase58(bytes), text);
  });

  it('accepts views into larger buffers and plain arrays, as wallets return them', () => {
    const buffer = Uint8Array.of(9, 0, 58, 9);
    assert.equal(toBase58(buffer.subarray(1, 3)), '121');
    assert.equal(toBase58([0, 58]), '121');
  });
});
