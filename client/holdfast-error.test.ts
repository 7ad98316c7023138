// Tests that the client's only error class shows whether a retry can help, keeps its cause, and is
// distinguishable from other errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryableCodes } from './generated/error-codes.ts';
import { HoldfastError, isHoldfastError } from './holdfast-error.ts';

const error = (errorCode: string, status?: number): HoldfastError =>
  new HoldfastError({ errorCode, message: 'M', operation: 'epoch', status });

test('a retry can help after a timeout, or if the service allows it', () => {
  assert.ok(retryableCodes.size > 0);
  for (const code of ['NETWORK', 'TIMEOUT', ...retryableCodes])
    assert.equal(error(code).retryable, true, code);
  for (const code of [
    'ABORTED',
    'INSECURE_URL',
    'INVALID_INPUT',
    'VALIDATION_ERROR',
    'INTERNAL',
    'OF_TOMORROW',
  ])
    assert.equal(error(code, 503).retryable, false, code);
});

test('a response from an intermediary is retryable only if its status says that the service is unavailable', () => {
  for (const [status, retryable] of [
    [502, true],
    [503, true],
    [504, true],
    [500, false],
    [501, false],
    [404, false],
    [200, false],
    [undefined, false],
  ] as const)
    assert.equal(error('BAD_ANSWER', status).retryable, retryable, String(status));
});

test('the error has a cause if and only if another error caused it', () => {
  const cause = new Error('inner');
  const caused = new HoldfastError({ errorCode: 'NETWORK', message: 'M', operation: 'epoch', cause });
  assert.equal(caused.cause, cause);
  assert.ok(!('cause' in error('NETWORK')));
  assert.equal(String(caused), 'HoldfastError: M');
});

test('the error is recognized by its class, and by its code if one is given', () => {
  assert.equal(isHoldfastError(error('NETWORK')), true);
  assert.equal(isHoldfastError(error('NETWORK'), 'NETWORK'), true);
  assert.equal(isHoldfastError(error('NETWORK'), 'TIMEOUT'), false);
  for (const other of [
    new Error('NETWORK'),
    { name: 'HoldfastError', errorCode: 'NETWORK' },
    'NETWORK',
    null,
  ])
    assert.equal(isHoldfastError(other), false);
});
