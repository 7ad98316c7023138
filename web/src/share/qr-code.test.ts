// A QR code says its text: on 2026-11-23 the codes of all lengths from 1 to 213 bytes were read back by an independent decoder (npm `qr` 0.7.0); the sum holds a quarter of them fast.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { qrCode } from './qr-code.ts';

const drawn = (text: string): string =>
  qrCode(text)!
    .map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))
    .join('\n');

it('a text of any length makes the code that was read back', () => {
  const sum = createHash('sha256');
  for (let length = 1; length <= 213; length += 4) sum.update(drawn(textOf(length)));
  assert.equal(sum.digest('hex'), '334777465d87409c0329c26474ec682e5eda869c64b8ae1fba036e0e2324ee4c');
});

it('the smallest version that holds the text is taken, and none where it does not fit', () => {
  for (const [length, size] of [
    [14, 21],
    [15, 25],
    [62, 33],
    [180, 53],
    [181, 57],
    [213, 57],
  ] as const)
    assert.equal(qrCode(textOf(length))?.length, size, String(length));
  assert.equal(qrCode(textOf(214)), null);
});

const textOf = (length: number): string =>
  'https://stake.example/?amount=5&x='.padEnd(length, 'aZ9~/-').slice(0, length);
