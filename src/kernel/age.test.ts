import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageMs } from './clock.ts';

test('an age is the time since, and endless for what lies ahead', () => {
  assert.deepEqual(
    [ageMs(1_000, 1_000), ageMs(1_000, 3_500), ageMs(1_000, 999)],
    [0, 2_500, Number.POSITIVE_INFINITY],
  );
});
