// Checks priority fees on a busy cluster: the announced fee is charged, no fee is paid unless requested, and an
// expired one-shot transaction pays more on the next attempt.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Signature } from '@solana/kit';
import { Refusal } from '../../demo/http-client.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { type RpcTap, startRpcTap } from '../support/rpc-tap.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { fundedWallet, signedBy } from '../support/wallets.ts';

/** Lowest price that landed in each recent block, in micro-lamports per compute unit. */
let prices: readonly number[] = [20_000, 50_000, 80_000];
/** Decides which transactions the cluster never accepts, by signature. */
let isLost: (signature: string) => boolean = () => false;

const answer = (method: string, params: readonly unknown[]): unknown => {
  if (method === 'getRecentPrioritizationFees')
    return prices.map((prioritizationFee, slot) => ({ slot, prioritizationFee }));
  if (method !== 'sendTransaction') return undefined;
  const { signature } = decodeWire(new Uint8Array(Buffer.from(String(params[0]), 'base64')));
  return signature !== null && isLost(signature) ? signature : undefined;
};

let sandbox: Sandbox;
let tap: RpcTap;
before(async () => {
  // A blockhash then expires after 7.5 s. A busy machine once took longer than the usual 3 s to sign and send.
  sandbox = await startSandbox({ ...QUICK_SANDBOX, slotMs: 50 });
  tap = await startRpcTap(sandbox.rpcUrl, answer);
});
after(async () => {
  await tap.close();
  await sandbox.close();
});

const open = async (
  t: Parameters<typeof startServiceHere>[0],
  settings: Readonly<Record<string, string>> = {},
) => (await startServiceHere(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: tap.url, ...settings })).client;

const rpc = async (method: string, ...params: readonly unknown[]) => {
  const response = await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: { meta: { fee: number } } }).result;
};

const feeOf = async (signature: string): Promise<number> =>
  (await rpc('getTransaction', signature as Signature, { maxSupportedTransactionVersion: 1 })).meta.fee;

for (const transactionVersion of ['legacy', 0, 1] as const)
  test(`in version ${transactionVersion}, the fee that a builder announces is charged`, async (t) => {
    prices = [20_000, 50_000, 80_000];
    const client = await open(t);
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress } = wallet;
    const plain = await client.post('/api/v1/stake/transaction', {
      walletAddress,
      amountSol: 2,
      transactionVersion,
    });
    const isHeader = transactionVersion === 1;
    assert.equal(plain.transactionVersion, transactionVersion);
    assert.equal(plain.priorityFee?.form, isHeader ? 'none' : undefined);
    assert.equal(plain.instructions.length, 4);
    const fees: number[] = [];
    for (const priority of ['low', 'medium', 'high', { maxLamports: 1_000 }]) {
      const built = await client.post('/api/v1/stake/transaction', {
        walletAddress,
        amountSol: 2,
        transactionVersion,
        priority,
      });
      assert.deepEqual(
        built.instructions.map(({ name }: { name: string }) => name),
        [
          ...(isHeader ? [] : ['setComputeUnitLimit', 'setComputeUnitPrice']),
          'createAccount',
          'initialize',
          'delegateStake',
          'addMemo',
        ],
      );
      const { priorityFee } = built;
      assert.equal(priorityFee.form, isHeader ? 'header' : 'instructions');
      assert.equal(priorityFee.loadedAccountsDataBytes > 0, isHeader);
      assert.equal(built.networkFeeSol, (10_000 + priorityFee.lamports) / 1e9);
      assert.ok(Math.abs(priorityFee.shareOfAmountPct - priorityFee.lamports / 2e7) < 0.00002);
      const signedTransaction = signedBy(wallet, built.transaction);
      const { signature } = await client.post('/api/v1/transaction/submit', { signedTransaction });
      assert.equal(await feeOf(signature), 10_000 + priorityFee.lamports);
      fees.push(priorityFee.lamports);
    }
    const [low, medium, high, most] = fees as [number, number, number, number];
    assert.ok(low > 0 && low < medium && medium < high, String(fees));
    assert.ok(most <= 1_000 && most > 900);
  });

test('plans, unstakes, withdrawals and donations pay the announced priority fee too', async (t) => {
  prices = [50_000];
  const client = await open(t);
  const wallet = await fundedWallet(sandbox, 50);
  const { walletAddress } = wallet;
  const run = async (path: string, body: object) => {
    const answer = await client.post(path, { walletAddress, priority: 'medium', ...body });
    const transactions = answer.transactions ?? [answer];
    for (const { transaction, priorityFee, requiredSigners } of transactions) {
      assert.ok(priorityFee.lamports > 0, path);
      const { signature } = await client.post('/api/v1/transaction/submit', {
        signedTransaction: signedBy(wallet, transaction),
      });
      assert.equal(await feeOf(signature), 5_000 * requiredSigners.length + priorityFee.lamports, path);
    }
    return answer;
  };
  const { stakeAccountAddress } = await run('/api/v1/stake/transaction', { amountSol: 5 });
  await run('/api/v1/donate', { amountSol: 0.01 });
  await sandbox.advanceEpochs(2);
  const plan = await run('/api/v1/plan', { goal: 'unstake', amountSol: 2 });
  assert.equal(plan.plan.cost.feesSol, plan.transactions[0].networkFeeSol);
  await run('/api/v1/unstake/transaction', { stakeAccountAddress });
  await sandbox.advanceEpochs(2);
  await run('/api/v1/withdraw/transaction', { all: true });
});

test('one-shot calls pay the operator’s fee level unless the request sets another, and never more than the ceiling', async (t) => {
  prices = [50_000];
  const client = await open(t);
  const wallet = await fundedWallet(sandbox, 50);
  const { walletAddress, secretKey } = wallet;
  const stake = (more: object = {}) =>
    client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2, ...more });
  const paid = await stake();
  assert.equal(await feeOf(paid.signature), 10_000 + paid.priorityFee.lamports);
  assert.ok(paid.priorityFee.lamports > 0);
  assert.equal(paid.expiredAttempts, undefined);
  const none = await stake({ priority: 'none' });
  assert.deepEqual([none.priorityFee.form, await feeOf(none.signature)], ['none', 10_000]);
  prices = [10_000_000_000];
  const other = await fundedWallet(sandbox, 50);
  const capped = await client.post('/api/v1/stake', {
    walletAddress: other.walletAddress,
    secretKey: other.secretKey,
    amountSol: 2,
  });
  assert.ok(capped.priorityFee.lamports <= 1_000_000 && capped.priorityFee.lamports > 999_000);
  assert.equal(await feeOf(capped.signature), 10_000 + capped.priorityFee.lamports);
  assert.ok(capped.notices.some(({ code }: { code: string }) => code === 'PRIORITY_FEE_CAPPED'));
  const off = await open(t, { HOLDFAST_PRIORITY_FEE: 'none' });
  assert.equal(
    (await off.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2 })).priorityFee.form,
    'none',
  );
});

test('an expired one-shot stake is signed again for the same address with a higher fee, and the response lists the first attempt', async (t) => {
  prices = [50_000];
  const client = await open(t);
  const { walletAddress, secretKey } = await fundedWallet(sandbox, 50);
  const sent = new Set<string>();
  isLost = (signature) => {
    sent.add(signature);
    return sent.size < 2;
  };
  t.after(() => {
    isLost = () => false;
  });
  const done = await client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2 });
  const [first, second] = [...sent];
  assert.equal(sent.size, 2);
  assert.equal(done.signature, second);
  assert.deepEqual(
    done.expiredAttempts.map(({ signature }: { signature: string }) => signature),
    [first],
  );
  const [{ priorityFeeLamports }] = done.expiredAttempts;
  assert.ok(done.priorityFee.lamports >= 2 * priorityFeeLamports - 1, 'at least twice the fee');
  assert.equal(await feeOf(done.signature), 10_000 + done.priorityFee.lamports);
  const { accounts } = await client.get(`/api/v1/stake/accounts/${walletAddress}`);
  assert.equal(accounts.length, 1);
});

test('if the fee must not rise, an expired one-shot stake is reported and not signed again', async (t) => {
  prices = [50_000];
  const client = await open(t);
  const { walletAddress, secretKey } = await fundedWallet(sandbox, 50);
  const sent = new Set<string>();
  isLost = (signature) => {
    sent.add(signature);
    return true;
  };
  t.after(() => {
    isLost = () => false;
  });
  for (const priority of ['none', { maxLamports: 100 }])
    await assert.rejects(
      client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2, priority }),
      (error) => error instanceof Refusal && error.body.errorCode === 'BLOCKHASH_EXPIRED',
    );
  assert.equal(sent.size, 2);
});
