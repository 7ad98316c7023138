// Tests that typed amounts are converted to lamports exactly, invalid ones are explained, and an ambiguous
// thousands separator is never guessed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSol } from './read-sol.ts';

const SOL = 1_000_000_000n;

describe('a typed amount', () => {
  it('is parsed to the lamport, even while it is being typed', () => {
    const amounts: readonly [string, bigint][] = [
      ['1', SOL],
      ['0', 0n],
      ['8388609.000000001', 8_388_609_000_000_001n],
      ['5.', 5n * SOL],
      ['.5', SOL / 2n],
      ['1.5000000000', 1_500_000_000n],
      ['1,', SOL],
      [',5', SOL / 2n],
      ['1,25', 1_250_000_000n],
      ['0,125', 125_000_000n],
      ['1,2345', 1_234_500_000n],
      ['2.512', 2_512_000_000n],
      ['0.500', SOL / 2n],
      ['1,234.5', 1_234_500_000_000n],
      ['1.234,5', 1_234_500_000_000n],
      ['1,234,567', 1_234_567n * SOL],
      ['1.234.567', 1_234_567n * SOL],
      ['1 234,5', 1_234_500_000_000n],
      ['1\u202f234\u00a0567', 1_234_567n * SOL],
      ["1'234.5", 1_234_500_000_000n],
      [' 2.5 SOL ', 2_500_000_000n],
      ['1e-7', 100n],
      ['1e3', 1000n * SOL],
    ];
    for (const [text, lamports] of amounts)
      assert.deepEqual(readSol(text), { lamports, problem: null }, text);
  });

  it('is not a mistake while it is empty', () => {
    assert.deepEqual(readSol(''), { lamports: null, problem: null });
  });

  it('that could mean a thousand times as much is questioned, with both amounts to choose from', () => {
    for (const [text, small, large] of [
      ['2,500', '2.5', '2500'],
      ['12,500', '12.5', '12500'],
      ['1,000', '1', '1000'],
      ['3,085', '3.085', '3085'],
      ['2.500', '2.5', '2500'],
      ['2,500 SOL', '2.5', '2500'],
    ] as const) {
      const { lamports, problem, choices } = readSol(text);
      assert.equal(lamports, null, text);
      assert.equal(problem, `Did you mean ${small} or ${large} SOL?`);
      assert.deepEqual(choices, [small, large]);
      for (const choice of choices!) assert.notEqual(readSol(choice).lamports, null, choice);
    }
  });

  it('never turns 2,500 into an amount without asking, at any keystroke', () => {
    const seen = ['2', '2,', '2,5', '2,50', '2,500'].map((text) => readSol(text).lamports);
    assert.deepEqual(seen, [2n * SOL, 2n * SOL, 2_500_000_000n, 2_500_000_000n, null]);
  });

  it('is refused if it is invalid', () => {
    for (const text of [
      ...['.', '1.2.3', '1e', 'abc', '..5', '-5', '-0.1', '10-20', '1x5', '1,2,3', '0x10', '5 or 6'],
    ]) {
      const { lamports, problem } = readSol(text);
      assert.equal(lamports, null, text);
      assert.match(problem!, /valid amount/, text);
    }
    assert.match(readSol('1.0000000001').problem!, /9 decimals/);
  });
});
