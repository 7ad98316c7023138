// Tests that the delivery log's terms for connection failures contain no part of the thrown error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttemptFailure, outcomeOfError } from './attempt-outcome.ts';

const withCode = (code: string, cause?: unknown): Error =>
  Object.assign(new Error('10.0.0.7 said: private', { cause }), { code });

test('an outcome set by our own code survives any wrapping error', () => {
  const chosen = new AttemptFailure('target-not-allowed');
  assert.equal(chosen.message, 'target-not-allowed');
  assert.equal(outcomeOfError(chosen), 'target-not-allowed');
  const wrapped = new Error('outer', { cause: withCode('UND_ERR_SOCKET', chosen) });
  assert.equal(outcomeOfError(wrapped), 'target-not-allowed');
});

test('a connection attempt that timed out is reported as a timeout, and any other failure to connect as a failed connection', () => {
  assert.equal(outcomeOfError(withCode('UND_ERR_CONNECT_TIMEOUT')), 'timeout');
  assert.equal(outcomeOfError(new Error('outer', { cause: withCode('UND_ERR_CONNECT_TIMEOUT') })), 'timeout');
  for (const error of [withCode('ECONNREFUSED'), withCode('ECONNRESET'), new Error('no code'), 'text', null])
    assert.equal(outcomeOfError(error), 'connection-failed');
});
