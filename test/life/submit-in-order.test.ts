// Submits several signed transactions in one call. They are sent in order, each after the previous one is
// confirmed, up to the first failure.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Address, Blockhash } from '@solana/kit';
import { buildTransaction, encodeWire } from '../../src/chain/transactions/transaction.ts';
import { balanceOf, lamportsOf, refused, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const SUBMIT = '/api/v1/transaction/submit';

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  shared().service.client.post(path, body, headers);
const unstaked = async (wallet: TestWallet, stakeAccountAddress: string) => {
  const { walletAddress } = wallet;
  return post('/api/v1/unstake/transaction', { walletAddress, stakeAccountAddress });
};
const statesOf = async ({ walletAddress }: TestWallet): Promise<readonly string[]> => {
  const { accounts } = await shared().service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
  return accounts.map(({ state }: { state: string }) => state).sort();
};

/**
 * Builds an unstake of activating stake and the withdrawal that depends on it. No builder creates the second
 * before the first has landed, so the test does.
 */
const dependentPair = async (wallet: TestWallet, account: string): Promise<[string, string]> => {
  const first = await unstaked(wallet, account);
  const built = buildTransaction.withdraw({
    wallet: wallet.walletAddress as Address,
    stakeAccount: account as Address,
    lamports: await balanceOf(shared().sandbox, account),
    memo: shared().sandbox.memo,
    blockhash: first.blockhash as Blockhash,
  });
  const second = Buffer.from(encodeWire(built)).toString('base64');
  return [signedBy(wallet, first.transaction), signedBy(wallet, second)];
};

test('dependent transactions land in order, and resubmitting the list sends none of them twice', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const account = await stakeNow(shared().service, wallet, 3);
  const pair = await dependentPair(wallet, account);

  const wrongOrder = await refused(post(SUBMIT, { signedTransactions: [...pair].reverse() }));
  assert.deepEqual([wrongOrder.status, wrongOrder.body.failedIndex, wrongOrder.body.landed], [400, 0, []]);
  assert.deepEqual(await statesOf(wallet), ['activating']);

  const key = { 'idempotency-key': 'both' };
  const response = await post(SUBMIT, { signedTransactions: pair }, key);
  assert.equal(response.transactions.length, 2);
  assert.equal(response.signature, response.transactions[1].signature);
  assert.deepEqual(await statesOf(wallet), []);
  const left = await balanceOf(sandbox, wallet.walletAddress);
  const again = await post(SUBMIT, { signedTransactions: pair }, key);
  const signatures = ({ transactions }: { transactions: readonly { signature: string }[] }) =>
    transactions.map(({ signature }) => signature);
  assert.deepEqual(signatures(again), signatures(response));
  // The second transaction withdrew the SOL, so a repeated response must not say that it can be withdrawn.
  assert.match(response.transactions[0].message, /3 SOL can be withdrawn now\.$/);
  assert.match(again.transactions[0].message, /^Unstake of [\d.]+ SOL confirmed\.$/);
  assert.equal(await balanceOf(sandbox, wallet.walletAddress), left);
  const slots = await Promise.all(
    response.transactions.map(async ({ signature }: { signature: string }) => {
      const { slot } = await shared().service.client.get(`/api/v1/transaction/${signature}`);
      return slot;
    }),
  );
  assert.ok(slots[0] < slots[1], 'the second is sent once the first is confirmed');
});

test('the first failure ends the list: the response names the landed transactions, and later ones are not sent', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const [one, other] = [await stakeNow(service, wallet, 2), await stakeNow(service, wallet, 3)];
  const { transaction } = await unstaked(wallet, one);
  const first = signedBy(wallet, transaction);
  const withdrawal = (await dependentPair(wallet, other))[1];
  const last = signedBy(wallet, (await unstaked(wallet, other)).transaction);
  const { status, body } = await refused(post(SUBMIT, { signedTransactions: [first, withdrawal, last] }));
  assert.deepEqual(
    [status, body.errorCode, body.failedIndex, (body.landed as unknown[]).length],
    [400, 'STAKE_BALANCE_CHANGED', 1, 1],
  );
  assert.match(String(body.message), /^Transaction 2 of 3: .* Before it, 1 landed\.$/s);
  assert.deepEqual(await statesOf(wallet), ['activating', 'inactive']);
});

test('all transactions are checked before the first is sent', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const account = await stakeNow(service, wallet, 2);
  const { transaction } = await unstaked(wallet, account);
  const signed = signedBy(wallet, transaction);
  for (const second of [transaction, 'AAAA']) {
    const { status, body } = await refused(post(SUBMIT, { signedTransactions: [signed, second] }));
    assert.deepEqual([status, body.errorCode, body.failedIndex], [400, 'INVALID_TRANSACTION', 1]);
  }
  for (const members of [{}, { signedTransaction: signed, signedTransactions: [signed] }]) {
    const { body } = await refused(post(SUBMIT, members));
    assert.equal(body.errorCode, 'VALIDATION_ERROR');
  }
  assert.deepEqual(await statesOf(wallet), ['activating']);
  assert.equal(
    lamportsOf((await post(SUBMIT, { signedTransactions: [signed] })).transactions.length),
    1_000_000_000n,
  );
});
