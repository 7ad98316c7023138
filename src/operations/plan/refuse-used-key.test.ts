import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { exampleIntent } from '../../../test/support/intent-examples.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import { refuseUsedKey } from './refuse-used-key.ts';

test('a change is built again with the same key only if no transaction with that key has landed, and an amount only if none may still land', async (t) => {
  const { intents } = await openTestStore(t);
  const ctx = {
    store: { intents },
  } as Context;
  const wallet = 'wallet' as Address;
  const ask = (key: string | undefined, lamports?: bigint) => refuseUsedKey(ctx, { wallet, lamports }, key);
  const states = ['signed', 'confirmed', 'failed', 'expired', 'refused'] as const;
  for (const state of states) {
    await intents.recordSigned(exampleIntent(state, { operation: 'submit', key: state }), null);
    if (state !== 'signed') await intents.settle(state, { state, slot: 1n, error: null, response: null });
    for (const lamports of [5n, undefined]) {
      const asked = ask(state, lamports);
      if (state === 'confirmed' || (state === 'signed' && lamports !== undefined))
        await assert.rejects(asked, (error: unknown) => {
          assert.ok(isAppError(error, 'IDEMPOTENCY_KEY_REUSED'), state);
          assert.equal(error.body?.signature, state);
          return true;
        });
      else await asked;
    }
  }
  await ask('never used', 5n);
  await ask(undefined, 5n);
});

test('while the store is down, only a change without an amount is built with a key', async () => {
  const find = async () => {
    throw new AppError('STORE_UNAVAILABLE', 'down');
  };
  const ctx = { store: { intents: { find } } } as unknown as Context;
  const ask = (lamports?: bigint) => refuseUsedKey(ctx, { wallet: 'wallet' as Address, lamports }, 'key');
  await ask();
  await assert.rejects(ask(5n), (error: unknown) => isAppError(error, 'STORE_UNAVAILABLE'));
});
