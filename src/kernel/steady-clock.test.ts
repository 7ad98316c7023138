// Time for ages: what it says after a wall clock was set back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutStepsBack } from './clock.ts';

test('it goes with the wall clock, forward by any step, and on from where it was when that is set back, each time', () => {
  let wallMs = 1_000;
  const steadyNow = withoutStepsBack(() => wallMs);
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
