// Tests the rules of the amount field: exact to the lamport, limits in words, and a slider that reaches both
// ends.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type AmountLimits,
  amountAt,
  limitsOf,
  positionOf,
  readAmount,
  SLIDER_STEPS,
  ticksOf,
} from './amount-limits.ts';

const SOL = 1_000_000_000n;
const LIMITS: AmountLimits = {
  minimumLamports: 1_001_666_240n,
  availableLamports: 100n * SOL - 5_000_000n,
  reserveLamports: 5_000_000n,
  rentLamports: 1_666_240n,
};

it('amounts are parsed exactly, in any notation', () => {
  const read = (text: string) => readAmount(text, LIMITS).lamports;
  assert.equal(read('1.123456789'), 1_123_456_789n);
  assert.equal(read('2.'), 2n * SOL);
  assert.equal(read('.5'), SOL / 2n);
  assert.equal(read('0.1'), 100_000_000n);
  assert.equal(read(''), null);
  assert.equal(read('1.2.3'), null);
});

it('each limit has its own message, and an amount within them has none', () => {
  const problem = (text: string) => readAmount(text, LIMITS).problem;
  assert.equal(problem('1.00166624'), null);
  assert.match(problem('1.001666239')!, /minimum is 1\.00166624 SOL/);
  assert.equal(problem('99.995'), null);
  assert.match(problem('99.995000001')!, /up to 99\.995 SOL; 0\.005 SOL is reserved/);
  assert.match(problem('1.0000000001')!, /9 decimals/);
  assert.match(problem('1..')!, /valid amount/);
  assert.equal(problem(''), null);
});

it('both ends of the slider are exact, and every position maps back to itself', () => {
  for (const limits of [
    LIMITS,
    { ...LIMITS, availableLamports: null },
    { ...LIMITS, availableLamports: 2n * SOL },
  ]) {
    assert.equal(amountAt(0, limits), '1.00166624');
    const highest = readAmount(amountAt(SLIDER_STEPS, limits), null).lamports!;
    assert.equal(highest, limits.availableLamports ?? 100n * SOL);
    for (let position = 0; position <= SLIDER_STEPS; position += 1) {
      const { lamports, problem } = readAmount(amountAt(position, limits), limits);
      assert.equal(problem, null, `${position}: ${lamports}`);
      assert.ok(
        Math.abs(positionOf(lamports, limits) - position) <= 1,
        `${position} comes back as ${positionOf(lamports, limits)}`,
      );
    }
  }
});

it('ticks are shares of the available SOL on the linear scale, and none is below the minimum', () => {
  const shown = (availableLamports: bigint | null) =>
    ticksOf({ ...LIMITS, availableLamports }).map(({ label, lamports }) => [label, lamports]);
  assert.deepEqual(shown(100n * SOL), [
    ['25%', 25n * SOL],
    ['50%', 50n * SOL],
    ['75%', 75n * SOL],
  ]);
  assert.deepEqual(shown(2n * SOL), [['75%', (3n * SOL) / 2n]]);
  assert.deepEqual(
    shown(null).map(([label]) => label),
    ['25 SOL', '50 SOL', '75 SOL'],
  );
  for (const { lamports, place } of ticksOf(LIMITS))
    assert.equal(positionOf(lamports, LIMITS), Math.round(place * SLIDER_STEPS));
});

it('a wallet with less than the minimum has a fixed slider', () => {
  const poor = { ...LIMITS, availableLamports: 0n };
  assert.equal(positionOf(5n * SOL, poor), 0);
  assert.equal(amountAt(0, poor), '1.00166624');
});

it('without a wallet the cluster’s limits apply, and with one the wallet’s', () => {
  const simulated = {
    amountSol: 10,
    delegatedSol: 9.99833376,
    feeReserve: { recommendedSol: 0.005, minimumStakeSol: 1.00166624 },
  };
  assert.equal(limitsOf(undefined, undefined), null);
  assert.deepEqual(limitsOf(undefined, simulated), { ...LIMITS, availableLamports: null });
  assert.deepEqual(limitsOf({ minimumStakeSol: 2, availableToStake: 3.5, reserveForFees: 0.01 }, simulated), {
    minimumLamports: 2n * SOL,
    availableLamports: 3_500_000_000n,
    reserveLamports: 10_000_000n,
    rentLamports: 1_666_240n,
  });
});
