// Tests that both forms of `Retry-After` are parsed and that invalid values are ignored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfter } from './send-attempt.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

test('Retry-After is parsed as seconds or as an HTTP date', () => {
  assert.equal(parseRetryAfter('120', NOW_MS), 120_000);
  assert.equal(parseRetryAfter(' 0 ', NOW_MS), 0);
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 12:02:00 GMT', NOW_MS), 120_000);
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 11:00:00 GMT', NOW_MS), 0);
  assert.equal(parseRetryAfter('Saturday, 21-Nov-26 12:01:00 GMT', NOW_MS), 60_000);
  assert.equal(
    parseRetryAfter('99999999999', NOW_MS),
    99_999_999_999_000,
    'centuries from now, that is, never',
  );
});

test('a Retry-After of any other form is ignored', () => {
  for (const text of [undefined, '', '-1', '1.5', '1e9', '2026-11-22', 'soon', 'Sat, never'])
    assert.equal(parseRetryAfter(text, NOW_MS), null);
});

test('a Retry-After date without a time zone is parsed as GMT, whatever the time zone of this machine', (t) => {
  const before = process.env.TZ;
  t.after(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  for (const zone of ['America/New_York', 'Asia/Tokyo', 'UTC']) {
    process.env.TZ = zone;
    for (const date of [
      'Sat Nov 21 12:02:00 2026',
      'Sat, 21 Nov 2026 12:02:00',
      'Sat, 21 Nov 2026 13:02:00 +0100',
    ])
      assert.equal(parseRetryAfter(date, NOW_MS), 120_000, `${date} in ${zone}`);
  }
});
