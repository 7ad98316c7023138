// An error contains its code, advice and whether to retry. It lists every issue of a refused input without
// its value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, isAppError, validationError } from './app-error.ts';
import { errorCodes } from './error-codes.ts';
import { guidance, step } from './guidance.ts';

test('the error for a refused input names every issue by its path, or by its message alone if it has no path', () => {
  const issues = [
    { path: 'amountSol', code: 'too_small', message: 'must be greater than 0' },
    { path: '', code: 'unknown', message: 'has unknown members' },
  ];
  const error = validationError(issues);
  assert.equal(error.message, 'amountSol: must be greater than 0; has unknown members');
  assert.deepEqual([error.code, error.details], ['VALIDATION_ERROR', issues]);
  // Texts of MCP tools do not include `details`.
  assert.doesNotMatch(String(error.suggestedAction), /details/);
});

test('the message and suggested action contain the parameters that the caller receives', () => {
  const error = new AppError('INSUFFICIENT_BALANCE', '{wallet} has {balanceSol} SOL, not {other}.', {
    reason: 'WALLET_SHORT',
    params: { wallet: '{balanceSol}', balanceSol: { shown: '0.5', value: 0.5 }, amountSol: 2 },
    suggestedAction: guidance`Send {balanceSol} SOL to {wallet}; ${step('balance')} shows it {amountSol} times.`,
  });
  assert.equal(error.message, '{balanceSol} has 0.5 SOL, not {other}.');
  assert.deepEqual(error.suggestedAction, [
    'Send 0.5 SOL to {balanceSol}; ',
    { operation: 'balance' },
    ' shows it 2 times.',
  ]);
  assert.deepEqual(
    [error.reason, error.params],
    ['WALLET_SHORT', { wallet: '{balanceSol}', balanceSol: 0.5, amountSol: 2 }],
  );
});

test('a reason or parameter that its error code does not declare does not compile', () => {
  new AppError('NONCE_UNUSABLE', 'x', { reason: 'NO_ACCOUNT', params: { nonce: 'n' } });
  // @ts-expect-error A reason of another code.
  new AppError('NONCE_UNUSABLE', 'x', { reason: 'NO_STAKE' });
  // @ts-expect-error A param of another reason of the code.
  new AppError('STAKE_LOCKED', 'x', { reason: 'WITHDRAW', params: { instruction: 1 } });
  // @ts-expect-error The reason has no params.
  new AppError('STAKE_LOCKED', 'x', { reason: 'ACTIVATING', params: { address: 'a' } });
  // @ts-expect-error The code has no reasons.
  new AppError('NOTHING_TO_UNDO', 'x', { reason: 'NO_STAKE' });
});

test('the code determines whether to retry', () => {
  for (const code of Object.keys(errorCodes) as (keyof typeof errorCodes)[])
    assert.equal(new AppError(code, 'x').retryable, errorCodes[code].retryable);
});

test('an AppError is recognized by its class, and by its code if one is given', () => {
  const error = new AppError('NOT_FOUND', 'nothing', {
    suggestedAction: 'Look elsewhere.',
    body: { a: 1 },
    retryAfterSeconds: 3,
    cause: 'why',
  });
  assert.deepEqual([error.name, error.suggestedAction], ['AppError', 'Look elsewhere.']);
  assert.deepEqual([isAppError(error), isAppError(error, 'NOT_FOUND')], [true, true]);
  assert.equal(isAppError(error, 'INTERNAL'), false);
  assert.equal(isAppError(new Error('nothing')), false);
  assert.deepEqual([error.body, error.retryAfterSeconds, error.cause], [{ a: 1 }, 3, 'why']);
  const bare = new AppError('NOT_FOUND', 'nothing');
  assert.deepEqual([bare.body, 'cause' in bare], [{}, false]);
});

test('a suggested action contains a message that is a sentence as a clause', () => {
  const suggested = (message: string) =>
    validationError([{ path: 'cursor', code: 'invalid', message }]).suggestedAction;
  assert.equal(
    suggested('This is not a cursor from an earlier page.'),
    'Change cursor: this is not a cursor from an earlier page. Then try again.',
  );
  assert.equal(suggested('must be text'), 'Change cursor: it must be text. Then try again.');
});
