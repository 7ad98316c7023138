// Ages and the steady clock stay correct after the wall clock has been set back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageMs, nowWithoutBackwardSteps } from './clock.ts';

test('an age is the elapsed time, or infinite for a time in the future', () => {
  assert.deepEqual(
    [ageMs(1_000, 1_000), ageMs(1_000, 3_500), ageMs(1_000, 999)],
    [0, 2_500, Number.POSITIVE_INFINITY],
  );
});

test('the steady clock follows every forward step of the wall clock and continues from its last value if the wall clock is set back', () => {
  let wallMs = 1_000;
  const steadyNow = nowWithoutBackwardSteps(() => wallMs);
  assert.equal(steadyNow(), 1_000);
  wallMs += 5_000;
  assert.equal(steadyNow(), 6_000);
  for (const backMs of [3_600_000, 1]) {
    const before = steadyNow();
    wallMs -= backMs;
    assert.equal(steadyNow(), before);
    wallMs += 70;
    assert.equal(steadyNow(), before + 70);
  }
});
