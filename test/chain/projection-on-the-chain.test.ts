// Compares projected rates and rewards with those that the chain pays to the same stakes, per epoch and to the
// lamport.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { createRpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../../src/chain/solana.ts';
import { createRewardReads } from '../../src/chain/validator/reward-reads.ts';
import { createValidatorReads } from '../../src/chain/validator/validator-reads.ts';
import {
  accountRewards,
  type EpochReward,
  inflationReturns,
  type PaymentsByEpoch,
  type RewardFacts,
} from '../../src/domain/portfolio/account-rewards.ts';
import { estimatedDailyReward, project } from '../../src/domain/portfolio/projection.ts';
import { predictWarmUp } from '../../src/domain/portfolio/projection-warm-up.ts';
import { decodeStakeAccount } from '../../src/domain/stake/stake-account.ts';
import { stakeActivation } from '../../src/domain/stake/stake-activation.ts';
import { decodeStakeHistory, STAKE_HISTORY_ADDRESS } from '../../src/domain/stake/stake-history.ts';
import { creditsShare, expectedInflationPerEpoch } from '../../src/domain/validator/expected-apy.ts';
import {
  annualYield,
  type EpochReturn,
  measureInflation,
  measureTips,
} from '../../src/domain/validator/realized-apy.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { wholeFilePatience } from '../support/patience.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;
const START = 700n;
const TWO_DAYS = 172_800;
const INFLATION_PPB = 354_000n;
const TIP_PPB = 20_000n;
const signal = wholeFilePatience();

/** Returns the tips of one account with the stake that earned them, per epoch. */
const tipReturns = (rewards: readonly EpochReward[], inflation: readonly EpochReturn[]) =>
  inflation.map(({ epoch, effectiveLamports }) => {
    const lamports = rewards.find((reward) => reward.epoch === epoch)?.tipsLamports;
    assert.ok(typeof lamports === 'bigint', `the tips of ${epoch} are known`);
    return { epoch, lamports, effectiveLamports };
  });

/** Calls `use` with chain reads set up as in the service. */
const withChain = async <T>(sandbox: Sandbox, use: (chain: ReturnType<typeof chainOf>) => Promise<T>) => {
  const chain = chainOf(sandbox);
  try {
    return await use(chain);
  } finally {
    await chain.pool.close();
  }
};

const chainOf = (sandbox: Sandbox) => {
  const pool = createRpcPool({
    urls: [sandbox.rpcUrl],
    timeoutMs: 2_000,
    maxConcurrent: 8,
    clock,
    logger: createLogger('silent'),
  });
  const reads = createSolanaReads(pool);
  return {
    pool,
    validator: createValidatorReads(pool, reads),
    history: async () => {
      const { accounts } = await reads.accounts([STAKE_HISTORY_ADDRESS as Address], { signal });
      return decodeStakeHistory(accounts[0]!.data);
    },
    stake: async (address: Address) => {
      const { accounts } = await reads.accounts([address], { signal });
      return decodeStakeAccount(accounts[0]!)!;
    },
    payments: async (address: Address, epochs: number): Promise<PaymentsByEpoch> => {
      const asked = Array.from({ length: epochs }, (_, i) => START + BigInt(i));
      const responses = await createRewardReads(pool).inflationPayments([address], asked, { signal });
      return new Map(
        responses.flatMap((response) =>
          response.state === 'known' ? [[response.epoch, response.payments.get(address)!] as const] : [],
        ),
      );
    },
  };
};

/** The sandbox's position, scaled to two-day epochs that start at `START`. */
const position = {
  epoch: START,
  slotIndex: 0n,
  slotsInEpoch: 432_000n,
  readAtMs: 0,
  slotDurationMs: 400,
  fastestSlotMs: 400,
  slowestSlotMs: 400,
  epochRewardsActive: false,
};

describe('on a chain that pays rewards automatically', () => {
  it('projected and paid amounts agree: inflation to within a lamport per epoch, tips except for compounding', async () => {
    await withSandbox({ startEpoch: Number(START), tipPpb: Number(TIP_PPB) }, async (sandbox) => {
      const staker = await SandboxStaker.fund(sandbox, 10_000n * SOL);
      const amounts = [10n, 77n, 123n, 4_000n].map((whole) => whole * SOL + RENT);
      const stakes: Address[] = [];
      for (const amount of amounts) stakes.push((await staker.stake(amount)) as Address);
      await withChain(sandbox, async (chain) => {
        const history = await chain.history();
        const ended = 12;
        await sandbox.advanceEpochs(ended);
        const inflation = [];
        const tips = [];
        for (const [index, address] of stakes.entries()) {
          const amountLamports = amounts[index]!;
          const account = await chain.stake(address);
          const facts: RewardFacts = {
            payments: await chain.payments(address, ended),
            opening: { epoch: START, lamports: amountLamports },
            closing: { epoch: START + BigInt(ended), lamports: account.lamports },
            movements: [],
          };
          const rewards = accountRewards(facts);
          const sum = (of: 'inflationLamports' | 'tipsLamports') =>
            rewards.reduce((total, reward) => total + reward[of]!, 0n);
          assert.equal(amountLamports + sum('inflationLamports') + sum('tipsLamports'), account.lamports);
          assert.equal(rewards[0]?.inflationLamports, 0n, 'the activation epoch pays nothing');
          assert.equal(account.delegation!.stakeLamports, amountLamports - RENT + sum('inflationLamports'));

          const projected = (tipsPerEpoch: number) =>
            project({
              amountLamports,
              stakeRentLamports: RENT,
              durationDays: 2 * ended,
              rates: { inflationPerEpoch: Number(INFLATION_PPB) / 1e9, tipsPerEpoch },
              schedule: null,
              position,
              history,
              nowMs: 0,
            }).total.rewardLamports;
          const lessInflation = projected(0) - sum('inflationLamports');
          assert.ok(lessInflation >= 0n && lessInflation < ended, `${lessInflation} lamports`);
          const more = sum('tipsLamports') - (projected(Number(TIP_PPB) / 1e9) - projected(0));
          const share = Number(more) / Number(sum('tipsLamports'));
          // The share is half of what inflation added to the stake in the meantime: 11 × 0.0354 % / 2.
          assert.ok(share >= 0 && share < 0.002, `${share}`);
          const returns = inflationReturns(
            { delegation: account.delegation!, lamports: facts.closing.lamports },
            facts.payments,
            facts.closing.epoch,
            await chain.history(),
          );
          assert.equal(returns.length, ended - 1);
          inflation.push(...returns);
          tips.push(...tipReturns(rewards, returns));
        }
        const measured = measureInflation(inflation)!;
        assert.deepEqual(
          [measured.fromEpoch, measured.toEpoch, measured.epochCount, measured.sampleCount],
          [START + 1n, START + BigInt(ended) - 1n, ended - 1, (ended - 1) * stakes.length],
        );
        assert.ok(Math.abs(measured.perEpoch * 1e9 - Number(INFLATION_PPB)) < 0.1, `${measured.perEpoch}`);
        const tipRate = measureTips(tips)!.perEpoch * 1e9;
        assert.ok(Math.abs(tipRate / Number(TIP_PPB) - 1) < 0.01, `${tipRate} is not ${TIP_PPB}`);
        const apy = annualYield({ inflationPerEpoch: measured.perEpoch, tipsPerEpoch: 0 }, TWO_DAYS);
        assert.equal(apy.stakingApy, Math.round((1.000354 ** 182.5 - 1) * 1e6) / 1e4);

        const last = (await chain.payments(stakes[3]!, ended)).get(START + BigInt(ended) - 1n)!;
        const daily = estimatedDailyReward(
          last.postBalanceLamports,
          { inflationPerEpoch: measured.perEpoch, tipsPerEpoch: 0 },
          position,
        );
        const off = Number(daily * 2n) / Number(last.lamports) - 1;
        assert.ok(Math.abs(off) < 0.001, `${off}`);
      });
    });
  });

  it('payments match the yield expected from issuance, within the rounding of the published rate', async () => {
    await withSandbox({ startEpoch: Number(START) }, async (sandbox) => {
      const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
      await staker.stake(10n * SOL + RENT);
      await sandbox.advanceEpochs(2);
      await withChain(sandbox, async ({ validator }) => {
        const [issuance, all, own] = await Promise.all([
          validator.issuance({ signal }),
          validator.voteAccounts({ signal }),
          validator.voteAccount(sandbox.voteAccount as Address, { signal }),
        ]);
        const earned = (credits: typeof own & {}) => {
          const entry = credits.epochCredits.find(({ epoch }) => epoch === START + 1n);
          return entry ? entry.credits - entry.previousCredits : 0n;
        };
        const perEpoch = expectedInflationPerEpoch(
          {
            ...issuance,
            clusterStakeLamports: all.reduce(
              (sum, { activatedStakeLamports }) => sum + activatedStakeLamports,
              0n,
            ),
            creditsShare: creditsShare(
              earned(own!),
              all.map((one) => ({ ...one, credits: earned(one) })),
            )!,
            commissionBps: 0,
          },
          TWO_DAYS,
        )!;
        assert.ok(Math.abs((perEpoch * 1e9) / Number(INFLATION_PPB) - 1) < 0.01, `${perEpoch}`);
      });
    });
  });

  it('a stake above the 9 % cap warms up as predicted', async () => {
    await withSandbox({ startEpoch: Number(START), clusterRestSol: 1_000 }, async (sandbox) => {
      const staker = await SandboxStaker.fund(sandbox, 300n * SOL);
      const address = (await staker.stake(200n * SOL + RENT)) as Address;
      await withChain(sandbox, async (chain) => {
        const path = predictWarmUp(200n * SOL, START, await chain.history());
        assert.equal(path.length, 3);
        for (const [index, predicted] of path.entries()) {
          await sandbox.advanceEpochs(1);
          const { delegation } = await chain.stake(address);
          const epoch = START + BigInt(index) + 1n;
          const { effectiveLamports } = stakeActivation(delegation!, epoch, await chain.history());
          // Rewards earned by the effective part in the meantime are also staked.
          const off = Number(effectiveLamports - predicted) / Number(predicted);
          assert.ok(off >= -1e-9 && off < 0.002, `${off}`);
        }
      });
    });
  });
});
