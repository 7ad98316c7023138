import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSearchBudget } from './search-budget.ts';

const budgetAt = (start: number) => {
  let nowMs = start;
  const budget = createSearchBudget(() => nowMs, { burst: 3, perSecond: 2 });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { take: () => budget.take(), pass };
};

test('the search budget allows a burst immediately, then no calls until time has passed', () => {
  const { take, pass } = budgetAt(1_000);
  assert.deepEqual([take(), take(), take(), take()], [true, true, true, false]);
  pass(499);
  assert.equal(take(), false);
  pass(1);
  assert.deepEqual([take(), take()], [true, false]);
});

test('the budget never refills beyond the burst, nor when the clock is set back', () => {
  const { take, pass } = budgetAt(1_000_000);
  for (let call = 0; call < 3; call += 1) take();
  pass(-500_000);
  assert.equal(take(), false);
  pass(3_600_000);
  assert.deepEqual([take(), take(), take(), take()], [true, true, true, false]);
});
