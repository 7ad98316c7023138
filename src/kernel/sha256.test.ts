// SHA-256 equals Node's for every length around the block boundaries, and for random bytes.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sha256 } from './sha256.ts';

test('sha256 equals the hash of node:crypto for every length from 0 to 300 bytes', () => {
  for (let length = 0; length <= 300; length += 1) {
    const bytes = randomBytes(length);
    assert.deepEqual(Buffer.from(sha256(bytes)), createHash('sha256').update(bytes).digest(), `${length}`);
  }
});

test('sha256 of abc equals the published hash', () => {
  assert.equal(
    Buffer.from(sha256(Buffer.from('abc'))).toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
