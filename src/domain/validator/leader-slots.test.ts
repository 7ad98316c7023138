import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaderSlots, MIN_PASSED_SLOTS } from './leader-slots.ts';

test('slots that passed without a block count as skipped, and the skip rate is their share of the passed slots', () => {
  assert.deepEqual(leaderSlots({ assigned: 400, passed: 120, produced: 117 }), {
    assigned: 400,
    passed: 120,
    produced: 117,
    skipped: 3,
    skipRatePct: 2.5,
  });
});

test('the skip rate is reported from the eighth passed slot onwards', () => {
  for (let passed = 0; passed < MIN_PASSED_SLOTS; passed += 1)
    assert.equal(leaderSlots({ assigned: 400, passed, produced: 0 }).skipRatePct, null);
  assert.equal(leaderSlots({ assigned: 400, passed: 8, produced: 8 }).skipRatePct, 0);
  assert.equal(leaderSlots({ assigned: 400, passed: 8, produced: 0 }).skipRatePct, 100);
  assert.equal(leaderSlots({ assigned: null, passed: 9, produced: 8 }).skipRatePct, 11.11);
});

test('a validator without leader slots has not skipped any', () => {
  assert.deepEqual(leaderSlots({ assigned: 0, passed: 0, produced: 0 }), {
    assigned: 0,
    passed: 0,
    produced: 0,
    skipped: 0,
    skipRatePct: null,
  });
});

test('leader slot counts that contradict each other are refused instead of averaged', () => {
  assert.throws(() => leaderSlots({ assigned: 4, passed: 4, produced: 5 }), RangeError);
  assert.throws(() => leaderSlots({ assigned: 4, passed: 5, produced: 5 }), RangeError);
});
