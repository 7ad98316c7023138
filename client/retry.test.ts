// Tests that calls are retried only if that cannot repeat an effect, and only after the delay that the service
// requests, unless it is too long for a caller.
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

test('calls other than reads are retried only if an idempotency key or their content identifies the request', () => {
  assert.equal(isRepeatable(facts({ effect: 'read' }), undefined), true);
  for (const effect of ['build', 'act'] as const) {
    assert.equal(isRepeatable(facts({ effect }), undefined), false);
    assert.equal(
      isRepeatable(facts({ effect }), 'a-key'),
      false,
      'a key that the operation ignores gives no protection',
    );
    assert.equal(isRepeatable(facts({ effect, idempotency: 'made' }), 'a-key'), true);
    assert.equal(isRepeatable(facts({ effect, idempotency: 'own' }), undefined), true);
  }
});

test('errors with a temporary code are retried, other errors are not', () => {
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

test('a call that timed out is repeated once', () => {
  assert.notEqual(delay(failure('TIMEOUT'), { attempt: 0 }), null);
  assert.equal(delay(failure('TIMEOUT'), { attempt: 1 }), null);
});

test('a call that cannot be repeated safely is retried only if it was rate-limited, because such a call has no effect', () => {
  assert.equal(delay(failure('NETWORK'), { repeatable: false }), null);
  assert.equal(delay(failure('UPSTREAM_UNAVAILABLE'), { repeatable: false }), null);
  assert.notEqual(delay(failure('RATE_LIMITED', 1), { repeatable: false }), null);
});

test('a retry waits for the full Retry-After plus jitter, and delays above half a minute are left to the caller', () => {
  assert.equal(delay(failure('RATE_LIMITED', 7), { random: () => 0 }), 7000);
  assert.equal(delay(failure('RATE_LIMITED', 7)), 7500);
  assert.equal(delay(failure('EPOCH_REWARDS_ACTIVE', 31)), null);
});

test('without Retry-After the delay doubles up to ten seconds, with jitter in its upper half', () => {
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
