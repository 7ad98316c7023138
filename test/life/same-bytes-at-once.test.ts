// Submits the same signed transaction many times concurrently, with and without idempotency keys. Every call
// must return the same signature.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHttpClient } from '../../demo/http-client.ts';
import { startTestApp } from '../support/app-fixture.ts';
import { fundedWallet, signedBy } from '../support/wallets.ts';

const BUILDER = 'builder';

test('one signed stake submitted eight times concurrently, with and without idempotency keys, creates one stake and gets one response', async (t) => {
  const { app, sandbox } = await startTestApp(t, { options: { slotMs: 80 } });
  const { post, get } = createHttpClient(app.url);
  for (const keys of [
    // The first of these calls is recorded. The others find the same transaction recorded for another request.
    ['other-1', 'other-2', undefined, undefined, BUILDER, BUILDER, undefined, 'other-1'],
    [undefined, undefined, BUILDER, 'other-1', BUILDER, undefined, 'other-2', 'other-2'],
    [BUILDER, BUILDER, undefined, 'other-1', 'other-2', undefined, 'other-2', undefined],
  ]) {
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress } = wallet;
    const built = await post('/api/v1/stake/transaction', {
      walletAddress,
      amountSol: 2,
      idempotencyKey: BUILDER,
    });
    const signedTransaction = signedBy(wallet, built.transaction);
    const responses = await Promise.all(
      keys.map((idempotencyKey) => post('/api/v1/transaction/submit', { signedTransaction, idempotencyKey })),
    );
    assert.deepEqual(
      responses.map(({ signature, stakeAccountAddress }) => [signature, stakeAccountAddress]),
      keys.map(() => [responses[0].signature, built.stakeAccountAddress]),
    );
    const { accounts } = await get(`/api/v1/stake/accounts/${walletAddress}`);
    assert.equal(accounts.length, 1);
    assert.equal(app.ctx.store.flights.size, 0);
  }
});
