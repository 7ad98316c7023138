// Tests that a callback is remembered for its wallet in this tab, unless another one has been set since.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rememberCallback, rememberedCallback } from './callback-memory.ts';

it('the callback is recognized for the same wallet and origin only', () => {
  rememberCallback('wallet-a', 'https://example.com/secret?x=1');
  assert.equal(rememberedCallback('wallet-a', 'https://example.com'), 'https://example.com/secret?x=1');
  assert.equal(rememberedCallback('wallet-a', 'https://other.example'), null);
  assert.equal(rememberedCallback('wallet-b', 'https://example.com'), null);
});

it('the callback is unknown, without an error, if the browser stores no data or other data', (t) => {
  const real = globalThis.sessionStorage;
  t.after(() => Object.defineProperty(globalThis, 'sessionStorage', { value: real, configurable: true }));
  sessionStorage.setItem('holdfast-autopilot-callback/wallet-c', 'no URL');
  assert.equal(rememberedCallback('wallet-c', 'https://example.com'), null);
  Object.defineProperty(globalThis, 'sessionStorage', {
    get: () => {
      throw new Error('denied');
    },
    configurable: true,
  });
  rememberCallback('wallet-a', 'https://example.com/');
  assert.equal(rememberedCallback('wallet-a', 'https://example.com'), null);
});
