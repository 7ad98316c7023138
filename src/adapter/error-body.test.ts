// Every error body has the same shape, and each operation can define the status and title of its errors.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildEcho, createTestRoutes } from '../../test/support/http-operations.ts';
import { documentedErrors } from '../http/openapi/documented-errors.ts';
import type { Route } from '../http/pipeline/route.ts';
import { AppError } from '../kernel/app-error.ts';
import { unstake } from '../operations/stake/unstake.ts';
import { errorPresentation, errorResponse, toAppError } from './error-body.ts';

const [, build, act, health] = createTestRoutes() as [Route, Route, Route, Route];
const source = { documentationUrl: 'https://stake.example/docs', clusterName: () => 'devnet' };

describe('titles', () => {
  it('come from the operation’s presentation, then its failure title, then the error code', () => {
    assert.deepEqual(errorPresentation(buildEcho, 'NOT_A_STAKE_ACCOUNT'), {
      status: 400,
      title: 'Invalid stake account',
    });
    assert.deepEqual(errorPresentation(buildEcho, 'INSUFFICIENT_BALANCE'), {
      status: 400,
      title: 'Echo failed',
    });
    assert.deepEqual(errorPresentation(buildEcho, 'VALIDATION_ERROR'), {
      status: 400,
      title: 'Validation error',
    });
    assert.deepEqual(errorPresentation(null, 'NOT_FOUND'), { status: 404, title: 'Not found' });
  });

  it('are not replaced by the operation’s failure title if the code has a fixed title', () => {
    assert.equal(errorPresentation(unstake, 'STAKE_NOT_DELEGATED').title, 'Unstake failed');
    assert.equal(
      errorPresentation(unstake, 'STAKE_ACCOUNT_ADDRESS_PROVIDED').title,
      'Stake account address provided',
    );
  });
});

describe('the error body', () => {
  it('contains every field of the error, and a _meta that links to the page of its code', () => {
    const error = new AppError('INSUFFICIENT_BALANCE', 'Too little.', {
      reason: 'WALLET_SHORT',
      params: { shortfallSol: { shown: '1', value: 1 } },
      suggestedAction: 'Add 1 SOL.',
      body: { shortfallSol: 1 },
      details: [{ path: 'a', code: 'b', message: 'c' }],
      retryAfterSeconds: 7,
    });
    const response = errorResponse(error, build, source, 0);
    assert.deepEqual(response, {
      status: 400,
      retryAfterSeconds: 7,
      body: {
        error: 'Echo failed',
        message: 'Too little.',
        errorCode: 'INSUFFICIENT_BALANCE',
        reason: 'WALLET_SHORT',
        params: { shortfallSol: 1 },
        suggestedAction: 'Add 1 SOL.',
        details: [{ path: 'a', code: 'b', message: 'c' }],
        shortfallSol: 1,
        _meta: {
          timestamp: '1970-01-01T00:00:00.000Z',
          documentation: 'https://stake.example/docs/guides/errors#error-INSUFFICIENT_BALANCE',
          endpoint: '/build',
          description: 'Echo an amount.',
          relatedEndpoints: { documentation: '/docs', openapi: '/openapi.json' },
          cluster: 'devnet',
        },
      },
    });
  });

  it('does not describe an unexpected exception', () => {
    for (const bug of [new TypeError('MARKED'), 'MARKED', null, { message: 'MARKED' }]) {
      const { status, body } = errorResponse(toAppError(bug), build, source, 0);
      assert.equal(status, 500);
      assert.ok(!JSON.stringify(body).includes('MARKED'));
    }
  });
});

describe('the documented errors', () => {
  const codes = (route: Route) => documentedErrors(route).map(({ code }) => code);

  it('are those of the operation and those that its route adds', () => {
    assert.ok(codes(build).includes('UPSTREAM_UNAVAILABLE') && codes(build).includes('BODY_TOO_LARGE'));
    assert.ok(codes(act).includes('ORIGIN_NOT_ALLOWED') && !codes(build).includes('ORIGIN_NOT_ALLOWED'));
    assert.ok(codes({ ...act, carriesSecretKey: true }).includes('INSECURE_TRANSPORT'));
    assert.ok(!codes(health).includes('RATE_LIMITED') && !codes(health).includes('UNSUPPORTED_MEDIA_TYPE'));
  });
});
