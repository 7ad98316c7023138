// Tests that every lamport survives the conversion to JSON and back, and that invalid amounts are never sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lamportsToSol, solToLamports, writeExactJson } from './sol-amount.ts';

test('every amount of lamports survives the conversion to SOL text and back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 9_000_000_000_000_000_000n }), (lamports) => {
      assert.equal(solToLamports(lamportsToSol(lamports)), lamports);
    }),
  );
});

test('every amount that a JSON number represents exactly is read back from that number without loss', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 8_388_608_000_000_000n }), (lamports) => {
      assert.equal(solToLamports(Number(lamportsToSol(lamports))), lamports);
    }),
  );
});

test('above 8,388,608 SOL, two amounts can have the same JSON number, but text distinguishes them', () => {
  const [one, other] = ['8999999.000000001', '8999999.000000002'];
  assert.equal(Number(one), Number(other));
  assert.equal(solToLamports(other) - solToLamports(one), 1n);
  assert.equal(writeExactJson({ amountSol: other }), '{"amountSol":8999999.000000002}');
});

test('invalid amounts are refused: negative, an exponent, a tenth decimal, empty', () => {
  for (const amount of [
    -1,
    0.1 + 0.2,
    1e-10,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    '1e3',
    '-1',
    '.5',
    '1.',
  ])
    assert.throws(() => solToLamports(amount), RangeError, String(amount));
  assert.throws(() => writeExactJson({ amountSol: '1,5' }), RangeError);
});

test('SOL amounts are formatted without exponents or trailing zeros', () => {
  assert.deepEqual([0n, 1n, 1_500_000_000n, 3_000_000_000n, -10n].map(lamportsToSol), [
    '0',
    '0.000000001',
    '1.5',
    '3',
    '-0.00000001',
  ]);
  assert.deepEqual([1e-9, 0, 2.5].map(solToLamports), [1n, 0n, 2_500_000_000n]);
});

test('in a request body, only amounts given as text lose their quotes, and absent fields are omitted', () => {
  assert.equal(
    writeExactJson({
      walletAddress: '1.5',
      amountSol: '01.50',
      note: 'a"b',
      none: undefined,
      amount: null,
      keepSol: 2,
    }),
    '{"walletAddress":"1.5","amountSol":1.5,"note":"a\\"b","amount":null,"keepSol":2}',
  );
});
