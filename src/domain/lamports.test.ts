import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  formatSol,
  LAMPORTS_PER_SOL,
  lamportsNumber,
  MAX_AMOUNT_SOL,
  parseSol,
  solNumber,
} from './lamports.ts';

const U64_MAX = 2n ** 64n - 1n;
const anyLamports = fc.bigInt({ min: -U64_MAX, max: U64_MAX });

test('every notation that people use for amounts is parsed', () => {
  for (const [literal, lamports] of [
    ['1', 1_000_000_000n],
    ['0.1', 100_000_000n],
    ['1.000000001', 1_000_000_001n],
    ['9000000', BigInt(MAX_AMOUNT_SOL) * LAMPORTS_PER_SOL],
    ['8999999.999999999', 8_999_999_999_999_999n],
    ['0.30000000000', 300_000_000n],
    ['1e-9', 1n],
    ['1E+2', 100_000_000_000n],
    ['12.5e-1', 1_250_000_000n],
    ['-0.5', -500_000_000n],
    ['0', 0n],
    ['-0', 0n],
    ['0e5', 0n],
    ['0.000000000000', 0n],
  ] as const) {
    assert.equal(parseSol(literal), lamports, literal);
  }
});

test('more than nine significant decimals are refused, whatever the notation', () => {
  for (const literal of [
    '0.0000000001',
    '1.0000000001',
    '1e-10',
    '15e-10',
    '123.4567890123',
    '1e-400',
    '0.1e-9',
    `1e-${'9'.repeat(30)}`,
  ]) {
    assert.equal(parseSol(literal), 'too_many_decimals', literal);
  }
});

test('text that is not a JSON number, or that JSON.parse turns into Infinity, is refused', () => {
  for (const literal of [
    '',
    '.',
    '1.',
    '.5',
    '+1',
    '1e',
    '0x10',
    'NaN',
    'Infinity',
    '1_000',
    '1 ',
    ' 1',
    '1,5',
    '--1',
    '1e309',
    `1e${'9'.repeat(30)}`,
  ]) {
    assert.equal(parseSol(literal), 'not_a_number', literal);
  }
});

test('a finite number far out of range is parsed, so that it is refused because of its range', () => {
  assert.equal(parseSol('1e308'), 10n ** 317n);
  assert.equal(parseSol('9000000000000000000000000000000000000'), 9n * 10n ** 45n);
});

test('a formatted amount is parsed back exactly, with any number of padding zeros', () => {
  fc.assert(
    fc.property(anyLamports, fc.nat(30), (lamports, zeros) => {
      const literal = formatSol(lamports);
      const padded = literal.includes('.') ? literal + '0'.repeat(zeros) : `${literal}.0${'0'.repeat(zeros)}`;
      assert.equal(parseSol(literal), lamports);
      assert.equal(parseSol(padded), lamports);
    }),
    { numRuns: 1_000 },
  );
});

test('shifting the decimal point and adjusting the exponent yields the same amount', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: U64_MAX }),
      fc.integer({ min: -40, max: 40 }),
      (lamports, shift) => {
        const digits = lamports.toString();
        const zeros = '0'.repeat(Math.abs(shift));
        const literal =
          shift >= 0
            ? `${digits}${zeros}e${-shift - 9}`
            : `0.${zeros}${digits}e${-shift + digits.length - 9}`;
        assert.equal(parseSol(literal), lamports, literal);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('every literal yields exactly the amount that it denotes, or is refused', () => {
  const digits = fc.stringMatching(/^\d{1,12}$/);
  fc.assert(
    fc.property(digits, digits, fc.integer({ min: -15, max: 15 }), (whole, fraction, exponent) => {
      const scaled = BigInt(whole + fraction) * 10n ** 40n;
      const lamports = (scaled * 10n ** BigInt(exponent - fraction.length + 9 + 40)) / 10n ** 40n;
      const expected = lamports % 10n ** 40n === 0n ? lamports / 10n ** 40n : 'too_many_decimals';
      assert.equal(parseSol(`${whole}.${fraction}e${exponent}`), expected);
    }),
    { numRuns: 1_000 },
  );
});

test('a literal as long as a whole request body is parsed in linear time', () => {
  const zeros = '0'.repeat(60_000);
  assert.equal(parseSol(`0.1${zeros}1`), 'too_many_decimals');
  assert.equal(parseSol(`0.1${zeros}`), 100_000_000n);
  assert.equal(parseSol(`${zeros}1`), 1_000_000_000n);
  assert.equal(parseSol(`1${zeros}`), 'not_a_number');
});

test('a formatted amount has no trailing zeros and no bare decimal point, and keeps the sign', () => {
  assert.equal(formatSol(0n), '0');
  assert.equal(formatSol(1n), '0.000000001');
  assert.equal(formatSol(-1_500_000_000n), '-1.5');
  assert.equal(formatSol(10_000_000_000n), '10');
  assert.equal(formatSol(U64_MAX), '18446744073.709551615');
});

test('a SOL field in JSON is exact to the lamport at any size', () => {
  fc.assert(
    fc.property(anyLamports, (lamports) => {
      const json = JSON.stringify({ sol: solNumber(lamports) });
      assert.equal(parseSol(json.slice('{"sol":'.length, -1)), lamports);
    }),
    { numRuns: 2_000 },
  );
});

test('JSON is exact both below and above the size at which doubles become too coarse', () => {
  const edge = 2n ** 23n * LAMPORTS_PER_SOL;
  for (const sign of [1n, -1n]) {
    for (let offset = -2_000n; offset <= 2_000n; offset += 1n) {
      const lamports = sign * (edge + offset);
      assert.equal(parseSol(JSON.stringify(solNumber(lamports))), lamports);
    }
  }
  assert.equal(typeof solNumber(edge - 1n), 'number');
});

test('lamports in JSON are exact integers at any size', () => {
  fc.assert(
    fc.property(anyLamports, (lamports) => {
      assert.equal(JSON.stringify(lamportsNumber(lamports)), lamports.toString());
    }),
    { numRuns: 1_000 },
  );
  for (const lamports of [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 0n]) {
    assert.equal(JSON.stringify(lamportsNumber(lamports)), lamports.toString());
  }
});
