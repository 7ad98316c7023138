// Checks that the history has the yield of every epoch, also of thirty that end at once, and that splits,
// top-ups, merges and withdrawals of the only measured stake do not change it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { RealisedInflation } from '../../src/validator/measured-inflation.ts';
import { until } from '../support/index-fixture.ts';
import { patience } from '../support/patience.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { stakeNow } from '../support/service-calls.ts';
import { settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { createRunningClock } from '../support/steerable-clock.ts';
import { fundedWallet, signedBy } from '../support/wallets.ts';

const SOL = 1_000_000_000n;
// The rates of two-day epochs, scaled to epochs of 432,000 slots of 20 ms, so a year pays 6.7 %. There are no
// tips, because not every epoch pays them.
const RATES = { rewardPpb: 17_700, tipPpb: 0 };

const near = (actual: number, expected: number, name: string, tolerance = 0.01) =>
  assert.ok(Math.abs(actual / expected - 1) < tolerance, `${name}: ${actual}, not ${expected}`);

test('skipped epochs and stake changes do not change the measured yield of any epoch', async (t) => {
  await using sandbox = await startSandbox({ ...QUICK_SANDBOX, ...RATES });
  const clock = createRunningClock();
  const service = await startServiceHere(t, settingsFor(sandbox), undefined, clock);
  const { client } = service;
  const wallet = await fundedWallet(sandbox, 60);
  const { walletAddress } = wallet;
  await stakeNow(service, wallet, 25);
  const first = sandbox.epoch() + 1;
  await sandbox.advanceEpochs(30);

  /** Waits until the last ended epoch is measured and recorded, then checks the yield of every epoch. */
  const everyEpochPays = async (name: string) => {
    const ended = sandbox.epoch() - 1;
    let epochs: { epoch: number; apy: number | null }[] = [];
    await until(async () => {
      clock.advance(61_000);
      ({ epochs } = await client.get('/api/v1/validator/history'));
      return epochs[0]?.epoch === ended && epochs[0].apy !== null;
    }, `${name}: the record of epoch ${ended}`);
    const measured = await service.app.ctx.validator.facts.realised(patience());
    const known = [...measured!.byEpoch];
    // Fewer epochs are left after a merge into a younger account.
    assert.ok(known.length > 0, name);
    for (const [epoch, rate] of known) near(rate, RATES.rewardPpb / 1e9, `${name}, epoch ${epoch}`);
    const apys = epochs.flatMap(({ epoch, apy }) => (epoch >= first && apy !== null ? [{ epoch, apy }] : []));
    assert.equal(apys.length, ended - first + 1, `${name}: no epoch is unknown`);
    // The measured duration of an epoch varies by a few percent.
    for (const { epoch, apy } of apys)
      near(apy, apys.at(-1)!.apy, `${name}, history of epoch ${epoch}`, 0.05);
  };
  const change = async (goal: object) => {
    const { transactions, refusal } = await client.post('/api/v1/plan', { walletAddress, ...goal });
    assert.ok(transactions.length > 0, JSON.stringify({ ...goal, refusal }));
    for (const { transaction } of transactions)
      await client.post('/api/v1/transaction/submit', { signedTransaction: signedBy(wallet, transaction) });
  };
  await everyEpochPays('before');

  await change({ goal: 'unstake', amountSol: 10 });
  await sandbox.advanceEpochs(1);
  await everyEpochPays('after the unstake');

  // The undo restores the original activation epoch of the account with the 5 SOL, although that account has no
  // earlier rewards.
  await change({ goal: 'unstake', amountSol: 5 });
  await change({ goal: 'undo' });
  await stakeNow(service, wallet, 8);
  await change({ goal: 'top-up', amountSol: 4 });
  await sandbox.advanceEpochs(1);
  await everyEpochPays('after the undo and the top-up');

  await change({ goal: 'tidy' });
  await sandbox.advanceEpochs(1);
  await everyEpochPays('after the merge');

  const { accounts } = await client.get(`/api/v1/stake/summary/${walletAddress}`);
  const { address } = accounts.find(({ activeSol }: { activeSol: number }) => activeSol > 0);
  await sandbox.airdrop(address, 6_000_000_000n, patience());
  await sandbox.advanceEpochs(1);
  await everyEpochPays('after the deposit of idle SOL');
  const { secretKey } = wallet;
  const withdrawal = { walletAddress, secretKey, stakeAccountAddress: address, amountSol: 6 };
  await client.post('/api/v1/withdraw', withdrawal);
  await sandbox.advanceEpochs(1);
  await everyEpochPays('after the withdrawal of idle SOL');
});

test('stake that was moved here changes neither the commission nor the yield of the epochs before', async (t) => {
  await using sandbox = await startSandbox({ ...QUICK_SANDBOX, ...RATES });
  const service = await startServiceHere(t, settingsFor(sandbox));
  const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
  await staker.stake(10n * SOL);
  const moved = await staker.stake(30n * SOL, { vote: sandbox.thirdVoteAccount });
  await sandbox.advanceEpochs(3);
  await staker.deactivate(moved);
  await sandbox.advanceEpochs(1);
  await staker.send([staker.delegateInstruction(moved, sandbox.voteAccount)]);
  await sandbox.advanceEpochs(2);
  const ended = BigInt(sandbox.epoch() - 1);
  let measured: RealisedInflation | null = null;
  await until(async () => {
    measured = await service.app.ctx.validator.facts.realised(patience());
    return measured?.byEpoch.has(ended) ?? false;
  }, 'the last epoch');
  const { byEpoch, commissionByEpoch } = measured!;
  assert.ok(byEpoch.size >= 5 && commissionByEpoch.size >= 5);
  assert.deepEqual([...new Set(commissionByEpoch.values())], [0]);
  for (const [epoch, rate] of byEpoch) near(rate, RATES.rewardPpb / 1e9, `epoch ${epoch}`);
});
