// `Retry-After`, in both of its forms and in none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfter } from './retry-after.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

test('seconds and HTTP dates are understood', () => {
  assert.equal(parseRetryAfter('120', NOW_MS), 120_000);
  assert.equal(parseRetryAfter(' 0 ', NOW_MS), 0);
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 12:02:00 GMT', NOW_MS), 120_000);
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 11:00:00 GMT', NOW_MS), 0);
  assert.equal(parseRetryAfter('Saturday, 21-Nov-26 12:01:00 GMT', NOW_MS), 60_000);
});

test('anything else is nothing', () => {
  for (const text of [undefined, '', '-1', '1.5', '99999999999', '2026-11-22', 'soon', 'Sat, never'])
    assert.equal(parseRetryAfter(text, NOW_MS), null);
});
