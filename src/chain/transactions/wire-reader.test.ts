// Lengths are read the way the runtime reads them, and never past the end.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAppError } from '../../kernel/app-error.ts';
import { WireReader } from './wire-reader.ts';

const compactOf = (...bytes: number[]) => new WireReader(Uint8Array.from(bytes)).compact('count');
const refusal = (read: () => unknown, why: RegExp) =>
  assert.throws(read, (error) => isAppError(error, 'INVALID_TRANSACTION') && why.test(error.message));

describe('compact lengths', () => {
  test('are read in one, two and three bytes, up to the limits of each', () => {
    for (const [value, ...bytes] of [
      [0, 0],
      [1, 1],
      [127, 0x7f],
      [128, 0x80, 0x01],
      [16_383, 0xff, 0x7f],
      [16_384, 0x80, 0x80, 0x01],
      [65_535, 0xff, 0xff, 0x03],
    ] as const)
      assert.equal(compactOf(...bytes), value);
  });

  test('are refused if they exceed 16 bits, take four bytes, are longer than necessary or are truncated', () => {
    refusal(() => compactOf(0x80, 0x80, 0x04), /out of range/);
    refusal(() => compactOf(0x80, 0x80, 0x80, 0x00), /out of range/);
    refusal(() => compactOf(0x80, 0x00), /shortest form/);
    refusal(() => compactOf(0xff, 0x80, 0x00), /shortest form/);
    for (const bytes of [[], [0x80], [0xff, 0xff]])
      refusal(() => compactOf(...bytes), /ends inside the count/);
  });
});

describe('reading forward', () => {
  const bytes = Uint8Array.of(1, 2, 3, 4);

  test('reads up to the last byte and no further', () => {
    const reader = new WireReader(bytes, 1);
    assert.equal(reader.byte('head'), 2);
    assert.equal(reader.position, 2);
    refusal(() => reader.end('body'), /extra bytes follow the body/);
    refusal(() => reader.take(3, 'body'), /ends inside the body/);
    assert.equal(reader.position, 2, 'a refused read does not advance the reader');
    assert.deepEqual(reader.take(2, 'body'), Uint8Array.of(3, 4));
    reader.end('body');
    assert.deepEqual(reader.take(0, 'nothing'), new Uint8Array());
    refusal(() => reader.byte('tail'), /ends inside the tail/);
  });
});
