// Compares rewards with the chain: stake, inflation and tips add up to the balance, to the lamport, in JSON and
// in CSV.
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

const shared = sharedService({ before, after });

type Reward = Record<string, unknown>;
interface Rewards {
  readonly rewards: Reward[];
  readonly totals: { readonly inflationSol: number; readonly tipsSol: number };
  readonly toEpoch: number;
  readonly warnings: string[];
}

const rewardsOf = (wallet: string, query = ''): Promise<Rewards> =>
  shared().service.client.get(`/api/v1/stake/rewards/${wallet}${query}`);

/** Returns the rewards once those of the last ended epoch are known. */
const known = async (wallet: string): Promise<Rewards> => {
  const toEpoch = shared().sandbox.epoch() - 1;
  const isKnown = ({ rewards }: Rewards) => {
    const last = rewards.filter(({ epoch }) => epoch === toEpoch);
    return (
      last.length > 0 && last.every(({ inflationSol, tipsSol }) => inflationSol !== null && tipsSol !== null)
    );
  };
  await until(async () => isKnown(await rewardsOf(wallet)), `the rewards of epoch ${toEpoch}`);
  return rewardsOf(wallet);
};

/** Reads the payments from the chain itself. */
const paidOnChain = async (address: string, epoch: number): Promise<bigint> => {
  const response = await fetch(shared().sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getInflationReward',
      params: [[address], { epoch }],
    }),
  });
  const { result } = (await response.json()) as { result: ({ amount: number } | null)[] };
  return BigInt(result[0]?.amount ?? 0);
};

const sum = (rewards: Reward[], member: string): bigint =>
  rewards.reduce((total, reward) => total + lamportsOf(reward[member]), 0n);

test('stake, inflation and tips add up to the balance, and every payment matches the chain', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 2_000);
  const [first, second] = [await stakeNow(service, wallet, 700), await stakeNow(service, wallet, 900)];
  const startEpoch = sandbox.epoch();
  await sandbox.advanceEpochs(4);
  const { rewards, totals, toEpoch, warnings } = await known(wallet.walletAddress);
  assert.deepEqual([toEpoch, warnings], [startEpoch + 3, []]);
  assert.equal(rewards.length, 8);
  for (const [address, staked] of [
    [first, 700],
    [second, 900],
  ] as const) {
    const own = rewards.filter(({ stakeAccountAddress }) => stakeAccountAddress === address);
    assert.deepEqual(
      own.map(({ epoch }) => epoch),
      [3, 2, 1, 0].map((back) => startEpoch + back),
    );
    assert.deepEqual([own.at(-1)!.inflationSol, own.at(-1)!.paidAt], [0, null], 'nothing in the first epoch');
    for (const { epoch, inflationSol, paidAt } of own.slice(0, -1)) {
      assert.equal(lamportsOf(inflationSol), await paidOnChain(address, epoch as number));
      assert.ok(lamportsOf(inflationSol) > 0n);
      assert.ok(Math.abs(Date.parse(paidAt as string) - Date.now()) < 10 * 365 * 86_400_000, 'a date');
    }
    const grown = lamportsOf(staked) + sum(own, 'inflationSol') + sum(own, 'tipsSol');
    assert.equal(grown, await balanceOf(sandbox, address));
    let balance = lamportsOf(staked);
    for (const { balanceBeforeSol, inflationSol, tipsSol, balanceAfterSol } of own
      .slice(0, -1)
      .toReversed()) {
      assert.equal(lamportsOf(balanceBeforeSol), balance, 'nothing changed the balance between two rows');
      balance += lamportsOf(inflationSol) + lamportsOf(tipsSol);
      assert.equal(lamportsOf(balanceAfterSol), balance);
    }
    assert.equal(balance, await balanceOf(sandbox, address), 'the newest row ends at the balance on chain');
  }
  assert.equal(lamportsOf(totals.inflationSol), sum(rewards, 'inflationSol'));
  assert.equal(lamportsOf(totals.tipsSol), sum(rewards, 'tipsSol'));
});

test('deposits by others and withdrawals by the owner are not tips', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 200);
  const stakeAccountAddress = await stakeNow(service, wallet, 100);
  await sandbox.advanceEpochs(2);
  await fund(sandbox, stakeAccountAddress, 5_000_000_000n);
  await buildAndSubmit(service, wallet, '/api/v1/withdraw/transaction', {
    stakeAccountAddress,
    amountSol: 3,
  });
  await sandbox.advanceEpochs(1);
  const { rewards } = await known(wallet.walletAddress);
  const grown = lamportsOf(100) + sum(rewards, 'inflationSol') + sum(rewards, 'tipsSol');
  assert.equal(grown + 2_000_000_000n, await balanceOf(sandbox, stakeAccountAddress));
  const [newest, earlier] = rewards;
  assert.equal(
    lamportsOf(newest!.balanceBeforeSol) - lamportsOf(earlier!.balanceAfterSol),
    2_000_000_000n,
    'only the owner’s own transactions are between two rows',
  );
});

test('the rewards and tips of an account stay the same after a withdrawal closes it', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 200);
  const stakeAccountAddress = await stakeNow(service, wallet, 100);
  await sandbox.advanceEpochs(3);
  await buildAndSubmit(service, wallet, '/api/v1/unstake/transaction', { stakeAccountAddress });
  await sandbox.advanceEpochs(1);
  const open = await known(wallet.walletAddress);
  await buildAndSubmit(service, wallet, '/api/v1/withdraw/transaction', { stakeAccountAddress });
  const isClosed = async () => (await balanceOf(sandbox, stakeAccountAddress)) === 0n;
  await until(isClosed, 'the account to be closed');
  // Finalized reads lag behind. Until they catch up, the account appears unchanged.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const closed = await known(wallet.walletAddress);
  assert.deepEqual(closed.rewards, open.rewards);
  assert.deepEqual([closed.totals, closed.warnings], [open.totals, open.warnings]);
  assert.ok(sum(closed.rewards, 'inflationSol') > 0n);
});

test('CSV requested by query or Accept header has the same content as JSON, line by line', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 200);
  await stakeNow(service, wallet, 100);
  await sandbox.advanceEpochs(2);
  const { rewards } = await known(wallet.walletAddress);
  const path = `${service.url}/api/v1/stake/rewards/${wallet.walletAddress}`;
  const byQuery = await fetch(`${path}?format=csv`);
  assert.equal(byQuery.headers.get('content-type'), 'text/csv; charset=utf-8');
  const text = await byQuery.text();
  const byHeader = await fetch(path, { headers: { accept: 'text/csv' } });
  assert.equal(await byHeader.text(), text);
  assert.match(byHeader.headers.get('vary') ?? '', /accept/i);
  const [head, ...lines] = text.trimEnd().split('\r\n');
  assert.equal(
    head,
    'epoch,paidAt,stakeAccountAddress,balanceBeforeSol,inflationSol,tipsSol,balanceAfterSol,commissionPct,unknownReason,voteAccount',
  );
  assert.deepEqual(
    lines.map((line) => line.split(',').slice(0, 5)),
    rewards.map(({ epoch, paidAt, stakeAccountAddress, balanceBeforeSol, inflationSol }) => [
      String(epoch),
      paidAt ?? '',
      stakeAccountAddress,
      balanceBeforeSol === null ? '' : String(balanceBeforeSol),
      String(inflationSol),
    ]),
  );
  for (const accept of ['application/json, text/csv', '*/*', 'text/html']) {
    const { headers } = await fetch(path, { headers: { accept } });
    assert.match(headers.get('content-type') ?? '', /json/, accept);
  }
});

test('a wallet without stakes has no rewards, and an out-of-range span is refused', async () => {
  const { walletAddress } = newWallet();
  assert.deepEqual((await rewardsOf(walletAddress)).rewards, []);
  for (const query of ['?epochs=0', '?epochs=201', '?format=xml'])
    assert.equal((await refusalFacts(rewardsOf(walletAddress, query)))[2], 'VALIDATION_ERROR', query);
});
