// Tests that the banner reports problems of the whole page: one failed read among successful ones does not show
// it.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { HoldfastError } from '../../../client/holdfast-error.ts';
import {
  CLUSTER_KEY,
  connection,
  connectionStateOfFailure,
  recordFailure,
  recordResponse,
} from './service-connection.ts';

const errorOf = (errorCode: string, status?: number): HoldfastError =>
  new HoldfastError({ errorCode, message: 'What happened.', operation: 'test', status });

describe('the effect of a failure on the connection', () => {
  it('differs for each kind', () => {
    const kinds: readonly [unknown, ReturnType<typeof connectionStateOfFailure>][] = [
      [new TypeError('fetch failed'), 'down'],
      [errorOf('NETWORK'), 'down'],
      [errorOf('TIMEOUT'), 'down'],
      [errorOf('BAD_ANSWER', 502), 'down'],
      [errorOf('SHUTTING_DOWN', 503), 'down'],
      [errorOf('RATE_LIMITED', 429), 'limited'],
      [errorOf('UPSTREAM_UNAVAILABLE', 502), 'degraded'],
      [errorOf('STORE_UNAVAILABLE', 503), 'degraded'],
      [errorOf('EPOCH_REWARDS_ACTIVE', 502), null],
      [errorOf('VALIDATION_ERROR', 400), null],
      [errorOf('NOT_FOUND', 404), null],
    ];
    for (const [error, state] of kinds) assert.equal(connectionStateOfFailure(error), state, String(error));
  });
});

describe('the connection', () => {
  beforeEach(() => recordResponse(CLUSTER_KEY, 1_000));

  it('sets the state to down with the next attempt, and keeps the time of the last cluster response', () => {
    recordFailure('any', errorOf('NETWORK'), 5_000);
    assert.deepEqual(connection.get(), {
      state: 'down',
      lastResponseMs: 1_000,
      nextTryMs: 5_000,
    });
    recordResponse('any', 2_000);
    assert.deepEqual(connection.get(), {
      state: 'ok',
      lastResponseMs: 1_000,
      nextTryMs: null,
    });
    recordResponse(CLUSTER_KEY, 3_000);
    assert.equal(connection.get().lastResponseMs, 3_000);
  });

  it('counts down to the latest attempt of one kind, and starts again for a different kind', () => {
    recordFailure('a', errorOf('NETWORK'), 5_000);
    recordFailure('b', errorOf('NETWORK'), 4_000);
    assert.equal(connection.get().nextTryMs, 5_000);
    recordFailure('c', errorOf('RATE_LIMITED', 429), 4_500);
    assert.deepEqual([connection.get().state, connection.get().nextTryMs], ['limited', 4_500]);
  });

  it('becomes degraded only when the cluster read fails, and stays degraded until that read succeeds', () => {
    recordFailure('validator/peers', errorOf('UPSTREAM_UNAVAILABLE', 502), 5_000);
    assert.equal(connection.get().state, 'ok');
    recordFailure(CLUSTER_KEY, errorOf('UPSTREAM_UNAVAILABLE', 502), 5_000);
    assert.equal(connection.get().state, 'degraded');
    recordResponse('verify/code', 2_000);
    assert.equal(connection.get().state, 'degraded');
    recordResponse(CLUSTER_KEY, 3_000);
    assert.equal(connection.get().state, 'ok');
  });

  it('is unaffected by an invalid request', () => {
    recordFailure(CLUSTER_KEY, errorOf('VALIDATION_ERROR', 400), 5_000);
    assert.equal(connection.get().state, 'ok');
  });
});
