// Operator alerts show amounts and times the way people write them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utcPeriod, utcTime } from '../utc-time.ts';
import { shortSol } from './alert-words.ts';

const AT_MS = Date.parse('2026-11-26T14:02:59Z');
const MINUTE_MS = 60_000;

test('amounts have at most four decimals and are never rounded up', () => {
  const cases: readonly [bigint, string][] = [
    [0n, '0'],
    [1n, 'less than 0.0001'],
    [99_999n, 'less than 0.0001'],
    [100_000n, '0.0001'],
    [6_997_717_120n, '6.9977'],
    [2_999_999_999n, '2.9999'],
    [1_204_500_000_000n, '1,204.5'],
    [-1_204_500_000_001n, '-1,204.5'],
    [7_000_000_000n, '7'],
  ];
  for (const [lamports, text] of cases) assert.equal(shortSol(lamports), text);
});

test('times are in UTC with the month as a word, and a period within one day names the day once', () => {
  assert.equal(utcTime(AT_MS), '26 Nov 2026, 14:02 UTC');
  assert.equal(utcPeriod(AT_MS, AT_MS + 8 * MINUTE_MS), 'from 26 Nov 2026, 14:02 to 14:10 UTC');
  assert.equal(
    utcPeriod(AT_MS, AT_MS + 600 * MINUTE_MS),
    'from 26 Nov 2026, 14:02 UTC to 27 Nov 2026, 00:02 UTC',
  );
});
