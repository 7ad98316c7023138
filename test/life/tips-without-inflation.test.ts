// Checks that tips belong to the epoch that earned them if the validator paid no inflation rewards in between.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { StakingRewardsAnswer } from '../../client/generated/stake-operations.ts';
import { until } from '../support/index-fixture.ts';
import { balanceOf, lamportsOf, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });

/** Returns inflation and tips of the wallet's ended epochs in lamports, oldest first, once the last one is known. */
const rewardsOf = async (wallet: string) => {
  const { sandbox, service } = shared();
  const toEpoch = sandbox.epoch() - 1;
  const read = (): Promise<StakingRewardsAnswer> => service.client.get(`/api/v1/stake/rewards/${wallet}`);
  await until(async () => {
    const { rewards } = await read();
    return rewards.some(({ epoch, inflationSol }) => epoch === toEpoch && inflationSol !== null);
  }, `the rewards of epoch ${toEpoch}`);
  const { rewards, notices } = await read();
  const lamports = (amount: number | null) => (amount === null ? null : lamportsOf(amount));
  return {
    inflation: rewards.map(({ inflationSol }) => lamports(inflationSol)).reverse(),
    tips: rewards.map(({ tipsSol }) => lamports(tipsSol)).reverse(),
    codes: notices.map(({ code }) => code),
  };
};

test('tips belong to the epoch before they arrived, even if all inflation went to the validator', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 200);
  await stakeNow(service, wallet, 100);
  await sandbox.advanceEpochs(3);
  await sandbox.setValidator({ commissionBps: 10_000 });
  await sandbox.advanceEpochs(2);
  await sandbox.setValidator({ commissionBps: 0 });
  await sandbox.advanceEpochs(1);
  const { inflation, tips, codes } = await rewardsOf(wallet.walletAddress);
  assert.deepEqual(
    inflation.map((lamports) => lamports! > 0n),
    [false, true, true, false, false, true],
  );
  assert.equal(tips[0], 0n);
  // 500 billionths of a stake of 100 SOL.
  for (const tip of tips.slice(1)) assert.ok(tip! >= 49_000n && tip! <= 51_000n, `${tip} lamports`);
  assert.deepEqual(codes, []);
});

test('a validator that does not vote earns no tips, and those of the epochs before and after are exact', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 200);
  const stakeAccount = await stakeNow(service, wallet, 100);
  await sandbox.advanceEpochs(2);
  await sandbox.setValidator({ votes: false });
  const before = await balanceOf(sandbox, stakeAccount);
  await sandbox.advanceEpochs(1);
  assert.equal(await balanceOf(sandbox, stakeAccount), before, 'nothing was paid');
  await sandbox.setValidator({ votes: true });
  await sandbox.advanceEpochs(1);
  const { tips, codes } = await rewardsOf(wallet.walletAddress);
  assert.deepEqual(
    tips.map((lamports) => lamports! > 0n),
    [false, true, false, true],
  );
  assert.deepEqual(codes, []);
});
