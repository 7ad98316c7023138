// Tests that appended attempts are read back in order and numbered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleAttempt } from '../../../test/support/webhook-examples.ts';
import { attemptLine, readAttemptLog } from './attempt-log.ts';

test('attempts are read back as appended, numbered by their position', () => {
  const attempts = [
    exampleAttempt({ number: 7, outcome: 'timeout', status: null, answerBytes: 0, durationMs: 15_000 }),
    exampleAttempt({ number: 7, outcome: 'refused-status', status: 503, answerBytes: 65_536 }),
    exampleAttempt({ number: 7, atMs: Number.MAX_SAFE_INTEGER }),
  ];
  const log = attempts.map(attemptLine).join('');
  assert.deepEqual(
    readAttemptLog(log),
    attempts.map((attempt, index) => ({ ...attempt, number: index + 1 })),
  );
});

test('an empty log has no attempts', () => {
  assert.deepEqual(readAttemptLog(''), []);
});
