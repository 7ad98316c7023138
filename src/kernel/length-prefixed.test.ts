import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthPrefixed } from './length-prefixed.ts';

test('each part is preceded by its length in bytes', () => {
  assert.deepEqual(
    Buffer.from(lengthPrefixed(['ab', '', 'é'])).toString('hex'),
    ['02000000', '6162', '00000000', '02000000', 'c3a9'].join(''),
  );
  assert.equal(lengthPrefixed([]).length, 0);
});

test('different lists of texts never have the same bytes, even if they split the same characters differently', () => {
  const texts = ['', 'a', 'aa', '\u0001', '\u0001\0\0\0', '\u0001\0\0\0a', 'a\u0001\0\0\0'];
  const lists = texts.flatMap((a) => [
    [a],
    ...texts.flatMap((b) => [
      [a, b],
      [a, b, ''],
    ]),
  ]);
  const seen = new Set(lists.map((list) => Buffer.from(lengthPrefixed(list)).toString('hex')));
  assert.equal(seen.size, lists.length);
});
