// Checks payments at an epoch boundary: shares by points, the commission, no reward for the activation epoch,
// and tips as plain lamports.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address } from '@solana/kit';
import { readDelegation } from '../../sandbox/epochs/delegation-bytes.ts';
import { VOTE_PROGRAM } from '../../sandbox/epochs/vote-account.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { sandboxKey } from '../../sandbox/sandbox-keys.ts';
import { QUICK_SANDBOX, withSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;

test('a vote account with a commission keeps its share, and the stake account gets the rest', async () => {
  await withSandbox({ rewardPpb: 1_000_000, tipPpb: 0 }, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
    const voteAccount = sandboxKey('a vote account with 3.33 percent').address;
    const template = (await staker.account(sandbox.voteAccount))!;
    template.data.writeUInt16LE(333, 132);
    await sandbox.setAccount({
      address: voteAccount,
      lamports: SOL,
      data: template.data,
      owner: VOTE_PROGRAM,
    });
    const free = await staker.stake(10n * SOL + RENT);
    const charged = await staker.stake(10n * SOL + RENT, { vote: voteAccount });
    await sandbox.advanceEpochs(2);
    const addresses = [free, charged, voteAccount].map((item) => address(item));
    const [whole, net, commission] = await staker.rpc.getInflationReward(addresses).send();
    assert.equal(whole?.amount, (10n * SOL) / 1_000n);
    const bpsOf = (reward: unknown) => (reward as { commissionBps: bigint }).commissionBps;
    assert.deepEqual([bpsOf(whole), bpsOf(net)], [0n, 333n]);
    assert.equal(commission?.amount, (whole!.amount * 333n) / 10_000n);
    assert.equal(net!.amount + commission!.amount, whole!.amount);
    assert.equal((await staker.account(voteAccount))?.lamports, SOL + commission!.amount);
    const votes = await staker.rpc.getVoteAccounts().send();
    assert.equal(votes.current.find((vote) => vote.votePubkey === voteAccount)?.commission, 4);
  });
});

test('the second and third validator charge the commission shown in the validator list', async () => {
  await withSandbox({ rewardPpb: 1_000_000, tipPpb: 0 }, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
    const { voteAccount, otherVoteAccount, thirdVoteAccount } = sandbox;
    const stakes: string[] = [];
    for (const vote of [voteAccount, otherVoteAccount, thirdVoteAccount])
      stakes.push(await staker.stake(10n * SOL + RENT, { vote }));
    await sandbox.advanceEpochs(2);
    const rewards = await staker.rpc.getInflationReward(stakes.map((item) => address(item))).send();
    const whole = (10n * SOL) / 1_000n;
    assert.deepEqual(
      rewards.map((reward) => reward?.amount),
      [whole, (whole * 95n) / 100n, (whole * 90n) / 100n],
    );
    const { current, delinquent } = await staker.rpc.getVoteAccounts().send();
    const listed = [voteAccount, otherVoteAccount, thirdVoteAccount].map((vote) =>
      [...current, ...delinquent].filter(({ votePubkey }) => votePubkey === vote),
    );
    assert.deepEqual(
      listed.map((found) => found.map(({ commission }) => commission)),
      [[0], [5], [10]],
    );
  });
});

test('a reward is the configured share of the effective stake, and stake that is not effective earns none', async () => {
  await withSandbox({ rewardPpb: 500_000, tipPpb: 0, clusterRestSol: 100 }, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, 200n * SOL);
    const stake = await staker.stake(100n * SOL + RENT);
    await sandbox.advanceEpochs(1);
    assert.deepEqual(await staker.rpc.getInflationReward([address(stake)]).send(), [null]);
    await sandbox.advanceEpochs(1);
    const [first] = await staker.rpc.getInflationReward([address(stake)]).send();
    // 9 % of 100 SOL was effective in the first epoch, and only that part earned a reward.
    assert.equal(first?.amount, (9n * SOL * 500_000n) / 1_000_000_000n);
    await staker.deactivate(stake);
    await sandbox.advanceEpochs(4);
    assert.deepEqual(await staker.rpc.getInflationReward([address(stake)]).send(), [null]);
  });
});

test('tips raise only the lamports of accounts, in proportion to their stake', async () => {
  await withSandbox({ rewardPpb: 0, tipPpb: 1_000_000 }, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
    const amounts = [2n, 3n, 5n, 7n, 11n].map((whole) => whole * SOL);
    const stakes: string[] = [];
    for (const amount of amounts) stakes.push(await staker.stake(amount + RENT));
    await sandbox.advanceEpochs(2);
    for (const [index, stake] of stakes.entries()) {
      const account = (await staker.account(stake))!;
      assert.equal(readDelegation(account.data)?.stakeLamports, amounts[index]);
      assert.equal(account.lamports - RENT - amounts[index]!, amounts[index]! / 1_000n);
    }
  });
});

test('the program refuses to retarget a deactivating account with TooSoonToRedelegate (Custom 3)', async () => {
  await withSandbox({}, async (sandbox) => {
    const staker = await SandboxStaker.fund(sandbox, 10n * SOL);
    const stake = await staker.stake(2n * SOL + RENT);
    await sandbox.advanceEpochs(1);
    await staker.deactivate(stake);
    const refused = await staker.send([staker.delegateInstruction(stake, sandbox.otherVoteAccount)]).then(
      () => undefined,
      (cause: { cause?: { context?: { code?: number } } }) => cause.cause?.context?.code,
    );
    assert.equal(refused, 3);
  });
});

test('an epoch that ends by time pays its share of a two-day epoch, and one ended on demand pays for 432,000 slots', async () => {
  const rewardOf = async (epochSeconds: number, slotMs: number): Promise<bigint | undefined> => {
    const { rewardPpb: _, ...options } = QUICK_SANDBOX;
    await using sandbox = await startSandbox({ ...options, epochSeconds, slotMs, tipPpb: 0 });
    const staker = await SandboxStaker.fund(sandbox, 200n * SOL);
    const stake = await staker.stake(100n * SOL + RENT);
    await sandbox.advanceEpochs(2);
    const [reward] = await staker.rpc.getInflationReward([address(stake)]).send();
    return reward?.amount;
  };
  const share = (ppb: bigint): bigint => (100n * SOL * ppb) / 1_000_000_000n;
  assert.equal(await rewardOf(0, 400), share(354_000n));
  assert.equal(await rewardOf(0, 20), share(17_700n));
  assert.equal(await rewardOf(300, 20), share(615n));
});
