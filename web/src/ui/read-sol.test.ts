// Typed amounts become lamports without a double in between, and what is none is explained.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSol } from './read-sol.ts';

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
    for (const text of ['.', '1.2.3', '1e', 'abc', '..5']) {
      const { lamports, problem } = readSol(text);
      assert.equal(lamports, null, text);
      assert.match(problem!, /not an amount/, text);
    }
    const fine = readSol('1.0000000001');
    assert.equal(fine.lamports, null);
    assert.match(fine.problem!, /nine decimals/);
  });
});
