// Retries happen only if they cannot repeat an effect, after the wait that the service requests, and never if
// that wait is too long for a caller.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HoldfastError } from './holdfast-error.ts';
import type { OperationFacts } from './operation-facts.ts';
import { isRepeatable, retryDelayMs } from './retry.ts';

const facts = (more: Partial<OperationFacts>): OperationFacts => ({
  method: 'POST',
  path: '/x',
  effect: 'act',
  query: [],
  body: [],
  ...more,
});
const failure = (errorCode: string, retryAfterSeconds?: number, status?: number): HoldfastError =>
  new HoldfastError({ errorCode, message: 'x', operation: 'x', retryAfterSeconds, status });
const delay = (error: HoldfastError, more: Partial<Parameters<typeof retryDelayMs>[1]> = {}) =>
  retryDelayMs(error, { repeatable: true, attempt: 0, random: () => 1, ...more });

test('reads are retried; other calls are retried only under an accepted idempotency key, or if their bytes identify them', () => {
  assert.equal(isRepeatable(facts({ effect: 'read' }), undefined), true);
  for (const effect of ['build', 'act'] as const) {
    assert.equal(isRepeatable(facts({ effect }), undefined), false);
    assert.equal(isRepeatable(facts({ effect }), 'a-key'), false, 'a key that is ignored protects nothing');
    assert.equal(isRepeatable(facts({ effect, idempotency: 'made' }), 'a-key'), true);
    assert.equal(isRepeatable(facts({ effect, idempotency: 'own' }), undefined), true);
  }
});

test('temporary error codes are retried, other error codes never', () => {
  for (const code of [
    'NETWORK',
    'TIMEOUT',
    'RATE_LIMITED',
    'UPSTREAM_UNAVAILABLE',
    'SUBMISSION_UNRESOLVED',
    'STORE_UNAVAILABLE',
  ])
    assert.notEqual(delay(failure(code)), null, code);
  for (const code of [
    'VALIDATION_ERROR',
    'SUBMISSION_FAILED',
    'INTERNAL',
    'ABORTED',
    'INSECURE_URL',
    'BLOCKHASH_EXPIRED',
    'A_CODE_OF_TOMORROW',
  ])
    assert.equal(delay(failure(code)), null, code);
  assert.equal(delay(failure('BAD_ANSWER', undefined, 404)), null);
  assert.notEqual(delay(failure('BAD_ANSWER', undefined, 503)), null);
});

test('a call that cannot be repeated safely is retried only after the rate limit, which refuses before anything is done', () => {
  assert.equal(delay(failure('NETWORK'), { repeatable: false }), null);
  assert.equal(delay(failure('UPSTREAM_UNAVAILABLE'), { repeatable: false }), null);
  assert.notEqual(delay(failure('RATE_LIMITED', 1), { repeatable: false }), null);
});

test('a retry waits for the whole Retry-After, with jitter; above half a minute the caller decides', () => {
  assert.equal(delay(failure('RATE_LIMITED', 7), { random: () => 0 }), 7000);
  assert.equal(delay(failure('RATE_LIMITED', 7)), 7500);
  assert.equal(delay(failure('EPOCH_REWARDS_ACTIVE', 31)), null);
});

test('without Retry-After the wait doubles up to ten seconds, jittered over its upper half', () => {
  const waits = [0, 1, 2, 9].map((attempt) => [
    delay(failure('NETWORK'), { attempt, random: () => 0 }),
    delay(failure('NETWORK'), { attempt }),
  ]);
  assert.deepEqual(waits, [
    [150, 300],
    [300, 600],
    [600, 1200],
    [5000, 10_000],
  ]);
});
