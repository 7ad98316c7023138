// FUZZ-1: valid and broken requests generated from the service's own OpenAPI document never cause a 5xx status.
// Every status is documented, and every body matches its schema.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { outlive } from '../support/expired-transactions.ts';
import type { MemberValues } from '../support/http-arbitraries.ts';
import { fuzzService } from '../support/http-fuzz.ts';
import { startTestServer, WALLET } from '../support/http-operations.ts';
import { stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, signedBy } from '../support/wallets.ts';
import { CALLBACK } from '../support/webhook-calls.ts';

const shared = sharedService({ before, after });
const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const [VALID, BROKEN] = FULL ? [500, 2_000] : [12, 36];

test(`FUZZ-1 the HTTP interface answers ${VALID} valid and ${BROKEN} broken requests per operation as documented`, async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const outcomes = await fuzzService({
    url: server.url,
    valid: VALID,
    broken: BROKEN,
    seed: 1,
    known: { walletAddress: fc.constant(WALLET), fail: fc.constant('app') },
    // The test operation fails on request with this code.
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
  // Valid and broken requests must both have reached their target.
  const build = outcomes.find(({ operationId }) => operationId === 'buildEcho')?.statuses ?? {};
  assert.ok((build['200'] ?? 0) >= VALID / 2 && (build['400'] ?? 0) >= BROKEN / 4);
});

test(`FUZZ-1 the whole service on a real cluster answers ${VALID} valid and ${BROKEN} broken requests per operation as documented`, async (t) => {
  const { sandbox, service } = shared();
  const { post } = service.client;
  const wallet = await fundedWallet(sandbox, 1_000_000);
  const { walletAddress, secretKey } = wallet;
  const register = (owner: string) =>
    post('/api/v1/webhooks', { walletAddress: owner, callbackUrl: CALLBACK, events: ['epoch_complete'] });
  const webhook = await register(newWallet().walletAddress);
  const stakeOf = (): Promise<string> => stakeNow(service, wallet, 5);
  const withdrawableStakeOf = async (): Promise<string> => {
    const stakeAccountAddress = await stakeOf();
    // The account is deactivated in the epoch of its activation, so all of it can be withdrawn immediately.
    await post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress });
    return stakeAccountAddress;
  };
  /** Signs the text returned when a wrong signature is refused. */
  const signedPolicyCall = async (method: 'POST' | 'DELETE', path: string, body: object) => {
    const response = await fetch(new URL(path, service.url), {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, signature: '1'.repeat(64) }),
    });
    const { textToSign } = (await response.json()) as { textToSign: string };
    return { ...body, signature: encodeBase58(wallet.sign(Buffer.from(textToSign))) };
  };
  const policy = (nonce: number) =>
    signedPolicyCall('POST', '/api/v1/autopilot/policy', {
      walletAddress,
      keepLiquidSol: 1,
      minSweepSol: 2,
      callbackUrl: CALLBACK,
      paused: true,
      nonce,
    });
  const constants = (values: Readonly<Record<string, unknown>>): MemberValues =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        value instanceof fc.Arbitrary ? value : fc.constant(value),
      ]),
    );
  /** Either 0.01 or no amount, because `all` does not allow one. */
  const someOrFull = fc.constantFrom(0.01, undefined);
  const signedStake = async (): Promise<string> => {
    const { transaction } = await post('/api/v1/stake/transaction', { walletAddress, amountSol: 2 });
    return signedBy(wallet, transaction);
  };
  /**
   * Preconditions of a successful call. The first valid request of an operation with side effects uses them up.
   */
  const needs: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>> = {
    createStakeTransaction: async () => ({
      walletAddress,
      amountSol: 2,
      from: fc.constant(['inactive']),
      into: undefined,
      stakeAccountAddress: await withdrawableStakeOf(),
    }),
    // Most random periods contradict each other or have not ended.
    stakingRewards: async () => ({
      walletAddress,
      fromEpoch: undefined,
      toEpoch: fc.constantFrom(700, undefined),
    }),
    createUnstakeTransaction: async () => ({ walletAddress, stakeAccountAddress: await stakeOf() }),
    unstake: async () => ({ walletAddress, stakeAccountAddress: await stakeOf() }),
    createUndoTransaction: async () => ({
      walletAddress,
      stakeAccountAddress: await withdrawableStakeOf(),
      amountSol: undefined,
    }),
    createRestakeTransaction: async () => ({
      walletAddress,
      stakeAccountAddress: await withdrawableStakeOf(),
    }),
    createWithdrawTransaction: async () => ({
      walletAddress,
      stakeAccountAddress: await withdrawableStakeOf(),
      amountSol: someOrFull,
    }),
    withdraw: async () => {
      // Prepares a second account, so that withdrawing everything covers more than one.
      await withdrawableStakeOf();
      return { walletAddress, stakeAccountAddress: await withdrawableStakeOf(), amountSol: someOrFull };
    },
    // Sends the same transaction eight times concurrently, with and without random keys.
    submitTransaction: async () => ({
      signedTransaction: await signedStake(),
      signedTransactions: [await signedStake()],
    }),
    readSignLink: async () => {
      const { signUrl } = await post('/api/v1/stake/transaction', { walletAddress, amountSol: 2 });
      return { request: new URL(signUrl).searchParams.get('request') };
    },
    verifyStakeTransaction: async () => ({ transaction: await signedStake(), walletAddress }),
    attachSignatures: async () => ({ transactions: [await signedStake()], signatures: undefined }),
    rebuildTransaction: async () => {
      const old = await post('/api/v1/unstake/transaction', {
        walletAddress,
        stakeAccountAddress: await stakeOf(),
      });
      await outlive(shared(), old);
      return { transaction: old.transaction };
    },
    planStakeChange: async () => ({
      walletAddress,
      goal: fc.constantFrom('unstake', 'withdraw-all', 'tidy'),
      stakeAccountAddresses: undefined,
      nonce: fc.constantFrom(undefined, nonce),
    }),
    advanceNonceTransaction: async () => ({ walletAddress, nonceAccountAddress: nonce }),
    closeNonceTransaction: async () => ({ walletAddress, nonceAccountAddress: nonce }),
    transactionState: async () => ({ signature: landed.signature }),
    verifyTransaction: async () => ({ signature: landed.signature }),
    setStakingPolicy: async () => policy(1),
    getStakingPolicy: async () => ({ walletAddress }),
    deleteStakingPolicy: () =>
      signedPolicyCall('DELETE', `/api/v1/autopilot/policy/${walletAddress}`, { walletAddress, nonce: 3 }),
    // Separate wallets, because a wallet has at most 20 webhooks.
    deleteWebhook: async () => {
      const owner = newWallet().walletAddress;
      return { id: (await register(owner)).id, walletAddress: owner };
    },
    restoreWebhook: async () => {
      const owner = newWallet().walletAddress;
      const { id, secret } = await register(owner);
      await service.client.delete(`/api/v1/webhooks/${id}?walletAddress=${owner}`);
      return { id, bearer: secret };
    },
    replayDeliveries: async () => ({ id: webhook.id, from: new Date(0).toISOString() }),
  };
  const landed = await post('/api/v1/transaction/submit', { signedTransaction: await signedStake() });
  const created = await post('/api/v1/nonce/create/transaction', { walletAddress });
  const nonce: string = created.nonceAccountAddress;
  await post('/api/v1/transaction/submit', { signedTransaction: signedBy(wallet, created.transaction) });
  const stakeAccountAddress = await stakeOf();
  const outcomes = await fuzzService({
    url: service.url,
    valid: VALID,
    broken: BROKEN,
    seed: 1,
    bearer: webhook.secret,
    // Concurrent unstakes use the same accounts. An unstake that loses this race twice gets
    // STAKE_BALANCE_CHANGED.
    expectedFailure: (code) => code === 'STAKE_BALANCE_CHANGED',
    known: {
      id: fc.constantFrom(webhook.id, walletAddress),
      callbackUrl: fc.constant(CALLBACK),
      url: fc.constant(CALLBACK),
      events: fc.constantFrom(['withdraw_ready'], ['epoch_complete', 'stake_activated']),
      walletAddress: fc.constantFrom(walletAddress, newWallet().walletAddress),
      secretKey: fc.constant(secretKey),
      address: fc.constantFrom(walletAddress, stakeAccountAddress, sandbox.voteAccount),
      stakeAccountAddress: fc.constantFrom(stakeAccountAddress, walletAddress),
      nonce: fc.constantFrom(nonce, walletAddress),
      feePayer: fc.constant(walletAddress),
      owner: fc.constant(walletAddress),
      stakeAuthority: fc.constantFrom(walletAddress, sandbox.voteAccount),
      amountSol: fc.constantFrom(1.01, 2, 0.01, 8_000_000),
    },
    knownOf: async (operationId) => {
      const { bearer, ...values } = (await needs[operationId]?.()) ?? {};
      return { values: constants(values), bearer: bearer as string | undefined };
    },
  });
  for (const { operationId, statuses, alone, problems } of outcomes) {
    t.diagnostic(`${operationId}: ${JSON.stringify(statuses)} ${JSON.stringify(alone)}`);
    assert.deepEqual(problems, [], operationId);
  }
  const refusedAlone = outcomes.flatMap(({ operationId, alone }) =>
    Object.entries(alone).flatMap(([member, status]) =>
      status === 200 ? [] : [`${operationId} with ${member}`],
    ),
  );
  assert.deepEqual(refusedAlone, [], 'each of the alternative fields is sufficient');
  assert.ok(outcomes.length >= 48, `${outcomes.length} operations`);
  const without = outcomes
    .filter(({ statuses, alone }) => !statuses['200'] && !Object.values(alone).includes(200))
    .map(({ operationId }) => operationId);
  assert.deepEqual(without, [], 'each operation must have succeeded at least once');
});
