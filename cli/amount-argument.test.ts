// Tests that amounts on the command line are exact to the lamport, or refused before any request to the
// service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lamportsToSol } from '../client/sol-amount.ts';
import { isAmount } from './act/resolve-arguments.ts';
import { readAmount, readWholeNumber } from './amount-argument.ts';
import { UsageError } from './usage-error.ts';

test('every amount of lamports is kept exactly, apart from redundant zeros', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 9_000_000_000_000_000n }), (lamports) => {
      const text = lamportsToSol(lamports);
      assert.equal(readAmount(text), text);
    }),
    { seed: 7 },
  );
  assert.deepEqual(
    ['2.50', '0.000000001', '10'].map((text) => readAmount(text)),
    ['2.5', '0.000000001', '10'],
  );
});

test('an amount may be followed by its unit', () => {
  for (const text of ['1.5SOL', '1.5Sol', '1.50sol']) assert.equal(readAmount(text), '1.5', text);
  assert.deepEqual(['2SOL', '2.5sol', 'ALL', '2SoLx', 'SOL', '9WzD'].map(isAmount), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  for (const text of ['SOL', '0SOL', '1.5 SOLS', '-1SOL'])
    assert.throws(() => readAmount(text), UsageError, text);
});

test("zero, negative amounts, more than 9 decimals and text are refused with the argument's name", () => {
  for (const text of [
    '0',
    '0.0',
    '-1',
    '1e3',
    '',
    ' ',
    '1,500',
    ',5',
    '0.0000000001',
    'NaN',
    'Infinity',
    '0x1',
  ])
    assert.throws(
      () => readAmount(text, '--max-stake'),
      (error: Error) =>
        error instanceof UsageError &&
        error.message.startsWith('--max-stake must be a number of SOL greater than 0'),
      text,
    );
});

test('a decimal comma is refused with a suggestion of the same amount with a point, unless the comma may separate thousands', () => {
  for (const [text, meant] of [
    ['1,5', '1.5'],
    ['2,2500', '2.2500'],
  ] as const)
    assert.throws(() => readAmount(text), { message: `use a decimal point: ${meant}` });
});

test('a whole number must be within its limits, and a switch or a missing value is read as undefined', () => {
  const read = (text: string | boolean | undefined) => readWholeNumber(text, '--limit', [1, 100]);
  assert.deepEqual([read('1'), read('100'), read('007')], [1, 100, 7]);
  assert.deepEqual([read(undefined), read(true)], [undefined, undefined]);
  for (const text of ['0', '101', '1.5', '-1', '', 'x', '1e2', '9999999999'])
    assert.throws(() => read(text), /--limit must be a whole number from 1 to 100/, text);
});
