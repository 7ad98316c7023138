// Checks refusals of stake changes over REST: each code with its figures, for accounts that take years or
// other parties to create.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createHttpClient } from '../../demo/http-client.ts';
import { STAKE_PROGRAM } from '../../sandbox/epochs/stake-account.ts';
import { startTestApp } from '../support/app-fixture.ts';
import { until } from '../support/index-fixture.ts';
import { lamportsOf, refused } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { type StakeAccountFields, stakeAccountBytes } from '../support/stake-account-bytes.ts';
import { fundedWallet, newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const SOL = 1_000_000_000n;
const RENT = 1_666_240n;
const UNSTAKE = '/api/v1/unstake/transaction';
const UNDO = '/api/v1/unstake/undo/transaction';

/** Writes a stake account, of 3 SOL by default, and returns its address. */
const written = async (
  { walletAddress }: TestWallet,
  fields: Partial<StakeAccountFields> & {
    stakeLamports?: bigint;
    deactivationEpoch?: bigint;
    extraLamports?: bigint;
  } = {},
): Promise<string> => {
  const { sandbox } = shared();
  const { stakeLamports = 3n * SOL, deactivationEpoch, extraLamports = 0n, ...rest } = fields;
  const { walletAddress: address } = newWallet();
  await sandbox.setAccount({
    address,
    lamports: stakeLamports + RENT + extraLamports,
    owner: STAKE_PROGRAM,
    data: stakeAccountBytes({
      wallet: walletAddress,
      delegation: {
        voteAccount: sandbox.voteAccount,
        stakeLamports,
        ...(deactivationEpoch === undefined ? {} : { deactivationEpoch }),
      },
      ...rest,
    }),
  });
  return address;
};

const post = (path: string, { walletAddress }: TestWallet, members: object) =>
  shared().service.client.post(path, { walletAddress, ...members });

/** Status and code, and the named fields. */
const refusal = async (
  call: Promise<unknown>,
  ...members: readonly string[]
): Promise<readonly unknown[]> => {
  const { status, body } = await refused(call);
  return [status, body.errorCode, ...members.map((name) => body[name])];
};

test('AMOUNT_NOT_REACHABLE is 400 with both neighbours', async () => {
  const wallet = await fundedWallet(shared().sandbox, 2);
  const stakeAccountAddress = await written(wallet);
  const build = post(UNSTAKE, wallet, { amountSol: 2.5, stakeAccountAddress });
  const figures = ['nearestBelowSol', 'nearestAboveSol', 'minimumDelegationSol'];
  assert.deepEqual(await refusal(build, ...figures), [400, 'AMOUNT_NOT_REACHABLE', 2, 3, 1]);
});

test('accounts of another staker or under a lockup are left alone, and the reason is given for blocked ones', async () => {
  const wallet = await fundedWallet(shared().sandbox, 2);
  const [staker, custodian] = [newWallet().walletAddress, newWallet().walletAddress];
  const foreign = await written(wallet, { stakeAuthority: staker });
  const members = { amountSol: 3, stakeAccountAddress: foreign };
  const figures = ['nearestBelowSol', 'nearestAboveSol'];
  assert.deepEqual(await refusal(post(UNSTAKE, wallet, members), ...figures), [
    ...[400, 'AMOUNT_NOT_REACHABLE'],
    ...[null, null],
  ]);
  const lockup = { unixTimestamp: 4_000_000_000n, custodian };
  const locked = await written(wallet, { lockup, deactivationEpoch: 1n });
  const total = { amountSol: 3, stakeAccountAddress: locked, want: 'withdrawAmount' };
  assert.deepEqual(await refusal(post(UNSTAKE, wallet, total)), [400, 'AMOUNT_NOT_REACHABLE']);
  const all = { goal: 'withdraw-all', stakeAccountAddresses: [locked] };
  const { feasible, refusal: why } = await post('/api/v1/plan', wallet, all);
  assert.deepEqual([feasible, why.errorCode], [false, 'NOTHING_TO_DO']);
});

test('UNDO_TOO_LATE, and UNDO_IMPOSSIBLE with the reason: a withdrawn balance, another validator', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 2);
  const deactivationEpoch = BigInt(sandbox.epoch());
  const late = await written(wallet, { deactivationEpoch: deactivationEpoch - 1n });
  assert.deepEqual(await refusal(post(UNDO, wallet, { stakeAccountAddress: late })), [400, 'UNDO_TOO_LATE']);
  const short = await written(wallet, { deactivationEpoch, extraLamports: -9n });
  assert.deepEqual(await refusal(post(UNDO, wallet, { stakeAccountAddress: short }), 'why', 'missingSol'), [
    ...[400, 'UNDO_IMPOSSIBLE'],
    ...['balance', 9e-9],
  ]);
  const elsewhere = await written(wallet, {
    delegation: { voteAccount: sandbox.otherVoteAccount, stakeLamports: 3n * SOL, deactivationEpoch },
  });
  assert.deepEqual(await refusal(post(UNDO, wallet, { stakeAccountAddress: elsewhere }), 'why'), [
    ...[400, 'UNDO_IMPOSSIBLE'],
    'other-validator',
  ]);
});

test('EPOCH_REWARDS_ACTIVE refuses builders; plan and preview report it together with the possible amounts', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 2);
  const stakeAccountAddress = await written(wallet);
  await sandbox.holdEpochRewards(true);
  try {
    const amount = { amountSol: 1.5, stakeAccountAddress };
    assert.deepEqual(await refusal(post(UNSTAKE, wallet, amount)), [502, 'EPOCH_REWARDS_ACTIVE']);
    const preview = await post('/api/v1/unstake/preview', wallet, amount);
    assert.deepEqual([preview.plan, preview.refusal.errorCode], [null, 'EPOCH_REWARDS_ACTIVE']);
    assert.deepEqual(preview.reachable, [
      { fromSol: 1, toSol: 2 },
      { fromSol: 3, toSol: 3 },
    ]);
    const goal = { goal: 'unstake', amountSol: 1.5, stakeAccountAddresses: [stakeAccountAddress] };
    const planned = await post('/api/v1/plan', wallet, goal);
    assert.deepEqual([planned.feasible, planned.refusal.errorCode], [false, 'EPOCH_REWARDS_ACTIVE']);
  } finally {
    await sandbox.holdEpochRewards(false);
  }
});

test('with thirty accounts PLAN_NEEDS_SEVERAL is 409 with the number of transactions; the plan has them all, and one call submits them', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 2);
  const { walletAddress } = wallet;
  const accountsOf = async () =>
    (await service.client.get(`/api/v1/stake/accounts/${walletAddress}`)).accounts as readonly {
      deactivatingSol: number;
    }[];
  for (let made = 0; made < 30; made += 1) await written(wallet);
  await until(async () => (await accountsOf()).length === 30, 'thirty accounts');
  assert.deepEqual(await refusal(post(UNSTAKE, wallet, { amountSol: 90 }), 'transactionCount'), [
    ...[409, 'PLAN_NEEDS_SEVERAL'],
    2,
  ]);
  const preview = await post('/api/v1/unstake/preview', wallet, { amountSol: 90 });
  assert.equal(preview.transactionCount, 2);
  const { transactions } = await post('/api/v1/plan', wallet, { goal: 'unstake', amountSol: 90 });
  const signedTransactions = transactions.map(({ transaction }: { transaction: string }) =>
    signedBy(wallet, transaction),
  );
  const answer = await service.client.post('/api/v1/transaction/submit', { signedTransactions });
  assert.equal(answer.transactions.length, 2);
  const cooling = (await accountsOf()).reduce((sum, one) => sum + lamportsOf(one.deactivatingSol), 0n);
  assert.equal(cooling, 90n * SOL);
});

test('EPOCH_BOUNDARY_NEAR is 409: a hundred slots before the boundary no undo is built', async (t) => {
  const { app, sandbox, rpc } = await startTestApp(t);
  const { walletAddress } = await fundedWallet(sandbox, 1);
  // The epochs of a sandbox end on demand, so the node is made to report that this one is nearly over.
  const { result } = (await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getEpochInfo' }),
  }).then((answer) => answer.json())) as { result: Record<string, number> };
  const late = result.absoluteSlot! - result.slotIndex! + result.slotsInEpoch! - 100;
  rpc.rewrite((_, text) => text.replace(/"slot":\s*\d+/, `"slot":${late}`));
  const call = createHttpClient(app.url).post(UNDO, { walletAddress });
  const { status, body } = await refused(call);
  assert.deepEqual([status, body.errorCode, body.slotsRemaining], [409, 'EPOCH_BOUNDARY_NEAR', 100]);
  assert.ok(!Number.isNaN(Date.parse(String(body.estimatedEpochEnd))));
});
