import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { exampleIntent } from '../../../test/support/intent-examples.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import { refuseRepeatedAmount } from './refuse-repeated-amount.ts';

test('an amount is planned again with the same key only if no transaction with that key has landed or may still land', async (t) => {
  const { intents } = await openTestStore(t);
  const ctx = {
    store: { intents },
  } as Context;
  const wallet = 'wallet' as Address;
  const ask = (key: string | undefined, lamports?: bigint) =>
    refuseRepeatedAmount(ctx, { wallet, lamports }, key);
  const states = ['signed', 'confirmed', 'failed', 'expired', 'refused'] as const;
  for (const state of states) {
    await intents.recordSigned(exampleIntent(state, { operation: 'submit', key: state }), null);
    if (state !== 'signed') await intents.settle(state, { state, slot: 1n, error: null, response: null });
    const asked = ask(state, 5n);
    if (state === 'signed' || state === 'confirmed')
      await assert.rejects(asked, (error: unknown) => {
        assert.ok(isAppError(error, 'IDEMPOTENCY_KEY_REUSED'), state);
        assert.equal(error.body?.signature, state);
        return true;
      });
    else await asked;
    await ask(state);
  }
  await ask('never used', 5n);
  await ask(undefined, 5n);
});
