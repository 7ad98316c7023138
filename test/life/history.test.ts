// Compares wallet history and analytics with the chain: each transaction appears once, regardless of who
// submitted it, with exact amounts, and credited to its signer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { address } from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { authorize, until } from '../support/index-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { buildAndSubmit, refusalFacts, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const get = (path: string) => shared().service.client.get(path);
const historyOf = (wallet: string, query = '') => get(`/api/v1/stake/history/${wallet}${query}`);

const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

type Entry = Record<string, unknown>;

/** Returns the history once it has `count` entries. Transactions appear when they are finalized. */
const finalHistory = async (wallet: string, count: number): Promise<{ history: Entry[] } & Entry> => {
  await until(async () => (await historyOf(wallet)).history.length >= count, `${count} finalized entries`);
  return historyOf(wallet);
};

const wholeLife = async (wallet: TestWallet): Promise<string> => {
  const { sandbox, service } = shared();
  const stakeAccountAddress = await stakeNow(service, wallet, 2);
  await sandbox.advanceEpochs(1);
  await buildAndSubmit(service, wallet, '/api/v1/unstake/transaction', { stakeAccountAddress });
  await sandbox.advanceEpochs(1);
  await buildAndSubmit(service, wallet, '/api/v1/withdraw/transaction', { stakeAccountAddress });
  await buildAndSubmit(service, wallet, '/api/v1/donate', { amountSol: 0.25 });
  return stakeAccountAddress;
};

test('all transactions that a wallet made through the service are listed, newest first, with no gaps or repetitions between pages', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const stakeAccount = await wholeLife(wallet);
  const { history, coverageFromSlot, warnings } = await finalHistory(wallet.walletAddress, 4);
  assert.deepEqual(
    history.map(({ type, stakeAccountAddress, source }) => [type, stakeAccountAddress, source]),
    [
      ['donate', null, 'rest'],
      ['withdraw', stakeAccount, 'rest'],
      ['unstake', stakeAccount, 'rest'],
      ['stake', stakeAccount, 'rest'],
    ],
  );
  const [donation, withdrawal, unstaking, staking] = history;
  assert.equal(donation!.amountSol, 0.25);
  assert.ok((withdrawal!.amountSol as number) > 2, 'the whole stake with its rewards');
  assert.equal(unstaking!.amountSol, 1.99833376);
  assert.equal(staking!.amountSol, 2);
  assert.deepEqual([coverageFromSlot, warnings], [0, []]);
  assert.deepEqual(
    history.map(({ epoch }) => Number(epoch) - Number(staking!.epoch)),
    [2, 2, 1, 0],
  );
  assert.deepEqual(
    history.map(({ accountUrl }) => accountUrl === null),
    [true, false, false, false],
  );
  for (const { signature, slot, explorerUrl, stakeAccountAddress, accountUrl } of history) {
    if (accountUrl !== null)
      assert.equal(
        String(accountUrl),
        String(explorerUrl).replace(`/tx/${signature}`, `/address/${stakeAccountAddress}`),
      );
    assert.ok((explorerUrl as string).includes(signature as string));
    const { slot: landed } = await get(`/api/v1/transaction/${signature}`);
    assert.equal(slot, landed);
  }
  const paged: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await historyOf(wallet.walletAddress, `?limit=3${cursor ? `&cursor=${cursor}` : ''}`);
    paged.push(...page.history);
    cursor = page.nextCursor;
  }
  assert.deepEqual(paged, history);
});

test('a transaction submitted elsewhere is found on chain if it has the service’s memo and only the service’s instructions', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const built = await service.client.post('/api/v1/donate', { walletAddress, amountSol: 0.5 });
  const wire = Buffer.from(built.transaction, 'base64');
  wire.set(wallet.sign(wire.subarray(1 + 64 * wire[0]!)), 1);
  const sent = await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'sendTransaction',
      params: [wire.toString('base64'), { encoding: 'base64' }],
    }),
  });
  const { result: signature } = (await sent.json()) as { result: string };
  const { history } = await finalHistory(walletAddress, 1);
  assert.deepEqual(
    history.map((entry) => [entry.type, entry.signature, entry.amountSol, entry.source]),
    [['donate', signature, 0.5, 'chain']],
  );
});

test('a stake sent directly to the RPC node without the service’s memo is listed with its unstake, both marked as lacking the memo', async () => {
  const { sandbox } = shared();
  const staker = await SandboxStaker.fund(sandbox, 5_000_000_000n);
  const stakeAccount = await staker.stake(2_000_000_000n);
  const wallet = staker.wallet.address;
  const staked = await finalHistory(wallet, 1);
  assert.deepEqual(
    staked.history.map((entry) => [entry.type, entry.stakeAccountAddress, entry.amountSol, entry.hasMemo]),
    [['stake', stakeAccount, 2, false]],
  );
  assert.deepEqual([staked.coverageFromSlot, staked.warnings], [0, []]);
  await sandbox.advanceEpochs(1);
  await staker.deactivate(stakeAccount);
  const { history } = await finalHistory(wallet, 2);
  assert.deepEqual(
    history.map(({ type, hasMemo, source }) => [type, hasMemo, source]),
    [
      ['unstake', false, 'chain'],
      ['stake', false, 'chain'],
    ],
  );
});

test('an unstake sent elsewhere is listed with the amount that it unstaked, or none once a reward has been added to it', async () => {
  const { sandbox } = shared();
  for (const [epochsLater, amountSol] of [
    [0, 1.99833376],
    [1, null],
  ] as const) {
    const staker = await SandboxStaker.fund(sandbox, 5_000_000_000n);
    const stakeAccount = await staker.stake(2_000_000_000n);
    await sandbox.advanceEpochs(1);
    await staker.deactivate(stakeAccount);
    if (epochsLater > 0) await sandbox.advanceEpochs(epochsLater);
    const { history } = await finalHistory(staker.wallet.address, 2);
    const [unstake, stake] = history.map(({ act, amountSol }) => [act, amountSol]);
    assert.deepEqual(
      [unstake, stake],
      [
        ['unstake', amountSol],
        ['stake', 2],
      ],
      `${epochsLater} epochs later`,
    );
  }
});

test('each authority that a wallet gives away on chain is listed with its account, its new holder and its transaction', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const other = newWallet().walletAddress;
  const stakeAccountAddress = await stakeNow(service, wallet, 2);
  const staker = await SandboxStaker.of(sandbox, wallet);
  for (const role of ['Staker', 'Withdrawer'] as const)
    await staker.send([authorize(staker, stakeAccountAddress, other, role)]);
  const { history } = await finalHistory(wallet.walletAddress, 3);
  assert.deepEqual(
    history.slice(0, 2).map(({ type, act, title, source, legs }) => ({ type, act, title, source, legs })),
    ['authorizeWithdrawer', 'authorize'].map((type) => ({
      type: 'rearrange',
      act: 'authorize',
      title: 'Change an authority',
      source: 'chain',
      legs: [{ type, stakeAccountAddress, counterAccountAddress: other, amountSol: null }],
    })),
  );
});

test('a memo alone creates no entry, and no wallet is credited with a transaction signed by another', async () => {
  const { sandbox } = shared();
  const liar = await SandboxStaker.fund(sandbox, 5_000_000_000n);
  await liar.send([getAddMemoInstruction({ memo: sandbox.memo }, { programAddress: MEMO_PROGRAM })]);
  const victim = newWallet().walletAddress;
  await fundedWallet(sandbox, 1);
  await sandbox.advanceBlocks(40);
  for (const wallet of [liar.wallet.address, victim]) {
    const { history, coverageFromSlot } = await historyOf(address(wallet));
    assert.deepEqual([history, coverageFromSlot], [[], 0], wallet);
  }
});

test('an unknown cursor and an out-of-range limit are refused', async () => {
  const wallet = newWallet().walletAddress;
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?cursor=nonsense'])
    assert.equal((await refusalFacts(historyOf(wallet, query)))[2], 'VALIDATION_ERROR', query);
});

test('analytics count each landed transaction once, exact to the lamport, and name no wallet', async () => {
  const { sandbox } = shared();
  const earlier = await get('/analytics-json');
  const wallet = await fundedWallet(sandbox, 10);
  await wholeLife(wallet);
  const recounted = async () => (await get('/analytics-json'))._meta.cachedAt !== earlier._meta.cachedAt;
  await until(recounted, 'the statistics to be recomputed');
  const now = await get('/analytics-json');
  for (const type of ['stake', 'unstake', 'withdraw', 'donate'])
    assert.equal(now.transactionCounts[type], earlier.transactionCounts[type] + 1, type);
  assert.equal(now.totalTransactions, earlier.totalTransactions + 4);
  assert.equal(now.restTransactions, earlier.restTransactions + 4);
  assert.equal(now.mcpTransactions, 0);
  assert.equal(now.uniqueWallets, earlier.uniqueWallets + 1);
  assert.equal(now.totalSolStaked, earlier.totalSolStaked + 2);
  assert.equal(now.totalSolDonated, earlier.totalSolDonated + 0.25);
  assert.deepEqual(now.last24h, now.last30d);
  assert.equal(now.last24h.transactions, now.totalTransactions);
  assert.equal(now.avgStakeSol, now.totalSolStaked / now.transactionCounts.stake);
  assert.equal(now.recentTransactions[0].type, 'donate');
  assert.ok(!JSON.stringify(now).includes(wallet.walletAddress));
  assert.ok(now.activeSolStaked >= 0);
  const donations = now.endpointCounts['POST /api/v1/donate'] - earlier.endpointCounts['POST /api/v1/donate'];
  assert.equal(donations, 1);
  const sum = Object.values(now.endpointCounts as Record<string, number>).reduce((a, b) => a + b, 0);
  assert.equal(now.totalApiCalls, sum);
});
