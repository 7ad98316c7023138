// Compares the read endpoints with the chain: all documented fields, actual roles and states, and limits exact
// to the lamport.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBase58Decoder } from '@solana/kit';
import { STAKE_PROGRAM } from '../../sandbox/epochs/delegation-bytes.ts';
import { until } from '../support/index-fixture.ts';
import { patience } from '../support/patience.ts';
import { withLegacyConnection } from '../support/sandbox-legacy-client.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import {
  balanceOf,
  buildAndSubmit,
  fund,
  lamportsOf,
  refusalFacts,
  refused,
  stakeNow,
} from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import { fundedWallet, newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const SOL = 1_000_000_000n;

const get = (path: string) => shared().service.client.get(path);
const post = (path: string, body: object) => shared().service.client.post(path, body);
const accountsOf = async (wallet: string, query = '') =>
  (await get(`/api/v1/stake/accounts/${wallet}${query}`)).accounts;
const readinessOf = (wallet: string) => get(`/api/v1/stake/accounts/${wallet}/withdraw-ready`);
/**
 * Returns the accounts once `count` of them are listed. Changes made elsewhere reach the index as
 * notifications.
 */
const listed = async (wallet: string, count: number) => {
  await until(async () => (await accountsOf(wallet)).length === count, `${count} accounts to be listed`);
  return accountsOf(wallet);
};
/** Reads the accounts directly from the chain. A list with this scope never comes from the index. */
const oursOnChain = async (wallet: string) =>
  (await accountsOf(wallet, '?scope=all')).filter(
    ({ voteAccount }: { voteAccount: string | null }) => voteAccount === shared().sandbox.voteAccount,
  );
const oneShot = ({ walletAddress, secretKey }: TestWallet, members: object) => ({
  walletAddress,
  secretKey,
  ...members,
});
const blocks = (count: number) => shared().sandbox.advanceBlocks(count);

const META = ['timestamp', 'documentation', 'endpoint', 'description', 'relatedEndpoints', 'cluster'];
const EPOCH_TIMING = [
  'currentEpoch',
  'estimatedSecondsRemaining',
  'estimatedEpochEnd',
  'progressPct',
  'slotIndex',
  'slotsInEpoch',
  'slotsRemaining',
  'slotDurationMs',
  'earliestEpochEnd',
  'latestEpochEnd',
  'epochRewardsActive',
];
const READINESS = [
  'address',
  'sol',
  'state',
  'stateDescription',
  'stateDescriptionSentences',
  'withdrawReady',
  'withdrawableAtEpoch',
  'withdrawableWhen',
  'estimatedSecondsRemaining',
  'estimatedWithdrawableAt',
  'ifUnstakedNow',
];
const STAKE_ACCOUNT = [
  ...READINESS,
  ...['lamports', 'rawState', 'activeSol', 'activatingSol', 'deactivatingSol', 'withdrawableSol'],
  ...['partialWithdrawMaxSol', 'excessSol', 'rentReserveSol', 'role', 'activationEpoch', 'deactivationEpoch'],
  ...['stakeAuthority', 'withdrawAuthority', 'lockup', 'voteAccount', 'explorerUrl', 'suggestedActions'],
];
const UNSIGNED = [
  ...['transaction', 'message', 'blockhash', 'lastValidBlockHeight', 'estimatedExpiresAt', 'networkFeeSol'],
  ...['requiredSigners', 'instructions', 'limits', 'warnings', '_meta'],
];
const ONE_SHOT = ['signature', 'explorerUrl', 'message', 'security', 'idempotencyKey', '_meta'];

const assertMembers = (body: object, members: readonly string[], what: string): void => {
  for (const member of members) assert.ok(member in body, `${what} has no ${member}`);
};

describe('the wallet', () => {
  test('a balance is ready to stake from exactly the minimum plus the reserve, and the figures add up', async () => {
    const { sandbox } = shared();
    const { walletAddress } = newWallet();
    const path = `/api/v1/wallet/balance/${walletAddress}`;
    const empty = await get(path);
    assertMembers(empty, ['walletAddress', 'readyToStake', 'availableToStake', 'reserveForFees'], 'balance');
    assert.deepEqual(
      [empty.lamports, empty.sol, empty.readyToStake, empty.availableToStake],
      [0, 0, false, 0],
    );
    assert.ok(empty._meta.nextSteps.fund);
    const enough = lamportsOf(empty.minimumStakeSol) + lamportsOf(empty.reserveForFees);
    await fund(sandbox, walletAddress, enough - 1n);
    assert.equal((await get(path)).readyToStake, false);
    await fund(sandbox, walletAddress, 1n);
    const ready = await get(path);
    assert.deepEqual(
      [ready.readyToStake, ready.lamports, ready.sol, ready.availableToStake],
      [true, Number(enough), Number(enough) / 1e9, empty.minimumStakeSol],
    );
    assert.ok(ready._meta.nextSteps.stake);
    assertMembers(ready._meta, META, '_meta');
  });

  test('a balance reported as ready to stake can be staked', async () => {
    const { sandbox, service } = shared();
    const wallet = newWallet();
    const { minimumStakeSol, reserveForFees } = await get(`/api/v1/wallet/balance/${wallet.walletAddress}`);
    await fund(sandbox, wallet.walletAddress, lamportsOf(minimumStakeSol) + lamportsOf(reserveForFees));
    await stakeNow(service, wallet, minimumStakeSol);
  });

  test('address types distinguish the service’s vote account, stake accounts and other addresses', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 20);
    const stake = await stakeNow(service, wallet);
    const typeOf = async (address: string) => (await get(`/api/v1/address/${address}/type`)).type;
    assert.equal(await typeOf(sandbox.voteAccount), 'vote_account');
    assert.equal(await typeOf(stake), 'stake_account');
    const { description } = await get(`/api/v1/address/${stake}/type`);
    assert.ok(description.endsWith(`its withdraw authority, ${wallet.walletAddress}.`), description);
    for (const other of [
      wallet.walletAddress,
      newWallet().walletAddress,
      sandbox.otherVoteAccount,
      STAKE_PROGRAM,
    ])
      assert.equal(await typeOf(other), 'wallet');
    const facts = await refusalFacts(get('/api/v1/address/0OIl/type'));
    assert.deepEqual(facts, [400, 'Validation error', 'VALIDATION_ERROR']);
  });
});

test('the epoch matches the chain, has every field, and its estimated end is within the reported interval', async () => {
  const { sandbox } = shared();
  const before = await get('/api/v1/epoch');
  assertMembers(before, [...EPOCH_TIMING, 'absoluteSlot', 'blockHeight', '_meta'], 'epoch');
  assert.equal(before.currentEpoch, sandbox.epoch());
  assert.equal(before.slotsInEpoch - before.slotIndex, before.slotsRemaining);
  assert.ok(before.earliestEpochEnd <= before.estimatedEpochEnd);
  assert.ok(before.estimatedEpochEnd <= before.latestEpochEnd);
  await sandbox.advanceEpochs(3);
  const then = await get('/api/v1/epoch');
  assert.equal(then.currentEpoch, before.currentEpoch + 3);
  // The block height may be 20 blocks old. An epoch that is ended on demand contains fewer blocks than slots.
  assert.ok(then.absoluteSlot > before.absoluteSlot && then.blockHeight >= before.blockHeight);
});

describe('stake accounts', () => {
  test('a wallet without accounts gets a message and next steps, and is not ready to stake', async () => {
    const { sandbox } = shared();
    const { walletAddress } = newWallet();
    const list = await get(`/api/v1/stake/accounts/${walletAddress}`);
    assert.deepEqual([list.accounts, list.totalStakedSol, list.warnings], [[], 0, []]);
    assert.equal(list.validatorVoteAccount, sandbox.voteAccount);
    assert.ok(list.message);
    assertMembers(list.nextSteps, ['checkBalance', 'stake', 'simulate'], 'nextSteps');
    assertMembers(list.epochTiming, EPOCH_TIMING, 'epochTiming');
    const { accounts, anyReady, readyCount, totalAccounts } = await readinessOf(walletAddress);
    assert.deepEqual([accounts, anyReady, readyCount, totalAccounts], [[], false, 0, 0]);
  });

  test('an account has every field in each of its states, and is ready exactly when the chain allows the withdrawal', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 50);
    const { walletAddress } = wallet;
    const address = await stakeNow(service, wallet, 10);
    const epoch = sandbox.epoch();
    const look = async () => {
      const [account] = await accountsOf(walletAddress);
      const readiness = await readinessOf(walletAddress);
      assertMembers(account, STAKE_ACCOUNT, 'stake account');
      assert.deepEqual(Object.keys(readiness.accounts[0]).sort(), [...READINESS].sort());
      assert.equal(BigInt(account.lamports), await balanceOf(sandbox, address));
      assert.equal(readiness.anyReady, account.withdrawReady);
      assert.equal('nextSteps' in readiness._meta, readiness.anyReady);
      const actions = account.suggestedActions.map(({ action }: { action: string }) => action);
      for (const action of account.suggestedActions)
        assertMembers(
          action,
          ['action', 'reason', 'method', 'endpoint', ...(action.action === 'wait' ? [] : ['request'])],
          'suggested action',
        );
      return { ...account, actions, readyCount: readiness.readyCount };
    };
    const activating = await look();
    assert.deepEqual(
      [activating.state, activating.rawState, activating.role, activating.lockup, activating.actions],
      ['activating', 'delegated', 'owner', null, ['unstake']],
    );
    assert.deepEqual([activating.activationEpoch, activating.deactivationEpoch], [epoch, null]);
    assert.deepEqual([activating.withdrawableAtEpoch, activating.estimatedWithdrawableAt], [null, null]);
    assert.equal(activating.voteAccount, sandbox.voteAccount);
    assert.deepEqual(
      [activating.stakeAuthority, activating.withdrawAuthority],
      [walletAddress, walletAddress],
    );
    assert.equal(
      lamportsOf(activating.activatingSol),
      BigInt(activating.lamports) - lamportsOf(activating.rentReserveSol),
    );

    await sandbox.advanceEpochs(1);
    const active = await look();
    assert.deepEqual([active.state, active.activatingSol], ['active', 0]);
    assert.ok(active.activeSol > 9.9 && active.actions.includes('unstake'));

    await post('/api/v1/unstake', oneShot(wallet, { stakeAccountAddress: address }));
    const cooling = await look();
    assert.deepEqual(
      [cooling.state, cooling.deactivationEpoch, cooling.withdrawableAtEpoch, cooling.withdrawReady],
      ['deactivating', epoch + 1, epoch + 2, false],
    );
    assert.ok(cooling.estimatedSecondsRemaining >= 0 && cooling.estimatedWithdrawableAt);
    assert.ok(cooling.actions.includes('wait') && !cooling.actions.includes('unstake'));

    await sandbox.advanceEpochs(1);
    const inactive = await look();
    assert.deepEqual(
      [inactive.state, inactive.rawState, inactive.withdrawReady, inactive.readyCount, inactive.actions],
      ['inactive', 'delegated', true, 1, ['withdraw', 'restake']],
    );
    assert.equal(inactive.withdrawableSol, inactive.sol);
    assert.equal(inactive.estimatedSecondsRemaining, 0);
    const { amountSol } = await post('/api/v1/withdraw', oneShot(wallet, { stakeAccountAddress: address }));
    assert.equal(amountSol, inactive.sol);
    assert.deepEqual(await accountsOf(walletAddress), []);
  });

  test('owners and stake authorities are distinguished, and only owned accounts count', async () => {
    const { sandbox } = shared();
    const [wallet, other] = [newWallet().walletAddress, newWallet().walletAddress];
    const delegation = { voteAccount: sandbox.voteAccount, stakeLamports: 2n * SOL };
    const write = async (
      fields: Omit<Parameters<typeof stakeAccountBytes>[0], 'wallet'>,
      lamports: bigint,
    ) => {
      const address = newWallet().walletAddress;
      const data = stakeAccountBytes({ wallet, ...fields });
      await sandbox.setAccount({ address, lamports, data, owner: STAKE_PROGRAM });
      return address;
    };
    const owned = await write({ delegation }, 3n * SOL);
    const ownedByStaker = await write({ delegation, stakeAuthority: other }, 4n * SOL);
    const staked = await write({ delegation, withdrawAuthority: other }, 5n * SOL);
    const undelegated = await write({}, 6n * SOL);
    const elsewhere = await write(
      { delegation: { ...delegation, voteAccount: sandbox.otherVoteAccount } },
      7n * SOL,
    );
    await listed(wallet, 3);
    const list = await get(`/api/v1/stake/accounts/${wallet}`);
    const roles = (accounts: { address: string; role: string }[]) =>
      Object.fromEntries(accounts.map(({ address, role }) => [address, role]));
    assert.deepEqual(roles(list.accounts), {
      [owned]: 'owner',
      [ownedByStaker]: 'owner',
      [staked]: 'staker',
    });
    assert.equal(list.totalStakedSol, 7);
    assert.ok(list.delegatedSol < 7 && list.delegatedSol > 0, 'without rent');
    assert.equal(list.warnings.length, 1);
    assert.ok(list.warnings[0].includes(other) && list.warnings[0].includes(ownedByStaker));

    const actionsAt = (accounts: { address: string; suggestedActions: { action: string }[] }[], at: string) =>
      accounts.find(({ address }) => address === at)!.suggestedActions.map(({ action }) => action);
    assert.deepEqual(actionsAt(list.accounts, staked), ['unstake']);
    assert.deepEqual(
      actionsAt(list.accounts, ownedByStaker),
      ['withdraw'],
      'only the excess can be withdrawn, because another address must unstake the rest',
    );

    const all = await get(`/api/v1/stake/accounts/${wallet}?scope=all`);
    assert.deepEqual(roles(all.accounts), {
      ...roles(list.accounts),
      [undelegated]: 'owner',
      [elsewhere]: 'owner',
    });
    assert.equal(all.totalStakedSol, 7, 'stake with other validators is not part of the total');
    const bare = all.accounts.find(({ address }: { address: string }) => address === undelegated);
    assert.deepEqual(
      [bare.state, bare.rawState, bare.voteAccount, bare.activationEpoch, bare.withdrawReady],
      ['initialized', 'initialized', null, null, true],
    );
    const readiness = await readinessOf(wallet);
    assert.deepEqual(
      readiness.accounts.map(({ address }: { address: string }) => address).sort(),
      [owned, ownedByStaker].sort(),
    );
    assert.deepEqual(await refusalFacts(get(`/api/v1/stake/accounts/${wallet}?scope=most`)), [
      400,
      'Validation error',
      'VALIDATION_ERROR',
    ]);
  });

  test('a lockup is shown until both its timestamp and its epoch have passed', async () => {
    const { sandbox } = shared();
    const wallet = newWallet().walletAddress;
    const address = newWallet().walletAddress;
    const lockup = { epoch: BigInt(sandbox.epoch() + 2), custodian: sandbox.donationAddress };
    const past = { activationEpoch: 700n, deactivationEpoch: 701n };
    const delegation = { voteAccount: sandbox.voteAccount, stakeLamports: 2n * SOL, ...past };
    const data = stakeAccountBytes({ wallet, lockup, delegation });
    await sandbox.setAccount({ address, lamports: 3n * SOL, data, owner: STAKE_PROGRAM });
    const [locked] = await listed(wallet, 1);
    assert.deepEqual(
      [locked.state, locked.withdrawReady, locked.withdrawableSol, locked.withdrawableAtEpoch],
      ['inactive', false, 0, Number(lockup.epoch)],
    );
    assert.deepEqual(locked.lockup, {
      unixTimestamp: 0,
      epoch: Number(lockup.epoch),
      custodian: lockup.custodian,
    });
    await sandbox.advanceEpochs(2);
    const [free] = await accountsOf(wallet);
    assert.deepEqual([free.withdrawReady, free.withdrawableSol], [true, 3]);
  });

  test('exactly the lamports beyond stake and rent can be withdrawn from an active account, and not one more', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 50);
    const { walletAddress } = wallet;
    const stakeAccountAddress = await stakeNow(service, wallet, 10);
    await sandbox.advanceEpochs(2);
    await fund(sandbox, stakeAccountAddress, 123_456_789n);
    await until(
      async () => lamportsOf((await accountsOf(walletAddress))[0].excessSol) >= 123_456_789n,
      'the transfer to be noticed',
    );
    const [account] = await accountsOf(walletAddress);
    const excess = lamportsOf(account.excessSol);
    assert.equal(account.state, 'active');
    assert.deepEqual(
      [account.withdrawableSol, account.partialWithdrawMaxSol],
      [account.excessSol, account.excessSol],
    );
    const [suggested] = account.suggestedActions;
    assert.equal(suggested.action, 'withdraw');
    await post(suggested.endpoint, suggested.request);
    const { parameters } = (await get(`/api/actions/withdraw?account=${walletAddress}`)).links.actions[0];
    assert.match(parameters[0].options[0].label, /: enter an amount up to [\d.]+ SOL$/);
    assert.deepEqual([parameters[1].required, parameters[1].max], [true, account.excessSol]);
    const withdraw = (lamports: bigint) =>
      post('/api/v1/withdraw', oneShot(wallet, { stakeAccountAddress, amountSol: Number(lamports) / 1e9 }));
    const { body } = await refused(withdraw(excess + 1n));
    assert.deepEqual([body.errorCode, body.withdrawableSol], ['STAKE_NOT_WITHDRAWABLE', account.excessSol]);
    assert.match(String(body.suggestedAction), /can be withdrawn now/);
    const before = await balanceOf(sandbox, walletAddress);
    await withdraw(excess);
    assert.equal(await balanceOf(sandbox, walletAddress), before + excess - 5_000n);
    const [rest] = await accountsOf(walletAddress);
    assert.deepEqual([rest.excessSol, rest.state, rest.activeSol], [0, 'active', account.activeSol]);
  });

  test('after an undo in the same epoch, an account looks as if it had never been deactivated', async () => {
    const { sandbox } = shared();
    const staker = await SandboxStaker.fund(sandbox, 20n * SOL);
    const address = await staker.stake(5n * SOL);
    await sandbox.advanceEpochs(1);
    const [before] = await oursOnChain(staker.wallet.address);
    await staker.deactivate(address);
    assert.equal((await oursOnChain(staker.wallet.address))[0].state, 'deactivating');
    await staker.send([staker.delegateInstruction(address, sandbox.voteAccount)]);
    const [undone] = await oursOnChain(staker.wallet.address);
    assert.deepEqual(
      [undone.state, undone.deactivationEpoch, undone.activeSol],
      ['active', null, before.activeSol],
    );
  });

  test('an account redelegated to another validator leaves the list but appears with scope=all', async () => {
    const { sandbox } = shared();
    const staker = await SandboxStaker.fund(sandbox, 20n * SOL);
    const address = await staker.stake(5n * SOL);
    assert.equal((await oursOnChain(staker.wallet.address)).length, 1);
    // While no stake is effective yet, the validator can still be changed.
    await staker.send([staker.delegateInstruction(address, sandbox.otherVoteAccount)]);
    assert.deepEqual(await oursOnChain(staker.wallet.address), []);
    const [elsewhere] = await accountsOf(staker.wallet.address, '?scope=all');
    assert.deepEqual([elsewhere.address, elsewhere.voteAccount], [address, sandbox.otherVoteAccount]);
    const unstake = await post('/api/v1/unstake/transaction', {
      walletAddress: staker.wallet.address,
      stakeAccountAddress: address,
    });
    assert.match(unstake.warnings.join(), /another validator/);
  });
});

describe('responses of builders and one-shot calls have every documented field', () => {
  test('the four builders', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 50);
    const { walletAddress } = wallet;
    const stakeAccountAddress = await stakeNow(service, wallet);
    const apy = async (): Promise<number | null> => (await get('/api/v1/validator/apy')).totalApy;
    await until(async () => (await apy()) !== null, 'the APY to be known');
    const startedAt = new Date().toISOString();
    const stake = await post('/api/v1/stake/transaction', {
      walletAddress,
      amountSol: 2,
      idempotencyKey: 'mine',
    });
    const unstake = await post('/api/v1/unstake/transaction', { walletAddress, stakeAccountAddress });
    await buildAndSubmit(service, wallet, '/api/v1/unstake/transaction', { stakeAccountAddress });
    const withdraw = await post('/api/v1/withdraw/transaction', { walletAddress, stakeAccountAddress });
    const donate = await post('/api/v1/donate', { walletAddress, amountSol: 0.5 });
    for (const [name, body] of Object.entries({ stake, unstake, withdraw, donate })) {
      assertMembers(body, UNSIGNED, name);
      assertMembers(
        body.limits,
        ['minimumStakeSol', 'rentReserveSol', 'minimumDelegationSol', 'feeReserveSol'],
        name,
      );
      assertMembers(body._meta, [...META, 'support', 'nextSteps'], `_meta of ${name}`);
      assertMembers(body._meta.support, ['address', 'message', 'donate'], 'support');
      for (const instruction of body.instructions)
        assertMembers(instruction, ['program', 'programId', 'name', 'summary', 'accounts'], name);
      assert.equal(body.instructions.at(-1).program, 'Memo');
      assert.ok(body.estimatedExpiresAt > startedAt);
      assert.equal(body.requiredSigners[0], walletAddress);
    }
    assert.equal(stake.idempotencyKey, 'mine');
    assertMembers(
      stake.rewardsEstimate,
      ['estimatedAnnualSol', 'estimatedPerEpochSol', 'basedOnApy'],
      'rewardsEstimate',
    );
    assert.equal(stake.rewardsEstimate.basedOnApy, await apy());
    assert.equal(lamportsOf(stake.delegatedSol) + lamportsOf(stake.limits.rentReserveSol), 2n * SOL);
    assert.deepEqual([stake.networkFeeSol, unstake.networkFeeSol], [0.00001, 0.000005]);
    assert.deepEqual(stake.requiredSigners, [walletAddress, stake.stakeAccountAddress]);
    assertMembers(unstake.epochTiming, EPOCH_TIMING, 'epochTiming');
    assert.match(withdraw.warnings.join(), /will be closed/);
    assert.deepEqual(donate.suggestedAmounts, { currency: 'SOL', small: 0.01, medium: 0.1, large: 1 });
    assert.ok(donate.instructions[0].summary.includes(sandbox.donationAddress));
  });

  test('the three one-shots and submit', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 50);
    const stake = await post('/api/v1/stake', oneShot(wallet, { amountSol: 2 }));
    const { stakeAccountAddress } = stake;
    const unstake = await post('/api/v1/unstake', oneShot(wallet, { stakeAccountAddress }));
    const withdraw = await post(
      '/api/v1/withdraw',
      oneShot(wallet, { stakeAccountAddress, amountSol: null }),
    );
    for (const [name, body] of Object.entries({ stake, unstake, withdraw })) {
      assertMembers(body, ONE_SHOT, name);
      assert.deepEqual([body.security.stored, body.security.logged], [false, false]);
      assertMembers(body.security, ['keyUsage', 'transport', 'verify'], 'security');
      assert.ok(body.explorerUrl.includes(body.signature));
    }
    assertMembers(unstake.epochTiming, EPOCH_TIMING, 'epochTiming');
    assert.equal(withdraw.amountSol, 2);
    assert.match(unstake.message, / 2 SOL can be withdrawn now\.$/);
    assert.doesNotMatch(unstake.message, /cooldown/);
    const { submitted } = await buildAndSubmit(service, wallet, '/api/v1/donate', { amountSol: 0.01 });
    assertMembers(submitted, ['signature', 'explorerUrl', 'message', '_meta'], 'submit');
  });
});

describe('the other fields of a one-shot response', () => {
  test('an unstake returns its withdrawal time and the warnings of the plan', async () => {
    const { sandbox } = shared();
    const wallet = await fundedWallet(sandbox, 5);
    const { walletAddress } = wallet;
    const active = newWallet().walletAddress;
    await sandbox.setAccount({
      address: active,
      lamports: 3n * SOL,
      data: stakeAccountBytes({
        wallet: walletAddress,
        delegation: { voteAccount: sandbox.otherVoteAccount, stakeLamports: 2n * SOL },
      }),
      owner: STAKE_PROGRAM,
    });
    const response = await post('/api/v1/unstake', oneShot(wallet, { stakeAccountAddress: active }));
    assert.match(response.message, /3 SOL can be withdrawn from about /);
    assert.match(response.warnings.join(), /delegated to another validator/);
  });

  test('a withdrawal of everything reports that it closes the account, even when repeated with the same idempotency key', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 50);
    const stakeAccountAddress = await stakeNow(service, wallet);
    await post('/api/v1/unstake', oneShot(wallet, { stakeAccountAddress }));
    const withdraw = () =>
      post('/api/v1/withdraw', oneShot(wallet, { stakeAccountAddress, idempotencyKey: 'all' }));
    const { warnings, signature } = await withdraw();
    assert.match(warnings.join(), /will be closed/);
    const again = await withdraw();
    assert.deepEqual([again.warnings, again.signature], [warnings, signature]);
  });
});

describe('the state of a transaction', () => {
  const stateOf = (signature: string) => get(`/api/v1/transaction/${signature}`);

  test('confirmed transactions become finalized, wherever they were sent from', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 20);
    const { built, submitted } = await buildAndSubmit(service, wallet, '/api/v1/donate', { amountSol: 0.01 });
    const foreign = await fund(sandbox, wallet.walletAddress, SOL);
    const ours = await stateOf(submitted.signature);
    assertMembers(ours, ['signature', 'explorerUrl', '_meta'], 'transaction');
    assert.ok(ours.state === 'confirmed' || ours.state === 'finalized');
    assert.deepEqual(
      [ours.recordedHere, ours.lastValidBlockHeight, ours.error],
      [true, built.lastValidBlockHeight, null],
    );
    assert.deepEqual(
      [(await stateOf(foreign)).recordedHere, (await stateOf(foreign)).lastValidBlockHeight],
      [false, null],
    );
    await blocks(40);
    for (const signature of [submitted.signature, foreign]) {
      const { state, slot } = await stateOf(signature);
      assert.equal(state, 'finalized');
      assert.ok(slot > 0);
    }
  });

  test('a transaction that landed but failed is reported as failed, with the error from the chain', () =>
    withLegacyConnection(shared().sandbox, async (connection) => {
      const { sandbox, service } = shared();
      const wallet = await fundedWallet(sandbox, 20);
      const { walletAddress } = wallet;
      const stakeAccountAddress = await stakeNow(service, wallet);
      const build = () => post('/api/v1/unstake/transaction', { walletAddress, stakeAccountAddress });
      const { transaction, blockhash } = await build();
      while ((await build()).blockhash === blockhash) await sandbox.nextBlock(patience());
      await post('/api/v1/unstake', oneShot(wallet, { stakeAccountAddress }));
      const wire = Buffer.from(signedBy(wallet, transaction), 'base64');
      const signature = await connection.sendRawTransaction(wire, { skipPreflight: true });
      await blocks(3);
      const { state, error, recordedHere } = await stateOf(signature);
      assert.deepEqual(
        [state, error, recordedHere],
        ['failed', { InstructionError: [0, { Custom: 2 }] }, false],
      );
      assert.deepEqual(
        await refusalFacts(
          post('/api/v1/transaction/submit', { signedTransaction: wire.toString('base64') }),
        ),
        [400, 'Stake already deactivated', 'STAKE_ALREADY_DEACTIVATED'],
      );
      // A transaction that landed before it was submitted gets a response but is not recorded.
      assert.equal((await stateOf(signature)).recordedHere, false);
    }));

  test('a refused transaction is reported as pending while its blockhash is valid, and as expired afterwards', async () => {
    const { sandbox } = shared();
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress } = wallet;
    const built = await post('/api/v1/stake/transaction', { walletAddress, amountSol: 10 });
    const signedTransaction = signedBy(wallet, built.transaction);
    const data = new Uint8Array();
    const owner = '11111111111111111111111111111111';
    await sandbox.setAccount({ address: walletAddress, lamports: 5n * SOL, data, owner });
    await refused(post('/api/v1/transaction/submit', { signedTransaction }));
    const walletSignature = getBase58Decoder().decode(
      Buffer.from(signedTransaction, 'base64').subarray(1, 65),
    );
    const pending = await stateOf(walletSignature);
    assert.deepEqual([pending.state, pending.slot, pending.recordedHere], ['pending', null, true]);
    await blocks(150 + 5);
    assert.equal((await stateOf(walletSignature)).state, 'expired');
  });

  test('an unknown signature returns 404 and an invalid one 400', async () => {
    const unknown = getBase58Decoder().decode(new Uint8Array(64).fill(7));
    assert.deepEqual(await refusalFacts(stateOf(unknown)), [404, 'Transaction not found', 'NOT_FOUND']);
    for (const text of ['short', '0'.repeat(88), '2'.repeat(89)])
      assert.deepEqual(
        await refusalFacts(stateOf(text)),
        [400, 'Validation error', 'VALIDATION_ERROR'],
        text,
      );
  });
});
