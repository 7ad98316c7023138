// Makes every kind of change to a wallet's stake on a sandbox: unstakes an exact amount from 2 + 2 + 10 SOL,
// undoes it, merges, sweeps and withdraws. Each step is planned, verified and executed.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type Address, createSolanaRpc } from '@solana/kit';
import { verifyTransactionBytes } from '../../client/verify-transaction-bytes.ts';
import { buildTransaction, encodeWire } from '../../src/chain/transactions/transaction.ts';
import { type GoalName, goalRecord } from '../../src/domain/plan/plan-goals.ts';
import { until } from '../support/index-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { balanceOf, fund, lamportsOf, refused, stakeNow } from '../support/service-calls.ts';
import { settingsFor, sharedService, startServiceHere } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

interface Leg {
  readonly type: string;
  readonly stakeAccountAddress: string | null;
  readonly counterAccountAddress: string | null;
  readonly amountSol: number | null;
}

interface Entry {
  readonly type: string;
  readonly act: string;
  readonly title: string;
  readonly stakeAccountAddress: string | null;
  readonly amountSol: number | null;
  readonly hasMemo: boolean;
  readonly legs: readonly Leg[];
}

const isOf = (created: Leg, { counterAccountAddress }: Leg): boolean =>
  created.type === 'create' && created.stakeAccountAddress === counterAccountAddress;

const shared = sharedService({ before, after });

interface Change {
  readonly goal: GoalName;
  readonly [member: string]: unknown;
}

const plan = (wallet: TestWallet, change: Change) =>
  shared().service.client.post('/api/v1/plan', { walletAddress: wallet.walletAddress, ...change });

const accountsOf = async ({ walletAddress }: TestWallet) =>
  (await shared().service.client.get(`/api/v1/stake/accounts/${walletAddress}`)).accounts;

/** Verifies a transaction as the client would, signs it and submits it. Returns the response. */
const run = async (wallet: TestWallet, goal: GoalName, transaction: string) => {
  const { sandbox, service } = shared();
  const result = verifyTransactionBytes(transaction, {
    wallet: wallet.walletAddress as Address,
    voteAccount: sandbox.voteAccount as Address,
    allowed: goalRecord(goal).allowed,
    maxPriorityFeeLamports: 0n,
  });
  assert.deepEqual(result.recognized.problems, []);
  assert.ok((result.recognized.effects?.atRiskLamports ?? 0n) <= 3_000_000n);
  const signedTransaction = signedBy(wallet, transaction);
  return service.client.post('/api/v1/transaction/submit', { signedTransaction });
};

/** Plans a change, executes every transaction, and compares each account with the plan. */
const change = async (wallet: TestWallet, wanted: Change) => {
  const planned = await plan(wallet, wanted);
  assert.equal(planned.feasible, true, JSON.stringify(planned.refusal));
  const messages: string[] = [];
  const activeAt: (string | undefined)[] = [];
  for (const { transaction } of planned.transactions) {
    const landed = await run(wallet, wanted.goal, transaction);
    messages.push(landed.message);
    activeAt.push(landed.estimatedActiveAt);
  }
  const now = new Map(
    (await accountsOf(wallet)).map((one: { address: string }) => [one.address, one] as const),
  );
  for (const { stakeAccountAddress, after } of planned.plan.accounts) {
    const account = now.get(stakeAccountAddress) as { state: string; sol: number } | undefined;
    assert.deepEqual(
      account && { state: account.state, sol: account.sol },
      after ? { state: after.state, sol: after.sol } : undefined,
      `${wanted.goal} ${stakeAccountAddress}`,
    );
  }
  const balance = await shared().service.client.get(`/api/v1/wallet/balance/${wallet.walletAddress}`);
  assert.equal(lamportsOf(balance.sol), lamportsOf(planned.plan.wallet.afterSol));
  return { ...planned.plan, messages, activeAt };
};

const staked = (accounts: readonly { after: { state: string; stakedSol: number } | null }[], state: string) =>
  accounts.reduce((sum, { after }) => (after?.state === state ? sum + lamportsOf(after.stakedSol) : sum), 0n);

test('stake that the wallet moved to another validator is not touched', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 30);
  const gone = await stakeNow(service, wallet, 9);
  await stakeNow(service, wallet, 4);
  const staker = await SandboxStaker.of(sandbox, wallet);
  // Activating stake can be delegated again immediately.
  await staker.send([staker.delegateInstruction(gone, sandbox.otherVoteAccount)]);
  await sandbox.advanceEpochs(1);
  await until(async () => (await accountsOf(wallet)).length === 1, 'the index noticed');
  const planned = await plan(wallet, { goal: 'unstake', amountSol: 6 });
  assert.equal(planned.feasible, false, JSON.stringify(planned.plan));
  assert.equal(planned.refusal.errorCode, 'AMOUNT_NOT_REACHABLE');
  const small = await plan(wallet, { goal: 'unstake', amountSol: 2 });
  assert.ok(
    small.plan.accounts.every(
      ({ stakeAccountAddress }: { stakeAccountAddress: string }) => stakeAccountAddress !== gone,
    ),
  );
});

test('submitting a stake of an ended epoch again only confirms it and predicts no activation, because it may already be active', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 5);
  const asked = { walletAddress: wallet.walletAddress, amountSol: 2 };
  const { transaction } = await service.client.post('/api/v1/stake/transaction', asked);
  const signedTransaction = signedBy(wallet, transaction);
  const submit = (more: object = {}) =>
    service.client.post('/api/v1/transaction/submit', { signedTransaction, ...more });
  const first = await submit({ idempotencyKey: 'first' });
  assert.match(first.message, /^Stake of 2 SOL confirmed\. It becomes active/);
  assert.ok(first.estimatedActiveAt);
  await sandbox.advanceEpochs(1);
  for (const more of [{ idempotencyKey: 'first' }, {}])
    await until(async () => {
      const { message, estimatedActiveAt } = await submit(more);
      return message === 'Stake of 2 SOL confirmed.' && estimatedActiveAt === undefined;
    }, 'the confirmation alone');
});

test('exactly 5 SOL of 2 + 2 + 10 is unstaked, restored by an undo, unstaked again and withdrawn to the wallet', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  for (const amountSol of [2, 2, 10]) await stakeNow(service, wallet, amountSol);
  await sandbox.advanceEpochs(1);

  const first = await change(wallet, { goal: 'unstake', amountSol: 5 });
  assert.equal(staked(first.accounts, 'deactivating'), 5_000_000_000n);
  assert.match(first.messages[0]!, /^Unstake of 5 SOL confirmed\. [\d.]+ SOL can be withdrawn from about /);
  assert.ok(first.wallet.later.reduce((sum: number, { sol }: { sol: number }) => sum + sol, 0) >= 5);
  const undone = await change(wallet, { goal: 'undo' });
  assert.match(undone.messages[0]!, /^Undo of the unstake of 5 SOL confirmed\. It stays staked/);
  assert.deepEqual(undone.activeAt, [undefined], 'it never stopped being active');
  const again = await change(wallet, { goal: 'withdraw-amount', amountSol: 5 });
  assert.deepEqual(again.cancelsActivationOf, []);
  await sandbox.advanceEpochs(1);

  const out = await change(wallet, { goal: 'withdraw-all' });
  assert.ok(out.wallet.afterSol - out.wallet.beforeSol > 4.99);
  assert.match(
    out.messages[0]!,
    /^Withdrawal of 5[\d.]* SOL confirmed\. The withdrawn SOL is in your wallet\.$/,
  );
  const tidy = await change(wallet, { goal: 'tidy' });
  assert.equal(tidy.accounts.filter(({ after }: { after: unknown }) => after !== null).length, 1);
  assert.ok(tidy.cost.rentLockedSol <= 0);
  assert.match(tidy.messages[0]!, /^Merge of \d accounts into 1(, withdrawal of [\d.]+ SOL)? confirmed\./);

  const history = async (): Promise<Entry[]> =>
    (await service.client.get(`/api/v1/stake/history/${wallet.walletAddress}`)).history.toReversed();
  await until(async () => (await history()).length === 8, 'all changes at finalized');
  const entries = await history();
  assert.deepEqual(
    entries.map(({ type, legs }) => [type, ...legs.map((leg) => leg.type)]),
    [
      ['stake', 'create', 'delegate'],
      ['stake', 'create', 'delegate'],
      ['stake', 'create', 'delegate'],
      ['rearrange', 'moveStake', 'deactivate'],
      ['restake', 'undo'],
      ['unstake', 'deactivate'],
      ['withdraw', 'withdraw'],
      ['rearrange', 'merge', 'withdraw'],
    ],
  );
  const outSol = entries[6]!.amountSol;
  const rentSol = entries[7]!.legs[1]!.amountSol;
  assert.deepEqual(
    entries.map(({ act, title }) => [act, title]),
    [
      ['stake', 'Stake 2 SOL'],
      ['stake', 'Stake 2 SOL'],
      ['stake', 'Stake 10 SOL'],
      ['unstake', 'Unstake 5 SOL'],
      ['undo', 'Undo unstake 5 SOL'],
      ['unstake', 'Unstake 5 SOL'],
      ['withdraw', `Withdraw ${outSol} SOL`],
      ['merge', `Merge 2 → 1, withdraw ${rentSol} SOL`],
    ],
  );
  const [moved, merged] = entries.filter(({ type }) => type === 'rearrange');
  assert.deepEqual([moved!.amountSol, moved!.stakeAccountAddress, moved!.hasMemo], [5, null, true]);
  const [move, deactivated] = moved!.legs;
  assert.deepEqual(move!.counterAccountAddress, deactivated!.stakeAccountAddress);
  // The stake already in the account and the stake moved into it add up to exactly the requested amount.
  assert.equal(lamportsOf(entries[5]!.legs[0]!.amountSol), 5_000_000_000n);
  // The rent of the merged account could be withdrawn. The rest of its balance remained staked.
  const [merge, withdrawn] = merged!.legs;
  assert.ok(lamportsOf(merge!.amountSol) > 2_000_000_000n && withdrawn!.amountSol! > 0);
  const before = lamportsOf(entries.find(({ legs: [leg] }) => isOf(leg!, merge!))!.legs[0]!.amountSol);
  const earned = lamportsOf(merge!.amountSol) - before;
  assert.ok(earned >= 0n && earned < 10_000_000n, 'its initial stake and its rewards');
});

test('rewards and tips stay exact to the lamport through splits, moves, an undo and merges, even for closed accounts', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 3_000);
  const { walletAddress } = wallet;
  for (const amountSol of [700, 900]) await stakeNow(service, wallet, amountSol);
  const held = async (): Promise<bigint> => {
    const addresses = (await accountsOf(wallet)).map(({ address }: { address: string }) => address);
    const balances = await Promise.all([walletAddress, ...addresses].map((one) => balanceOf(sandbox, one)));
    return balances.reduce((sum, one) => sum + one, 0n);
  };
  const before = await held();
  await sandbox.advanceEpochs(2);
  let feesLamports = 0n;
  const does = async (wanted: Change): Promise<void> => {
    feesLamports += lamportsOf((await change(wallet, wanted)).cost.feesSol);
  };
  // moveStake takes the 300 SOL out of two accounts, and the undo splits one account.
  await does({ goal: 'unstake', amountSol: 300 });
  await does({ goal: 'undo', amountSol: 100 });
  await does({ goal: 'tidy' });
  await sandbox.advanceEpochs(1);
  await does({ goal: 'unstake', amountSol: 400 });
  await sandbox.advanceEpochs(1);
  await does({ goal: 'tidy' });
  await does({ goal: 'restake' });
  await does({ goal: 'top-up', amountSol: 20 });
  await sandbox.advanceEpochs(2);
  await does({ goal: 'tidy' });
  await does({ goal: 'unstake', amountSol: 50 });
  const toEpoch = sandbox.epoch() - 1;
  const rewardsOf = () => service.client.get(`/api/v1/stake/rewards/${walletAddress}`);
  const isKnown = async () => {
    const { rewards, totals } = await rewardsOf();
    return (
      rewards.some(({ epoch }: { epoch: number }) => epoch === toEpoch) &&
      totals.unknownInflation + totals.unknownTips === 0
    );
  };
  await until(isKnown, 'all rewards and tips');
  const { rewards, totals, warnings } = await rewardsOf();
  assert.deepEqual(warnings, []);
  const accounts = new Set(rewards.map((one: { stakeAccountAddress: string }) => one.stakeAccountAddress));
  assert.ok(accounts.size > (await accountsOf(wallet)).length, 'closed accounts');
  const earned = lamportsOf(totals.inflationSol) + lamportsOf(totals.tipsSol);
  assert.ok(earned > 0n);
  assert.equal(await held(), before - feesLamports + earned);
});

test('idle lamports are swept to the wallet, into a new stake and into an activating stake', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const account = await stakeNow(service, wallet, 3);
  await sandbox.advanceEpochs(1);
  const tip = async (): Promise<void> => {
    await fund(sandbox, account, 300_000_000n);
    const isSeen = async () =>
      (await accountsOf(wallet)).some(
        (one: { address: string; excessSol: number }) => one.address === account && one.excessSol > 0,
      );
    await until(isSeen, 'the tip to be visible at confirmed');
  };
  await tip();
  const swept = await change(wallet, { goal: 'sweep' });
  assert.ok(swept.wallet.afterSol - swept.wallet.beforeSol > 0.299);
  await tip();
  const made = await change(wallet, { goal: 'sweep', to: 'stake', amountSol: 1 });
  assert.ok(staked(made.accounts, 'activating') >= 1_298_000_000n);
  const grown = await change(wallet, { goal: 'top-up', amountSol: 0.5 });
  const [{ stakeAccountAddress: opened }] = grown.laterSteps;
  await tip();
  const moved = await change(wallet, { goal: 'sweep', to: 'activating' });
  assert.ok(staked(moved.accounts, 'activating') >= 2_098_000_000n);
  // The account that the top-up created keeps its rent-exempt minimum until everything ready is withdrawn.
  const { withdrawReady, withdrawableSol } = (await accountsOf(wallet)).find(
    ({ address }: { address: string }) => address === opened,
  );
  assert.deepEqual([withdrawReady, withdrawableSol], [true, grown.cost.rentLockedSol]);
  const closed = await change(wallet, { goal: 'withdraw-all' });
  assert.deepEqual(
    closed.accounts.find(
      ({ stakeAccountAddress }: { stakeAccountAddress: string }) => stakeAccountAddress === opened,
    ).after,
    null,
  );
});

test('a plan for an impossible amount returns the nearest possible amounts, and builders refuse the amount', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const account = await stakeNow(service, wallet, 2.5);
  await sandbox.advanceEpochs(1);
  const { feasible, refusal, transactions } = await plan(wallet, { goal: 'unstake', amountSol: 2 });
  const [{ activeSol }] = await accountsOf(wallet);
  assert.deepEqual([feasible, refusal.errorCode, transactions], [false, 'AMOUNT_NOT_REACHABLE', []]);
  assert.equal(lamportsOf(refusal.nearestBelowSol), lamportsOf(activeSol) - 1_000_000_000n);
  assert.equal(lamportsOf(refusal.nearestAboveSol), lamportsOf(activeSol));

  const { walletAddress } = wallet;
  const build = (path: string, body: object) => service.client.post(path, { walletAddress, ...body });
  const refusedCode = async (path: string, body: object) => (await refused(build(path, body))).body.errorCode;
  const UNSTAKE = '/api/v1/unstake/transaction';
  assert.equal(await refusedCode(UNSTAKE, { amountSol: 2 }), 'AMOUNT_NOT_REACHABLE');
  assert.equal(await refusedCode(UNSTAKE, {}), 'VALIDATION_ERROR');
  assert.equal(await refusedCode('/api/v1/withdraw/transaction', {}), 'VALIDATION_ERROR');
  assert.equal(await refusedCode('/api/v1/withdraw/transaction', { all: true }), 'NOTHING_TO_DO');
  const UNDO = '/api/v1/unstake/undo/transaction';
  assert.equal(await refusedCode(UNDO, {}), 'NOTHING_TO_UNDO');

  const built = await build(UNSTAKE, { amountSol: 1.2 });
  assert.equal(staked(built.plan.accounts, 'deactivating'), 1_200_000_000n);
  await run(wallet, 'unstake', built.transaction);
  const undo = await build(UNDO, { amountSol: 1.2 });
  await run(wallet, 'undo', undo.transaction);
  const after = await accountsOf(wallet);
  assert.deepEqual(
    after.map(({ state }: { state: string }) => state),
    ['active', 'active'],
  );

  await build(UNSTAKE, { stakeAccountAddress: account }).then(({ transaction }) =>
    run(wallet, 'unstake', transaction),
  );
  await sandbox.advanceEpochs(1);
  assert.equal(await refusedCode(UNDO, { stakeAccountAddress: account }), 'UNDO_TOO_LATE');
  const all = await build('/api/v1/withdraw/transaction', { all: true });
  await run(wallet, 'withdraw-all', all.transaction);
});

test('a stake is created from idle and inactive SOL, and increased while it is activating', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 30);
  const { walletAddress } = wallet;
  const PATH = '/api/v1/stake/transaction';
  const build = (members: object) => service.client.post(PATH, { walletAddress, ...members });
  const stateOf = async (address: string) =>
    (await accountsOf(wallet)).find((one: { address: string }) => one.address === address);
  const [account, small] = [await stakeNow(service, wallet, 3), await stakeNow(service, wallet, 1.2)];
  await sandbox.advanceEpochs(1);
  const tip = async (): Promise<void> => {
    await fund(sandbox, account, 300_000_000n);
    await until(async () => (await stateOf(account))?.excessSol > 0, 'the tip to be visible at confirmed');
  };
  await tip();
  const made = await build({ from: ['idle'], amountSol: 1 });
  assert.ok(staked(made.plan.accounts, 'activating') >= 1_298_000_000n);
  await run(wallet, 'sweep', made.transaction);
  const target = (await accountsOf(wallet)).find(
    ({ state }: { state: string }) => state === 'activating',
  ).address;
  assert.equal(made.stakeAccountAddress, target);
  assert.equal(made.delegatedSol, (await stateOf(target)).activatingSol);
  const before = lamportsOf((await stateOf(target)).activatingSol);
  const more = await build({ into: target, amountSol: 0.5 });
  assert.deepEqual([more.stakeAccountAddress, more.delegatedSol], [target, 0.5]);
  await run(wallet, 'top-up', more.transaction);
  assert.equal(lamportsOf((await stateOf(target)).activatingSol), before + 500_000_000n);
  await tip();
  await run(wallet, 'sweep', (await build({ from: ['idle'], into: target })).transaction);
  assert.ok(lamportsOf((await stateOf(target)).activatingSol) >= before + 799_000_000n);

  await run(
    wallet,
    'unstake',
    (await service.client.post('/api/v1/unstake/transaction', { walletAddress, stakeAccountAddress: small }))
      .transaction,
  );
  await sandbox.advanceEpochs(1);
  const restaked = await build({ from: ['inactive'] });
  assert.equal(restaked.stakeAccountAddress, small);
  await run(wallet, 'restake', restaked.transaction);
  assert.equal((await stateOf(small)).state, 'activating');

  for (const [members, code] of [
    [{}, 'VALIDATION_ERROR'],
    [{ from: [] }, 'VALIDATION_ERROR'],
    [{ from: ['wallet'] }, 'VALIDATION_ERROR'],
    [{ from: ['idle', 'inactive'] }, 'VALIDATION_ERROR'],
    [{ from: ['inactive'], amountSol: 1 }, 'VALIDATION_ERROR'],
    [{ from: ['idle'], cosign: 'on-submit' }, 'VALIDATION_ERROR'],
    [{ from: ['inactive'] }, 'NOTHING_TO_DO'],
    [{ into: account, amountSol: 1 }, 'STAKE_NOT_ACTIVATING'],
  ] as const)
    assert.equal((await refused(build(members))).body.errorCode, code, JSON.stringify(members));
});

test('an idempotency key that already created an account does not create another', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  await stakeNow(service, wallet, 10);
  await sandbox.advanceEpochs(1);
  const { walletAddress } = wallet;
  const build = (path: string, members: object) =>
    service.client.post(path, { walletAddress, amountSol: 3, ...members }, { 'idempotency-key': 'order-7' });
  const UNSTAKE = '/api/v1/unstake/transaction';
  await run(wallet, 'unstake', (await build(UNSTAKE, {})).transaction);
  for (const [path, members] of [
    [UNSTAKE, {}],
    ['/api/v1/plan', { goal: 'unstake' }],
  ] as const) {
    const { status, body } = await refused(build(path, members));
    assert.deepEqual([status, body.errorCode], [409, 'STAKE_ADDRESS_OCCUPIED']);
  }
});

test('every amount can be planned with an idempotency key, whatever accounts the plan creates', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 30);
  await stakeNow(service, wallet, 9);
  await sandbox.advanceEpochs(1);
  await change(wallet, { goal: 'unstake', amountSol: 1.2 });
  await sandbox.advanceEpochs(1);
  for (const goal of ['withdraw-amount', 'unstake'] as const)
    for (const amountSol of [1.5, 2.5, 6]) {
      await change(wallet, { goal, amountSol, idempotencyKey: `${goal}-${amountSol}` });
      await change(wallet, { goal: 'undo' });
    }
});

test('if an outsider funded the new account of an idempotency key, a builder and a plan return 409 with a fresh key that works', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress } = wallet;
  await stakeNow(service, wallet, 10);
  await sandbox.advanceEpochs(1);
  const UNSTAKE = '/api/v1/unstake/transaction';
  const build = (path: string, idempotencyKey: string) =>
    service.client.post(path, {
      walletAddress,
      amountSol: 3,
      idempotencyKey,
      ...(path !== UNSTAKE && { goal: 'unstake' }),
    });
  const { transactions } = await build('/api/v1/plan', 'order-8');
  const { requiredSigners } = transactions[0];
  const opened = requiredSigners.find((one: string) => one !== walletAddress);
  await fund(sandbox, opened, 890_880n);
  for (const path of [UNSTAKE, '/api/v1/plan']) {
    const { status, body } = await refused(build(path, 'order-8'));
    assert.deepEqual(
      [status, body.errorCode, body.stakeAccountAddress],
      [409, 'STAKE_ADDRESS_OCCUPIED', opened],
    );
    const again = await build(path, body.freshIdempotencyKey as string);
    if (path === UNSTAKE) await run(wallet, 'unstake', again.transaction);
  }
});

test('an amount unstaked with an idempotency key is not planned again with the same key', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress } = wallet;
  await stakeNow(service, wallet, 3);
  await stakeNow(service, wallet, 4);
  await sandbox.advanceEpochs(1);
  const [idempotencyKey, amountSol] = ['order-9', 2.99833376];
  const members = { walletAddress, amountSol, idempotencyKey };
  const { transaction } = await service.client.post('/api/v1/unstake/transaction', members);
  const signedTransaction = signedBy(wallet, transaction);
  const { signature } = await service.client.post('/api/v1/transaction/submit', {
    signedTransaction,
    idempotencyKey,
  });
  for (const [path, goal] of [
    ['/api/v1/unstake/transaction', {}],
    ['/api/v1/plan', { goal: 'unstake' }],
  ] as const) {
    const { body } = await refused(service.client.post(path, { ...members, ...goal }));
    assert.deepEqual([body.errorCode, body.signature], ['IDEMPOTENCY_KEY_REUSED', signature], path);
  }
});

test('a donation or a withdrawal by amount is built again with its idempotency key until it is submitted, and never after it landed', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const stakeAccountAddress = await stakeNow(service, wallet, 3);
  await run(
    wallet,
    'unstake',
    (await service.client.post('/api/v1/unstake/transaction', { walletAddress, stakeAccountAddress }))
      .transaction,
  );
  const requests = [
    ['/api/v1/donate', { amountSol: 0.01 }],
    ['/api/v1/withdraw/transaction', { stakeAccountAddress, amountSol: 0.5 }],
  ] as const;
  for (const [path, members] of requests) {
    const idempotencyKey = `once ${path}`.replaceAll(/[^a-z]/g, '-');
    const build = (one: string, asked: object) =>
      service.client.post(one, { walletAddress, ...asked, idempotencyKey });
    await build(path, members);
    const { transaction } = await build(path, members);
    const signedTransaction = signedBy(wallet, transaction);
    const { signature } = await service.client.post('/api/v1/transaction/submit', {
      signedTransaction,
      idempotencyKey,
    });
    for (const [one, asked] of requests) {
      const { status, body } = await refused(build(one, asked));
      assert.deepEqual(
        [status, body.errorCode, body.reason, body.signature],
        [422, 'IDEMPOTENCY_KEY_REUSED', 'AMOUNT_DONE', signature],
        `${one} after ${path}`,
      );
    }
  }
});

test('a change without an amount whose transaction landed is answered with its signature when it is built again with its idempotency key', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const stakeAccountAddress = await stakeNow(service, wallet, 3);
  const UNSTAKE = ['/api/v1/unstake/transaction', { stakeAccountAddress }] as const;
  const steps = [
    UNSTAKE,
    ['/api/v1/restake/transaction', { stakeAccountAddress }],
    UNSTAKE,
    ['/api/v1/plan', { goal: 'withdraw-all' }],
  ] as const;
  for (const [number, [path, members]] of steps.entries()) {
    const idempotencyKey = `done-${number}`;
    const build = (one: string, asked: object) =>
      service.client.post(one, { walletAddress, ...asked, idempotencyKey });
    const { transaction, transactions } = await build(path, members);
    const { signature } = await service.client.post('/api/v1/transaction/submit', {
      signedTransaction: signedBy(wallet, transaction ?? transactions[0].transaction),
      idempotencyKey,
    });
    for (const [one, asked] of [
      [path, members],
      UNSTAKE,
      ['/api/v1/restake/transaction', { stakeAccountAddress }],
      ['/api/v1/unstake/undo/transaction', {}],
      ['/api/v1/withdraw/transaction', { all: true }],
      ['/api/v1/withdraw/transaction', { stakeAccountAddress }],
      ['/api/v1/plan', { goal: 'withdraw-all' }],
    ] as const) {
      const { status, body } = await refused(build(one, asked));
      assert.deepEqual(
        [status, body.errorCode, body.signature],
        [422, 'IDEMPOTENCY_KEY_REUSED', signature],
        `${one} after ${path}`,
      );
    }
  }
});

test('a preview lists the possible amounts, the amounts nearest to the requested one, and the plan that is then built', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const accounts: string[] = [];
  for (const amountSol of [2, 2, 10]) accounts.push(await stakeNow(service, wallet, amountSol));
  const { walletAddress } = wallet;
  const preview = (members: object) =>
    service.client.post('/api/v1/unstake/preview', { walletAddress, ...members });
  // None of this stake is effective yet, so an unstake splits each account separately, and everything can be
  // withdrawn immediately.
  const brought = await preview({ want: 'withdrawAmount', amountSol: 0.5 });
  assert.equal(brought.asked.isReachable, false);
  assert.deepEqual([brought.asked.nearestBelowSol, brought.asked.nearestAboveSol], [null, 1]);
  assert.deepEqual([brought.plan, brought.refusal.nearestAboveSol], [null, 1]);
  await sandbox.advanceEpochs(1);

  const all = await preview({});
  assert.deepEqual([all.asked, all.plan, all.refusal, all.transactionCount], [null, null, null, null]);
  const stakedSol = (await accountsOf(wallet)).map((one: { activeSol: number }) => lamportsOf(one.activeSol));
  const total = stakedSol.reduce((sum: bigint, one: bigint) => sum + one, 0n);
  assert.deepEqual(
    all.reachable.map((one: { fromSol: number; toSol: number }) => [
      lamportsOf(one.fromSol),
      lamportsOf(one.toSol),
    ]),
    [
      [1_000_000_000n, total - 1_000_000_000n],
      [total, total],
    ],
  );
  const over = await preview({ amountSol: 13.5 });
  assert.deepEqual(
    [over.asked.isReachable, over.plan, over.refusal.errorCode],
    [false, null, 'AMOUNT_NOT_REACHABLE'],
  );
  assert.equal(lamportsOf(over.asked.nearestBelowSol), total - 1_000_000_000n);
  assert.equal(over.refusal.nearestAboveSol, over.asked.nearestAboveSol);
  const atLeast = await preview({ amountSol: 13.5, rounding: 'atLeast' });
  assert.deepEqual([atLeast.asked.isReachable, atLeast.refusal], [false, null]);
  assert.equal(staked(atLeast.plan.accounts, 'deactivating'), total);

  const five = await preview({ amountSol: 5 });
  const built = await service.client.post('/api/v1/unstake/transaction', { walletAddress, amountSol: 5 });
  assert.deepEqual([five.plan.accounts, five.transactionCount], [built.plan.accounts, 1]);
  const one = await preview({ amountSol: 1.2, stakeAccountAddress: accounts[2] });
  assert.deepEqual(
    one.plan.accounts.map(({ stakeAccountAddress }: { stakeAccountAddress: string }) => stakeAccountAddress),
    [accounts[2], 'new-1'],
  );
  assert.equal(staked(one.plan.accounts, 'deactivating'), 1_200_000_000n);
});

test('an account whose entire stake was moved away stays listed after the move is confirmed, even after a restart, and can be closed', async (t) => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress } = wallet;
  const [emptied, grown] = [await stakeNow(service, wallet, 3), await stakeNow(service, wallet, 4)];
  await sandbox.advanceEpochs(1);
  const stateOf = async (address: string): Promise<string | undefined> =>
    (await accountsOf(wallet)).find((one: { address: string }) => one.address === address)?.state;
  const [{ activeSol }] = (await accountsOf(wallet)).filter(
    (one: { address: string }) => one.address === emptied,
  );
  const { value } = await createSolanaRpc(sandbox.rpcUrl).getLatestBlockhash().send();
  const move = buildTransaction.rearrange({
    wallet: walletAddress as Address,
    memo: sandbox.memo,
    blockhash: value.blockhash,
    operations: [
      {
        type: 'moveStake',
        account: emptied as Address,
        into: grown as Address,
        lamports: lamportsOf(activeSol),
        authority: walletAddress as Address,
      },
    ],
  });
  const signedTransaction = signedBy(wallet, Buffer.from(encodeWire(move)).toString('base64'));
  await service.client.post('/api/v1/transaction/submit', { signedTransaction });
  assert.equal(await stateOf(emptied), 'initialized');
  const { totalStakedSol } = await service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
  assert.equal(lamportsOf(totalStakedSol), await balanceOf(sandbox, grown), 'it does not count as stake');
  const { accounts, portfolio } = await service.client.get(`/api/v1/stake/summary/${walletAddress}`);
  assert.deepEqual([accounts.length, portfolio.totalStakedSol], [2, totalStakedSol]);
  // The second process starts from the first one's stored data and never saw the account delegated.
  const dataDir = temporaryFolder(t);
  cpSync(service.dataDir, dataDir, { recursive: true });
  const later = await startServiceHere(t, settingsFor(sandbox), dataDir);
  const isListed = async () =>
    (await later.client.get(`/api/v1/stake/accounts/${walletAddress}`)).accounts.some(
      ({ address, state }: { address: string; state: string }) =>
        address === emptied && state === 'initialized',
    );
  const isReady = async () => (await later.client.get('/ready')).dependencies.index.ok;
  await until(isReady, 'the index of the second process');
  assert.ok(await isListed());
  await change(wallet, { goal: 'withdraw-all' });
  assert.equal(await stateOf(emptied), undefined);
  assert.equal(await balanceOf(sandbox, emptied), 0n);
});
