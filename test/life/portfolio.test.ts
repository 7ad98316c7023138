// Compares the portfolio and the simulation with the chain: sums are exact to the lamport, there is a single
// next step, and responses from the index need one read.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../support/index-fixture.ts';
import {
  balanceOf,
  buildAndSubmit,
  fund,
  lamportsOf,
  refusalFacts,
  stakeNow,
} from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet } from '../support/wallets.ts';

// The rates of two-day epochs, scaled to epochs of 432,000 slots of 20 ms, so a year pays about 7 %.
const shared = sharedService({ before, after }, { sandbox: { rewardPpb: 17_700, tipPpb: 1_000 } });
const get = (path: string) => shared().service.client.get(path);
const post = (path: string, body: object) => shared().service.client.post(path, body);
const summaryOf = (wallet: string) => get(`/api/v1/stake/summary/${wallet}`);
const simulate = (body: object) => post('/api/v1/stake/simulate', body);
const indexReady = () =>
  until(async () => (await get('/ready')).dependencies.index.ok, 'the index to be scanned');

test('an empty wallet is advised to add exactly the missing amount', async () => {
  const { sandbox } = shared();
  const { walletAddress } = newWallet();
  const { minimumStakeSol, reserveForFees } = await get(`/api/v1/wallet/balance/${walletAddress}`);
  const missing = lamportsOf(minimumStakeSol) + lamportsOf(reserveForFees);
  const empty = await summaryOf(walletAddress);
  assert.equal(empty.recommendedAction.action, 'FUND');
  assert.equal(lamportsOf(empty.recommendedAction.amountSol), missing);
  assert.deepEqual(empty.accounts, []);
  assert.equal(empty.portfolio.liquidSol, 0);
  await fund(sandbox, walletAddress, missing);
  const funded = await summaryOf(walletAddress);
  assert.equal(funded.recommendedAction.action, 'STAKE');
  assert.equal(funded.recommendedAction.amountSol, minimumStakeSol);
  await stakeNow(shared().service, await fundedWallet(sandbox, 5), funded.recommendedAction.amountSol);
});

test('throughout a full staking lifecycle, the sums match the accounts, and every recommended call is accepted', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const checked = async (action: string) => {
    const response = await summaryOf(walletAddress);
    const { portfolio, accounts, recommendedAction } = response;
    const total = (member: string) =>
      accounts.reduce(
        (sum: bigint, account: Record<string, unknown>) => sum + lamportsOf(account[member]),
        0n,
      );
    assert.equal(lamportsOf(portfolio.liquidSol), await balanceOf(sandbox, walletAddress));
    assert.deepEqual(
      [response.totalStakedSol, response.walletBalanceSol],
      [portfolio.totalStakedSol, portfolio.liquidSol],
    );
    assert.equal(lamportsOf(portfolio.totalStakedSol), total('sol'));
    for (const member of ['activeSol', 'activatingSol', 'deactivatingSol', 'withdrawableSol', 'excessSol'])
      assert.equal(lamportsOf(portfolio[member]), total(member), member);
    assert.equal(
      lamportsOf(portfolio.delegatedSol),
      lamportsOf(portfolio.activeSol) + lamportsOf(portfolio.activatingSol),
      'inactive balances do not count as staked',
    );
    const disjoint = ['stayingActiveSol', 'activatingSol', 'deactivatingSol', 'undelegatedSol'];
    assert.equal(
      lamportsOf(portfolio.totalStakedSol),
      disjoint.reduce((sum, member) => sum + lamportsOf(portfolio[member]), 0n),
      'the parts add up',
    );
    assert.equal(recommendedAction.action, action, recommendedAction.reason);
    assert.ok(response.epochTiming.currentEpoch >= 800);
    return response;
  };
  await checked('STAKE');
  const first = await stakeNow(service, wallet, 4);
  // Stakes the whole available balance, so too little remains for a third stake under any cluster's rules.
  const { reserveForFees } = await get(`/api/v1/wallet/balance/${walletAddress}`);
  const rest = (await balanceOf(sandbox, walletAddress)) - lamportsOf(reserveForFees);
  const second = await stakeNow(service, wallet, Number(rest) / 1e9);
  const warming = await checked('WAIT');
  assert.deepEqual(
    warming.accounts.map(({ address, state }: Record<string, unknown>) => [address, state]),
    [
      [second, 'activating'],
      [first, 'activating'],
    ],
  );
  await sandbox.advanceEpochs(1);
  await checked('HOLD');
  await buildAndSubmit(service, wallet, '/api/v1/unstake/transaction', { stakeAccountAddress: first });
  const cooling = await checked('WAIT');
  assert.match(cooling.recommendedAction.endpoint, /withdraw-ready$/);
  await sandbox.advanceEpochs(1);
  const { recommendedAction } = await checked('WITHDRAW');
  assert.equal(recommendedAction.stakeAccountAddress, first);
  await buildAndSubmit(service, wallet, recommendedAction.endpoint, {
    stakeAccountAddress: recommendedAction.stakeAccountAddress,
    amountSol: recommendedAction.amountSol,
  });
  const after = await checked('STAKE');
  assert.deepEqual(
    after.accounts.map(({ address }: { address: string }) => address),
    [second],
  );
});

test('once scanned, the index is used, its slot is reported, and it immediately reflects changes made through the service', async () => {
  const { sandbox, service } = shared();
  await indexReady();
  const wallet = await fundedWallet(sandbox, 20);
  const paths = [
    `/api/v1/stake/summary/${wallet.walletAddress}`,
    `/api/v1/stake/accounts/${wallet.walletAddress}`,
    `/api/v1/stake/accounts/${wallet.walletAddress}/withdraw-ready`,
  ];
  for (let count = 1; count <= 3; count += 1) {
    await stakeNow(service, wallet, 2);
    for (const path of paths) {
      const { accounts, _meta } = await get(path);
      assert.equal(accounts.length, count, path);
      assert.ok(_meta.indexSlot >= _meta.verifiedSlot && _meta.verifiedSlot > 0, JSON.stringify(_meta));
    }
  }
  const { _meta } = await get(`${paths[1]}?scope=all`);
  assert.equal(_meta.indexSlot, undefined, 'the index knows no stake delegated elsewhere');
});

test('no interface accepts a stake account as a wallet', async () => {
  const { sandbox, service } = shared();
  const stake = await stakeNow(service, await fundedWallet(sandbox, 5));
  assert.deepEqual(await refusalFacts(summaryOf(stake)), [
    400,
    'Stake account address provided',
    'STAKE_ACCOUNT_ADDRESS_PROVIDED',
  ]);
  assert.deepEqual(await refusalFacts(summaryOf('x')), [400, 'Validation error', 'VALIDATION_ERROR']);
});

test('simulated rewards start when they would on the chain, and rent earns nothing', async () => {
  const { sandbox } = shared();
  const body = await simulate({ amountSol: 100, durationDays: 730 });
  assert.equal(body.amountSol, 100);
  assert.equal(body.durationDays, 730);
  assert.ok(lamportsOf(body.delegatedSol) < lamportsOf(100));
  assert.equal(body.activation.firstRewardEpoch, sandbox.epoch() + 1);
  assert.equal(body.activation.epochsUntilActive, 1);
  assert.ok(body.activation.estimatedFirstRewardAt > body.activation.estimatedActiveAt);
  assert.equal((await simulate({ amountSol: 1 })).durationDays, 365, 'a year by default');
});

test('the simulation reports an amount that cannot be staked: as a note below the minimum, as a refusal below the rent-exempt minimum', async () => {
  const { minimumStakeSol } = (await simulate({ amountSol: 1 })).feeReserve;
  const below = (lamports: bigint) => simulate({ amountSol: Number(lamports) / 1e9 });
  const minimum = lamportsOf(minimumStakeSol);
  const { minimumDelegationSol } = (
    await post('/api/v1/stake/transaction', {
      walletAddress: (await fundedWallet(shared().sandbox, 5)).walletAddress,
      amountSol: 2,
    })
  ).limits;
  // With a minimum delegation of 1 lamport, no amount lies between the rent-exempt minimum and the minimum.
  if (lamportsOf(minimumDelegationSol) > 1n)
    assert.match((await below(minimum - 1n)).recommendation, /below the minimum stake/);
  const rent = minimum - lamportsOf(minimumDelegationSol);
  for (const lamports of [rent, 1_000n])
    assert.deepEqual(
      await refusalFacts(below(lamports)),
      [400, 'Simulation failed', 'BELOW_MINIMUM_STAKE'],
      String(lamports),
    );
  for (const wrong of [
    { amountSol: 0 },
    { amountSol: 9_000_001 },
    { amountSol: 1, durationDays: 0 },
    { amountSol: 1, durationDays: 3_651 },
    { amountSol: 1, durationDays: 1.5 },
    {},
  ])
    assert.equal((await refusalFacts(simulate(wrong)))[2], 'VALIDATION_ERROR', JSON.stringify(wrong));
});

test('a simulated year earns effectiveApy, less the time before the first reward', async () => {
  const { totalApy } = await get('/api/v1/validator/apy');
  const body = await simulate({ amountSol: 1_000 });
  assert.ok(body.effectiveApy > 0, JSON.stringify(body.warnings));
  assert.equal(body.effectiveApy, totalApy);
  const { daily, monthly, annual, total } = body.projections;
  assert.deepEqual(total, annual, 'the default is a year');
  const ceiling = (body.delegatedSol * body.effectiveApy) / 100;
  // Inflation compounds as in the APY. The difference comes from the first epochs and from rounding the APY to
  // four decimals.
  assert.ok(annual.rewardSol <= ceiling * 1.0001 && annual.rewardSol > ceiling * 0.9, `${annual.rewardSol}`);
  assert.ok(daily.rewardSol <= monthly.rewardSol && monthly.rewardSol < annual.rewardSol);
  for (const { rewardSol, balanceSol } of [daily, monthly, annual])
    assert.equal(lamportsOf(balanceSol), lamportsOf(1_000) + lamportsOf(rewardSol));
  assert.match(body.recommendation, /1000 SOL would earn about/);
});
