// Tests that a refusal by the user is not shown as a failure, and that a wallet's own message is shown, within
// limits.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { asWalletError, isWalletError, WalletError } from './wallet-error.ts';

it('a refusal is recognized by its code or its message, in any wallet’s wording', () => {
  for (const thrown of [
    Object.assign(new Error('whatever'), { code: 4001 }),
    new Error('User rejected the request.'),
    new Error('Request declined'),
    new Error('The user CANCELLED'),
    new Error('Popup closed'),
    { message: 'denied by user' },
  ]) {
    const error = asWalletError(thrown, 'Signer');
    assert.equal(error.kind, 'refused');
    assert.match(error.message, /^Signer did not sign\. Nothing was sent/);
    assert.equal(error.cause, thrown);
  }
});

it('any other error is a failure with the wallet’s message, or without one', () => {
  const failed = asWalletError(new Error('x'.repeat(999)), 'Signer');
  assert.equal(failed.kind, 'failed');
  assert.ok(failed.message.length < 330);
  for (const thrown of [undefined, null, 'text', {}, { message: 5 }, new Error('')])
    assert.match(asWalletError(thrown, 'Signer').message, /gave no reason/);
});

it('a wallet error is passed on unchanged', () => {
  const error = new WalletError('changed', 'Title', 'Words');
  assert.equal(asWalletError(error, 'Signer'), error);
  assert.equal(isWalletError(error), true);
  assert.equal(isWalletError(error, 'changed'), true);
  assert.equal(isWalletError(error, 'refused'), false);
  assert.equal(isWalletError(new Error('Words')), false);
});
