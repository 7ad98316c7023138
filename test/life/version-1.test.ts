// Checks version 1 transactions: a full staking lifecycle with the fee and the limits in the header, and a
// cluster that does not accept them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { outlive, rpc } from '../support/expired-transactions.ts';
import { until } from '../support/index-fixture.ts';
import { startRpcTap } from '../support/rpc-tap.ts';
import { balanceOf, refused } from '../support/service-calls.ts';
import { settingsFor, sharedService, startServiceHere } from '../support/service-fixture.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const PRICES = [50_000].map((prioritizationFee, slot) => ({ slot, prioritizationFee }));

const shared = sharedService({ before, after });
const post = (path: string, body: Readonly<Record<string, unknown>>) =>
  shared().service.client.post(`/api/v1/${path}`, body);
const wireOf = (transaction: string) => decodeWire(new Uint8Array(Buffer.from(transaction, 'base64')));

/** Checks and submits a version 1 transaction. Returns the builder's response. */
const land = async (wallet: TestWallet, path: string, body: Readonly<Record<string, unknown>>) => {
  const { walletAddress } = wallet;
  const built = await post(path, { walletAddress, transactionVersion: 1, ...body });
  const [{ transaction, idempotencyKey = built.idempotencyKey }] = built.transactions ?? [built];
  const { version, headerBudget, networkFeeLamports, instructions } = wireOf(transaction);
  assert.equal(version, 1);
  assert.ok(instructions.every(({ program }) => program !== 'Compute Budget'));
  const { priorityFee } = built.transactions?.[0] ?? built;
  assert.deepEqual(
    [priorityFee.lamports, priorityFee.computeUnitLimit, priorityFee.loadedAccountsDataBytes],
    [0, headerBudget!.computeUnitLimit, headerBudget!.loadedAccountsDataBytes],
  );
  const checked = await post('verify/stake-transaction', { walletAddress, transaction });
  assert.equal(checked.ok, true, JSON.stringify(checked.fields));
  const { signature } = await post('transaction/submit', {
    signedTransaction: signedBy(wallet, transaction),
    idempotencyKey,
  });
  const { meta } = (await rpc(shared().sandbox, 'getTransaction', [
    signature,
    { maxSupportedTransactionVersion: 1, commitment: 'confirmed' },
  ])) as { meta: { fee: number } };
  assert.equal(BigInt(meta.fee), networkFeeLamports);
  return built;
};

test('a full staking lifecycle in version 1 includes a stake, an unstake, a withdrawal, a donation, a plan and a nonce', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 30);
  const { walletAddress } = wallet;
  const staked = await land(wallet, 'stake/transaction', { amountSol: 10 });
  assert.equal(staked.instructions.length, 4);
  const { stakeAccountAddress } = staked;
  await sandbox.advanceEpochs(2);
  await land(wallet, 'plan', { goal: 'unstake', amountSol: 3 });
  await land(wallet, 'unstake/transaction', { stakeAccountAddress });
  await sandbox.advanceEpochs(2);
  await land(wallet, 'restake/transaction', { stakeAccountAddress });
  await land(wallet, 'withdraw/transaction', { all: true });
  await land(wallet, 'donate', { amountSol: 0.1 });
  const { nonceAccountAddress: nonce } = await land(wallet, 'nonce/create/transaction', {});
  await land(wallet, 'stake/transaction', { amountSol: 2, nonce });
  await land(wallet, 'nonce/close/transaction', { nonceAccountAddress: nonce });
  const { history } = await service.client.get(`/api/v1/stake/history/${walletAddress}`);
  assert.equal(history.length, 7);
});

test('a version 1 transaction that was sent directly to the cluster is in the history', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const { transaction } = await post('donate', { walletAddress, amountSol: 0.5, transactionVersion: 1 });
  await rpc(sandbox, 'sendTransaction', [signedBy(wallet, transaction), { encoding: 'base64' }]);
  const read = () => service.client.get(`/api/v1/stake/history/${walletAddress}`);
  await until(async () => (await read()).history.length > 0, 'the donation');
  assert.deepEqual((await read()).history[0].amountSol, 0.5);
});

test('an expired version 1 stake is rebuilt in version 1 at the same address, and only its lifetime differs', async () => {
  const wallet = await fundedWallet(shared().sandbox, 10);
  const { walletAddress } = wallet;
  const old = await post('stake/transaction', { walletAddress, amountSol: 2, transactionVersion: 1 });
  await outlive(shared(), old);
  const { transaction, idempotencyKey } = old;
  const rebuilt = await post('transaction/rebuild', { transaction, idempotencyKey });
  assert.equal(rebuilt.transactionVersion, 1);
  assert.equal(rebuilt.difference.onlyLifetime, true, JSON.stringify(rebuilt.difference));
  assert.equal(rebuilt.stakeAccountAddress, old.stakeAccountAddress);
});

test('a one-shot stake in version 1 sets the fee in its header, auto selects legacy, and other versions are refused', async (t) => {
  const { sandbox } = shared();
  const tap = await startRpcTap(sandbox.rpcUrl, (method) =>
    method === 'getRecentPrioritizationFees' ? PRICES : undefined,
  );
  t.after(tap.close);
  const { client } = await startServiceHere(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: tap.url });
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress, secretKey } = wallet;
  const before = await balanceOf(sandbox, walletAddress);
  const done = await client.post('/api/v1/stake', {
    walletAddress,
    secretKey,
    amountSol: 2,
    transactionVersion: 1,
  });
  assert.equal(done.priorityFee.form, 'header');
  assert.ok(done.priorityFee.lamports > 0);
  const paid = before - (await balanceOf(sandbox, walletAddress)) - 2_000_000_000n;
  assert.equal(paid, 10_000n + BigInt(done.priorityFee.lamports));
  const build = (transactionVersion: unknown) =>
    client.post('/api/v1/stake/transaction', { walletAddress, amountSol: 2, transactionVersion });
  assert.equal((await build('auto')).transactionVersion, 'legacy');
  for (const wrong of [2, '1', 'v1', null, -1]) {
    const { status, body } = await refused(build(wrong));
    assert.deepEqual([status, body.errorCode], [400, 'VALIDATION_ERROR'], String(wrong));
    assert.match(String(body.message), /transactionVersion/);
  }
});

test('on a cluster that does not accept version 1, requests are refused before anything is sent, and the error names the version to use', async (t) => {
  const { sandbox } = shared();
  const tap = await startRpcTap(sandbox.rpcUrl, (method, [text]) =>
    method === 'sendTransaction' && Buffer.from(String(text), 'base64')[0] === 0x81
      ? new Error('failed to deserialize solana_transaction::versioned::VersionedTransaction: invalid value')
      : undefined,
  );
  t.after(tap.close);
  const { client } = await startServiceHere(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: tap.url });
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const stake = async (transactionVersion: unknown) => {
    const body = { walletAddress, amountSol: 2, transactionVersion };
    const { transaction } = await client.post('/api/v1/stake/transaction', body);
    return client.post('/api/v1/transaction/submit', { signedTransaction: signedBy(wallet, transaction) });
  };
  const { body } = await refused(stake(1));
  assert.deepEqual([body.errorCode, body.reason], ['SUBMISSION_FAILED', 'VERSION_NOT_SUPPORTED']);
  assert.match(JSON.stringify(body.suggestedAction), /transactionVersion legacy/);
  assert.equal(await balanceOf(sandbox, walletAddress), 10_000_000_000n);
  await stake('legacy');
  assert.ok((await balanceOf(sandbox, walletAddress)) < 8_000_000_000n);
});
