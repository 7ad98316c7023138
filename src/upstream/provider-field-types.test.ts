import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import * as types from './provider-field-types.ts';

const accepts = (schema: z.ZodType, cases: readonly (readonly [unknown, unknown])[]): void => {
  for (const [raw, expected] of cases) assert.deepEqual(schema.parse(raw), expected, String(raw));
};

const refuses = (schema: z.ZodType, cases: readonly unknown[]): void => {
  for (const raw of cases) assert.equal(schema.safeParse(raw).success, false, String(raw));
};

const noNumbers = [
  '5',
  'NaN',
  '',
  true,
  [],
  [5],
  {},
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -Number.MAX_VALUE,
];

test('a percentage is a finite number from 0 to 100, never a string that looks like one', () => {
  accepts(types.percent, [
    [0, 0],
    [100, 100],
    [99.97, 99.97],
    [-0, 0],
  ]);
  assert.ok(Object.is(types.percent.parse(-0), 0));
  refuses(types.percent, [...noNumbers, -0.0001, 100.0001]);
});

test('basis points and epochs are integers', () => {
  accepts(types.basisPoints, [
    [0, 0],
    [10_000, 10_000],
  ]);
  refuses(types.basisPoints, [...noNumbers, 0.5, 10_001, -1]);
  refuses(types.epochNumber, [...noNumbers, 1_000_001, 1.5, 2 ** 53]);
});

test('a yield of more than 1,000 percent is refused', () => {
  accepts(types.yieldPct, [[1_000, 1_000]]);
  refuses(types.yieldPct, [...noNumbers, 1_000.1, -0.1]);
});

test('lamports keep every digit, and are refused if a double has already lost digits', () => {
  accepts(types.lamports, [
    [0, 0n],
    [4_438_669_326, 4_438_669_326n],
    [12_000_000_500_000_001n, 12_000_000_500_000_001n],
    [10n ** 18n, 10n ** 18n],
  ]);
  refuses(types.lamports, [...noNumbers, 1.5, -1, -1n, 2 ** 53, 10n ** 18n + 1n, '4438669326']);
});

test('text loses control and direction characters, keeps emoji and letters of any script, and is cut at whole characters', () => {
  const text = types.plainText(10);
  accepts(text, [
    ['  Ours  ', 'Ours'],
    ['a\r\nb\u0000c\u001b[31m', 'a b c [31m'],
    ['a\u202Eb\u2066c', 'a b c'],
    ['🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀', '🦀'.repeat(10)],
    ['検証者', '検証者'],
    ['x'.repeat(5_000_000), 'x'.repeat(10)],
    ['a\ud800', 'a\ufffd'],
  ]);
  refuses(text, ['', '   ', '\u0000\u0001', 5, {}, []]);
});

test('a web address is http or https without user info', () => {
  accepts(types.webUrl, [
    ['https://example.org', 'https://example.org/'],
    ['http://example.org/a b', 'http://example.org/a%20b'],
  ]);
  refuses(types.webUrl, [
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user:password@example.org',
    'example.org',
    '',
    5,
    `https://example.org/${'x'.repeat(3_000)}`,
  ]);
});

test('an address is 32 bytes, encoded in base58', () => {
  accepts(types.addressText, [
    ['Vote111111111111111111111111111111111111111', 'Vote111111111111111111111111111111111111111'],
  ]);
  refuses(types.addressText, ['', 'abc', '0'.repeat(43), 'x'.repeat(1_000_000), 5, null]);
});
