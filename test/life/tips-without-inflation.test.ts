// Checks that tips belong to the epoch that earned them if the validator paid no inflation rewards in between.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { StakingRewardsAnswer } from '../../client/generated/stake-operations.ts';
import { VOTE_PROGRAM } from '../../sandbox/epochs/vote-account.ts';
import { type Instruction, signTransaction } from '../../sandbox/gateway/legacy-transaction.ts';
import { sandboxKey } from '../../sandbox/sandbox-keys.ts';
import { until } from '../support/index-fixture.ts';
import { balanceOf, lamportsOf, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet } from '../support/wallets.ts';

const dated = sharedService({ before, after }, { sandbox: { tipPpb: 0 } });
const undated = sharedService({ before, after });
type Shared = ReturnType<typeof undated>;

/** Returns inflation and tips of the wallet's ended epochs in lamports, oldest first, once the last one is known. */
const rewardsOf = async ({ sandbox, service }: Shared, wallet: string) => {
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

const rpc = async <T>({ sandbox }: Shared, method: string, params: unknown[]): Promise<T> => {
  const response = await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: T }).result;
};

/** Pays a tip by a transaction of a program that is neither Stake nor System: a withdrawal from the vote account. */
const payTip = async (shared: Shared, stakeAccount: string, lamports: bigint): Promise<void> => {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(3, 0);
  data.writeBigUInt64LE(lamports, 4);
  const [faucet, withdrawer] = [sandboxKey('faucet'), sandboxKey('withdrawer')];
  const withdrawal: Instruction = {
    programId: VOTE_PROGRAM,
    accounts: [
      { address: shared.sandbox.voteAccount, signer: false, writable: true },
      { address: stakeAccount, signer: false, writable: true },
      { address: withdrawer.address, signer: true, writable: false },
    ],
    data,
  };
  const { value } = await rpc<{ value: { blockhash: string } }>(shared, 'getLatestBlockhash', []);
  const { wireBase64 } = signTransaction([faucet, withdrawer], value.blockhash, [withdrawal]);
  const earlier = await balanceOf(shared.sandbox, stakeAccount);
  await rpc(shared, 'sendTransaction', [wireBase64, { encoding: 'base64' }]);
  await until(
    async () => (await balanceOf(shared.sandbox, stakeAccount)) === earlier + lamports,
    'the tip to arrive',
  );
};

test('tips that arrive by transaction belong to the epoch before, even if all inflation went to the validator', async () => {
  const shared = dated();
  const { sandbox, service } = shared;
  const wallet = await fundedWallet(sandbox, 200);
  const stakeAccount = await stakeNow(service, wallet, 100);
  await sandbox.advanceEpochs(2);
  await sandbox.setValidator({ commissionBps: 10_000 });
  await sandbox.advanceEpochs(1);
  await payTip(shared, stakeAccount, 7_000n);
  await sandbox.advanceEpochs(1);
  await payTip(shared, stakeAccount, 5_000n);
  await sandbox.setValidator({ commissionBps: 0 });
  await sandbox.advanceEpochs(1);
  const { inflation, tips, codes } = await rewardsOf(shared, wallet.walletAddress);
  assert.deepEqual(
    inflation.map((lamports) => lamports! > 0n),
    [false, true, false, false, true],
  );
  assert.deepEqual(tips, [0n, 0n, 7_000n, 5_000n, 0n]);
  assert.deepEqual(codes, []);
});

test('tips without transactions are unknown for epochs in which all inflation went to the validator', async () => {
  const { sandbox, service } = undated();
  const wallet = await fundedWallet(sandbox, 200);
  await stakeNow(service, wallet, 100);
  await sandbox.advanceEpochs(3);
  await sandbox.setValidator({ commissionBps: 10_000 });
  await sandbox.advanceEpochs(2);
  await sandbox.setValidator({ commissionBps: 0 });
  await sandbox.advanceEpochs(1);
  const { tips, codes } = await rewardsOf(undated(), wallet.walletAddress);
  const [created, first, ...rest] = tips;
  assert.equal(created, 0n);
  assert.ok(first! > 0n);
  assert.deepEqual([rest.slice(0, 3), rest[3]! > 0n], [[null, null, null], true]);
  assert.deepEqual(codes, ['REWARDS_UNKNOWN']);
});

test('a validator that does not vote earns no tips, and those of the epochs before and after are exact', async () => {
  const { sandbox, service } = undated();
  const wallet = await fundedWallet(sandbox, 200);
  const stakeAccount = await stakeNow(service, wallet, 100);
  await sandbox.advanceEpochs(2);
  await sandbox.setValidator({ votes: false });
  const before = await balanceOf(sandbox, stakeAccount);
  await sandbox.advanceEpochs(1);
  assert.equal(await balanceOf(sandbox, stakeAccount), before, 'nothing was paid');
  await sandbox.setValidator({ votes: true });
  await sandbox.advanceEpochs(1);
  const { tips, codes } = await rewardsOf(undated(), wallet.walletAddress);
  assert.deepEqual(
    tips.map((lamports) => lamports! > 0n),
    [false, true, false, true],
  );
  assert.deepEqual(codes, []);
});
