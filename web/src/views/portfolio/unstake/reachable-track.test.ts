// Tests that the slider selects only possible amounts, reaches both ends, and shades the ranges that the
// service reports.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nearestAmounts } from '../../../../../src/domain/plan/amount-ranges.ts';
import {
  amountAt,
  mostOf,
  movedAmount,
  positionOf,
  rangesOf,
  shadedParts,
  TRACK_STEPS,
} from './reachable-track.ts';

const SOL = 1_000_000_000n;
const ranges = rangesOf({
  reachable: [
    { fromSol: 1, toSol: 9 },
    { fromSol: 12.5, toSol: 12.5 },
    { fromSol: 14, toSol: 20 },
  ],
});

it('every position is a possible amount, in ascending order, from zero to everything', () => {
  const amounts = Array.from({ length: TRACK_STEPS + 1 }, (_, position) => amountAt(position, ranges));
  assert.equal(amounts[0], 0n);
  assert.equal(amounts.at(-1), 20n * SOL);
  for (const [index, amount] of amounts.entries()) {
    if (index > 0) assert.ok(nearestAmounts(ranges, amount).isReachable, String(amount));
    if (index > 0) assert.ok(amount >= amounts[index - 1]!, String(index));
  }
  assert.ok(amounts.includes(12_500_000_000n), 'a range of a single amount has a position');
  assert.equal(amountAt(250, ranges), 5n * SOL);
  assert.equal(amountAt(251, ranges), 5n * SOL, 'round amounts');
});

it('each amount is at its own position, and an amount that is too large is at the end', () => {
  assert.equal(positionOf(5n * SOL, ranges), 250);
  assert.equal(positionOf(99n * SOL, ranges), TRACK_STEPS);
  assert.equal(positionOf(null, ranges), 0);
});

it('the shaded parts are the ranges, as shares of the maximum', () => {
  assert.deepEqual(shadedParts(ranges), [
    { from: 5, width: 40 },
    { from: 62.5, width: 0 },
    { from: 70, width: 30 },
  ]);
});

it('without possible amounts there are no positions to choose', () => {
  assert.equal(mostOf([]), 0n);
  assert.equal(positionOf(SOL, []), 0);
  assert.deepEqual(shadedParts([]), []);
  assert.equal(amountAt(500, []), 0n);
});

it('arrow keys step over every gap, up to the maximum and down to zero', () => {
  let amount = 0n;
  for (let presses = 0; amount < 20n * SOL; presses += 1) {
    const next = movedAmount(positionOf(amount, ranges) + 1, amount, ranges);
    assert.ok(next > amount && presses < TRACK_STEPS, String(amount));
    amount = next;
  }
  for (let presses = 0; amount > 0n; presses += 1) {
    const next = movedAmount(positionOf(amount, ranges) - 1, amount, ranges);
    assert.ok(next < amount && presses < TRACK_STEPS, String(amount));
    amount = next;
  }
});
