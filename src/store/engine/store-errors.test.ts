// Tests that every engine error reaches callers as one of two codes, without its message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { guardedQuery, withStoreErrors } from './store-errors.ts';

const engineError = (members: object): Error =>
  Object.assign(new Error('password authentication of holdfast'), members);

const thrownBy = async (guard: typeof withStoreErrors, error: unknown): Promise<AppError> => {
  const thrown = await guard(() => Promise.reject(error)).catch((it: unknown) => it);
  assert.ok(isAppError(thrown));
  return thrown;
};

test('results and `AppError`s are passed on unchanged', async () => {
  const raised = new AppError('NOT_FOUND', 'nothing');
  for (const guard of [withStoreErrors, guardedQuery]) {
    assert.equal(await guard(async () => 7), 7);
    assert.equal(await thrownBy(guard, raised), raised);
  }
});

test('every store failure becomes STORE_UNAVAILABLE, keeps its cause for the log, and has a retry time', async () => {
  for (const error of [
    engineError({ code: '42P01' }),
    engineError({ errcode: 13 }),
    new Error('x'),
    'text',
  ]) {
    const thrown = await thrownBy(withStoreErrors, error);
    assert.deepEqual([thrown.code, thrown.cause, thrown.retryAfterSeconds], ['STORE_UNAVAILABLE', error, 5]);
    assert.ok(!thrown.message.includes('holdfast'));
  }
});

test('a statement that a healthy store cannot execute becomes UPSTREAM_UNAVAILABLE on either engine, and any other error STORE_UNAVAILABLE', async () => {
  // SQLite: wrong statement, too big, constraint (including extended codes), mismatch, out of range.
  // PostgreSQL: cardinality, data, constraint, syntax, canceled.
  const wrong = [1, 18, 19, 19 | (8 << 8), 20, 25].map((errcode) => engineError({ errcode }));
  const states = ['21000', '22P02', '23505', '42P01', '57014'].map((code) => engineError({ code }));
  for (const error of [...wrong, ...states])
    assert.equal((await thrownBy(guardedQuery, error)).code, 'UPSTREAM_UNAVAILABLE', JSON.stringify(error));
  // SQLite: busy, I/O, corrupt, full, cannot open. PostgreSQL: connection lost, server shutting down, too many
  // connections, disk full.
  const away = [5, 10, 11, 13, 14].map((errcode) => engineError({ errcode }));
  const lost = ['08006', '57P01', '53300', '53100', 'ECONNREFUSED', '42', 7].map((code) =>
    engineError({ code }),
  );
  for (const error of [...away, ...lost, new Error('no code')])
    assert.equal((await thrownBy(guardedQuery, error)).code, 'STORE_UNAVAILABLE', JSON.stringify(error));
});
