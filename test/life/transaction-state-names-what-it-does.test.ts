// Checks that a caller whose transaction was signed elsewhere can learn from its idempotency key what it did
// and to which account.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, signedBy } from '../support/wallets.ts';

const shared = sharedService({ before, after });

test('the state for an idempotency key, and the check of the signature, name the operation, its amount and the stake account', async () => {
  const { sandbox, service } = shared();
  const { client } = service;
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const idempotencyKey = 'handed-over-1';
  const stateOf = (key: string) =>
    client.get(`/api/v1/transaction?walletAddress=${walletAddress}&idempotencyKey=${key}`);
  const none = await fetch(
    `${service.url}/api/v1/transaction?walletAddress=${walletAddress}&idempotencyKey=${idempotencyKey}`,
  );
  const { suggestedAction } = (await none.json()) as { suggestedAction: string };
  for (const advice of [
    'unsigned',
    'every 10 seconds',
    '24 hours',
    'check the key',
    'ask the user',
    'without the key is not found by it',
    `/api/v1/stake/history/${walletAddress}`,
    'new link',
  ])
    assert.ok(none.status === 404 && suggestedAction.includes(advice), `${advice}: ${suggestedAction}`);
  const built = await client.post('/api/v1/stake/transaction', {
    walletAddress,
    amountSol: 3,
    idempotencyKey,
  });
  const { stakeAccountAddress } = built;
  await client.post('/api/v1/transaction/submit', {
    signedTransaction: signedBy(wallet, built.transaction),
    idempotencyKey,
  });
  const { state, message, messageSentences } = await stateOf(idempotencyKey);
  assert.ok(
    message.startsWith(
      `Stake of 3 SOL ${state} (stake account ${stakeAccountAddress}). It landed and succeeded`,
    ),
    message,
  );
  assert.deepEqual(messageSentences[0].params, { done: 'stake', state, stakeAccountAddress });

  const unstake = await client.post('/api/v1/unstake/transaction', {
    walletAddress,
    stakeAccountAddress,
    idempotencyKey: 'handed-over-2',
  });
  await client.post('/api/v1/transaction/submit', {
    signedTransaction: signedBy(wallet, unstake.transaction),
    idempotencyKey: 'handed-over-2',
  });
  const unstaked = await stateOf('handed-over-2');
  const did = /^Unstake of 2\.99\d+ SOL \w+ \(stake account \w+\)\. /;
  assert.match(unstaked.message, did);
  assert.match((await client.get(`/api/v1/verify/transaction/${unstaked.signature}`)).message, did);
});
