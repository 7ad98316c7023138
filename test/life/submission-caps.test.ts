// Checks that the submissions in flight per fee payer are limited, and that an outsider who resubmits landed
// transactions does not use up this limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHttpClient } from '../../demo/http-client.ts';
import { startTestApp } from '../support/app-fixture.ts';
import { fundedWallet, signedBy } from '../support/wallets.ts';

const MOST = 4;

test('while four transactions of a fee payer are in flight, the fifth gets 429 with Retry-After, and it succeeds once they have ended', async (t) => {
  const { app, sandbox, rpc } = await startTestApp(t, { options: { slotMs: 80 } });
  const { post } = createHttpClient(app.url);
  const [wallet, another] = [await fundedWallet(sandbox, 20), await fundedWallet(sandbox, 20)];
  const donation = async (payer: typeof wallet, amountSol: number) => {
    const { transaction } = await post('/api/v1/donate', { walletAddress: payer.walletAddress, amountSol });
    return signedBy(payer, transaction);
  };
  const submit = (signedTransaction: string) =>
    fetch(`${app.url}/api/v1/transaction/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ signedTransaction }),
    });
  const landed = await donation(wallet, 0.1);
  assert.equal((await submit(landed)).status, 200);

  // Hides every landed transaction until the test allows it.
  let isBlind = true;
  rpc.rewrite((method, text) =>
    isBlind && method === 'getSignatureStatuses' ? text.replace(/"value":\[.*\]/s, '"value":[null]') : text,
  );
  const transactions = await Promise.all([1, 2, 3, 4, 5].map((tenths) => donation(wallet, tenths / 100)));
  const underWay = transactions.slice(0, MOST).map(submit);
  while (app.ctx.chain.submitter.inFlight < MOST) await sandbox.nextBlock(AbortSignal.timeout(60_000));

  const refused = await submit(transactions[MOST]!);
  const body = (await refused.json()) as Record<string, unknown>;
  assert.deepEqual(
    [refused.status, body.errorCode, refused.headers.get('retry-after')],
    [429, 'RATE_LIMITED', '5'],
  );
  assert.equal(
    (await submit(landed)).status,
    200,
    'a landed transaction gets its response without taking a slot',
  );
  const ofAnother = submit(await donation(another, 0.01));
  while (app.ctx.chain.submitter.inFlight < MOST + 1) await sandbox.nextBlock(AbortSignal.timeout(60_000));

  isBlind = false;
  for (const response of await Promise.all([...underWay, ofAnother])) assert.equal(response.status, 200);
  assert.equal((await submit(transactions[MOST]!)).status, 200);
});
