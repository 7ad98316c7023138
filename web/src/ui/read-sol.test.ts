// Typed amounts become lamports without a double in between, and what is none is explained.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSol, typedSol } from './read-sol.ts';

describe('an amount as typed', () => {
  it('is read to the lamport, also while it is being typed', () => {
    const amounts: readonly [string, bigint][] = [
      ['1', 1_000_000_000n],
      ['0', 0n],
      ['8388609.000000001', 8_388_609_000_000_001n],
      ['5.', 5_000_000_000n],
      ['.5', 500_000_000n],
      ['1.5000000000', 1_500_000_000n],
    ];
    for (const [text, lamports] of amounts)
      assert.deepEqual(readSol(text), { lamports, problem: null }, text);
  });

  it('nothing yet is no mistake', () => {
    assert.deepEqual(readSol(''), { lamports: null, problem: null });
  });

  it('what is none is told as what it is', () => {
    for (const text of ['.', '1.2.3', '1e', 'abc', '..5', '-5', '-0.1', '1,000']) {
      const { lamports, problem } = readSol(text);
      assert.equal(lamports, null, text);
      assert.match(problem!, /not an amount/, text);
    }
    const fine = readSol('1.0000000001');
    assert.equal(fine.lamports, null);
    assert.match(fine.problem!, /nine decimals/);
  });
});

describe('what a field makes of typing and pasting', () => {
  it('a decimal comma is a dot, and what groups digits is left out', () => {
    for (const [text, typed] of [
      ['', ''],
      ['1,', '1.'],
      [',5', '.5'],
      ['1,25', '1.25'],
      ['0,125', '0.125'],
      ['1,2345', '1.2345'],
      ['1,234.5', '1234.5'],
      ['1.234,5', '1234.5'],
      ['1,234,567', '1234567'],
      ['1.234.567', '1234567'],
      ['1 234,5', '1234.5'],
      ['1\u202f234\u00a0567', '1234567'],
      ["1'234.5", '1234.5'],
      [' 2.5 SOL ', '2.5'],
    ] as const)
      assert.equal(typedSol(text), typed, text);
  });

  it('nothing becomes another amount: what is none stays so, and what is small stays small', () => {
    for (const text of ['10-20', '-5', '1x5', '1,2,3', '1.2.3', '1,000', '0x10', '5 or 6'])
      assert.match(readSol(typedSol(text)).problem ?? '', /not an amount/, text);
    assert.equal(readSol(typedSol('1e-7')).lamports, 100n);
    assert.equal(readSol(typedSol('1e3')).lamports, 1_000_000_000_000n);
  });
});
