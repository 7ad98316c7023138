// FUZZ-1: requests made from our own OpenAPI document, valid and broken: no 5xx, every status documented, every body fits its schema.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { fuzzService } from '../support/http-fuzz.ts';
import { startTestServer, WALLET } from '../support/http-operations.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet } from '../support/wallets.ts';
import { CALLBACK } from '../support/webhook-calls.ts';

const shared = sharedService({ before, after });
const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const [VALID, BROKEN] = FULL ? [500, 2_000] : [12, 36];

test(`FUZZ-1 the HTTP window answers ${VALID} valid and ${BROKEN} broken requests per operation as documented`, async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const outcomes = await fuzzService({
    url: server.url,
    valid: VALID,
    broken: BROKEN,
    seed: 1,
    known: { walletAddress: fc.constant(WALLET), fail: fc.constant('app') },
    // The test operation is told to fail like this.
    expectedFailure: (errorCode) => errorCode === 'SUBMISSION_FAILED',
  });
  assert.ok(outcomes.length >= 4);
  for (const { operationId, statuses, problems } of outcomes) {
    t.diagnostic(`${operationId}: ${JSON.stringify(statuses)}`);
    assert.deepEqual(problems, [], operationId);
    assert.equal(
      Object.values(statuses).reduce((sum, count) => sum + count, 0),
      VALID + BROKEN,
    );
  }
  // Both kinds of requests got through to where they belong.
  const build = outcomes.find(({ operationId }) => operationId === 'buildEcho')?.statuses ?? {};
  assert.ok((build['200'] ?? 0) >= VALID / 2 && (build['400'] ?? 0) >= BROKEN / 4);
});

test(`FUZZ-1 the whole service on a real cluster answers ${VALID} valid and ${BROKEN} broken requests per operation as documented`, async (t) => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 1_000_000);
  const { walletAddress, secretKey } = wallet;
  const { stakeAccountAddress } = await service.client.post('/api/v1/stake', {
    walletAddress,
    secretKey,
    amountSol: 5,
  });
  const webhook = await service.client.post('/api/v1/webhooks', {
    walletAddress: newWallet().walletAddress,
    callbackUrl: CALLBACK,
    events: ['epoch_complete'],
  });
  const outcomes = await fuzzService({
    url: service.url,
    valid: VALID,
    broken: BROKEN,
    seed: 1,
    bearer: webhook.secret,
    known: {
      id: fc.constantFrom(webhook.id, walletAddress),
      callbackUrl: fc.constant(CALLBACK),
      url: fc.constant(CALLBACK),
      events: fc.constantFrom(['withdraw_ready'], ['epoch_complete', 'stake_activated']),
      walletAddress: fc.constantFrom(walletAddress, newWallet().walletAddress),
      secretKey: fc.constant(secretKey),
      address: fc.constantFrom(walletAddress, stakeAccountAddress, sandbox.voteAccount),
      stakeAccountAddress: fc.constantFrom(stakeAccountAddress, walletAddress),
      amountSol: fc.constantFrom(1.01, 2, 0.01, 8_000_000),
    },
  });
  const served = new Set(outcomes.map(({ operationId }) => operationId));
  for (const operationId of [
    'stake',
    'unstake',
    'withdraw',
    'donate',
    'submitTransaction',
    'listStakeAccounts',
    'ready',
  ])
    assert.ok(served.has(operationId), operationId);
  for (const { operationId, statuses, problems } of outcomes) {
    t.diagnostic(`${operationId}: ${JSON.stringify(statuses)}`);
    assert.deepEqual(problems, [], operationId);
  }
  for (const operationId of ['stake', 'registerWebhook', 'listWebhooks', 'listDeliveries', 'pingWebhook'])
    assert.ok(
      (outcomes.find((outcome) => outcome.operationId === operationId)?.statuses['200'] ?? 0) > 0,
      `some calls of ${operationId} must have succeeded`,
    );
});
