import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration } from './duration.ts';

test('a duration is shown in its largest unit and the next smaller one without zeros, and a negative one as 0 s', () => {
  const cases: readonly [number, string][] = [
    [-5, '0 s'],
    [0, '0 s'],
    [59.4, '59 s'],
    [59.6, '1 min'],
    [192, '3 min 12 s'],
    [3_600, '1 h'],
    [3_605, '1 h'],
    [100_000, '1 d 3 h'],
    [86_460, '1 d'],
  ];
  for (const [seconds, text] of cases) assert.equal(duration(seconds), text);
});
