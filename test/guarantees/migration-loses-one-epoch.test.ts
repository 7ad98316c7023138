// MIGRATE-1: stake migrated from another validator loses exactly the epoch that the plan predicts, and is
// delegated to this one in the predicted epoch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { activationAt } from '../../sandbox/epochs/replay-activation.ts';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { createTally } from '../support/count-outcomes.ts';
import type { MachineWorld } from '../support/machine-world.ts';
import { drawnPlanWorld, planWorldOf, runPlan, shownJson } from '../support/planned-worlds.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom } from '../support/truth-random.ts';

const MIGRATIONS = process.env.HOLDFAST_TEST_FULL === '1' ? 1_000 : 60;
const FIRST_SEED = 20_261_127;
const SOL = 1_000_000_000n;
/** Reward per two-day epoch, in billionths of the earning stake. */
const RATE_PPB = 354_000n;
/** A cluster so large that every stake cools down in one epoch. */
const CLUSTER = { leastRestLamports: 400_000_000n * SOL, isQuiet: true };
const EPOCHS = 4;

/** Commissions by vote account, in ten-thousandths of the reward. */
type Commissions = ReadonlyMap<Address, bigint>;

/** Returns how much of a stake earns in this epoch, and its reward after commission. */
const earnedBy = (
  { delegation }: StakeAccount,
  { epoch, history }: MachineWorld['chain'],
  commissions: Commissions,
): { readonly effective: bigint; readonly lamports: bigint } => {
  const entries = (of: bigint) => {
    const entry = history.get(of);
    return (
      entry && {
        epoch: of,
        effective: entry.effectiveLamports,
        activating: entry.activatingLamports,
        deactivating: entry.deactivatingLamports,
      }
    );
  };
  const { effective } = activationAt({ ...delegation!, voter: delegation!.voteAccount }, epoch, entries);
  const earned = (effective * RATE_PPB) / 1_000_000_000n;
  return { effective, lamports: earned - (earned * commissions.get(delegation!.voteAccount)!) / 10_000n };
};

/** Ends the epoch and pays its rewards. Returns the rewards by account. */
const endEpoch = (
  world: MachineWorld,
  home: Address,
  commissions: Commissions,
): ReadonlyMap<Address, ReturnType<typeof earnedBy> & { readonly isHere: boolean }> => {
  const paid = planWorldOf(world)
    .accounts.filter(({ delegation }) => delegation !== null)
    .map((account) => ({ account, earned: earnedBy(account, world.chain, commissions) }));
  world.truth.advance();
  for (const { account, earned } of paid) world.truth.reward(account.address, earned.lamports);
  return new Map(
    paid.map(({ account, earned }) => [
      account.address,
      { ...earned, isHere: account.delegation!.voteAccount === home },
    ]),
  );
};

test(`MIGRATE-1: ${MIGRATIONS} migrations from a validator with a different commission lose exactly the one predicted epoch`, (t) => {
  const prepared = preparedTruth();
  const [from, home] = prepared.keys.votes as [Address, Address];
  const { counts, count } = createTally();
  let migrated = 0;
  const [first] = truthSeeds(FIRST_SEED, 1);
  for (let seed = first!; migrated < MIGRATIONS; seed += 1) {
    const random = createTruthRandom(seed);
    const world = drawnPlanWorld(random, 1 + random.int(4), prepared, CLUSTER);
    world.setWallet(prepared.keys.owner, 100n * SOL);
    const commissions: Commissions = new Map([
      [from, random.pick([100n, 500n, 900n, 5_000n])],
      [home, random.pick([0n, 300n, 700n])],
    ]);
    const begun = world.chain.epoch;
    const ask = () => ({ ...planWorldOf(world), voteAccount: home });
    const result = planStakeChange({ goal: 'migrate' }, ask());
    if (!result.ok) {
      count(result.refusal.why);
      continue;
    }
    const { plan } = result;
    const story = () => `HOLDFAST_TEST_SEED=${seed}, epoch ${begun}\n${shownJson(plan)}`;
    const earners = plan.accountsBefore.filter((one) =>
      plan.transactions.some(({ operations }) =>
        operations.some((step) => step.type === 'deactivate' && step.account === one.address),
      ),
    ) as readonly StakeAccount[];
    const atOnce = plan.transactions.flatMap(({ operations }) =>
      operations.flatMap((step) => (step.type === 'delegate' ? [step.account] : [])),
    );
    runPlan(plan, 'migrate', ask(), world, story);
    const expectLost = (address: Address): void => {
      const again = { type: 'delegate', account: address, voteAccount: home, authority: world.keys.owner };
      assert.notEqual(
        world.runtime.simulate([instructionOf(again as never)]),
        null,
        `${address}\n${story()}`,
      );
    };
    for (const { account, action, epoch } of plan.laterSteps) {
      assert.deepEqual([action, epoch], ['delegate', begun + 1n], story());
      expectLost(account);
    }
    const paid = [endEpoch(world, home, commissions)];
    while (paid.length < EPOCHS) {
      const next = planStakeChange({ goal: 'migrate' }, ask());
      if (next.ok) {
        assert.equal(paid.length, 1, `no further step is possible before the next epoch\n${story()}`);
        assert.deepEqual([next.plan.cost.forgone, next.plan.laterSteps], [[], []], story());
        const delegated = next.plan.transactions.flatMap(({ operations }) =>
          operations.flatMap((step) => (step.type === 'delegate' ? [step.account] : [])),
        );
        assert.deepEqual(
          delegated.toSorted(),
          plan.laterSteps.map(({ account }) => account).toSorted(),
          story(),
        );
        runPlan(next.plan, 'migrate', ask(), world, story);
      } else assert.ok(paid.length > 1 || plan.laterSteps.length === 0, story());
      paid.push(endEpoch(world, home, commissions));
    }
    assert.deepEqual(
      plan.cost.forgone.map(({ stakeLamports, epochs }) => [stakeLamports, epochs]),
      earners.map(({ delegation }) => [delegation!.stakeLamports, 1]),
      story(),
    );
    const now = new Map(planWorldOf(world).accounts.map((one) => [one.address, one]));
    for (const { address, ...before } of earners) {
      const rewards = paid.map((epoch) => epoch.get(address)!);
      const lost = rewards.filter(({ effective }) => effective === 0n).length;
      assert.equal(lost, 1, `${address}: ${shownJson(rewards)}\n${story()}`);
      assert.deepEqual(
        rewards.map(({ isHere }) => isHere),
        [false, true, true, true],
        story(),
      );
      // Exact to the lamport: the account's whole balance earns rewards here, including idle SOL.
      let staked = before.delegation!.stakeLamports;
      for (const [epoch, { lamports, isHere }] of rewards.entries()) {
        const commission = commissions.get(isHere ? home : from)!;
        const earned = epoch === 1 ? 0n : (staked * RATE_PPB) / 1_000_000_000n;
        assert.equal(lamports, earned - (earned * commission) / 10_000n, `epoch ${epoch}\n${story()}`);
        staked = (epoch === 0 ? before.lamports - world.chain.stakeRentLamports : staked) + lamports;
      }
      assert.equal(now.get(address)!.delegation!.deactivationEpoch, EPOCH_ABSENT);
      assert.equal(now.get(address)!.delegation!.stakeLamports, staked, story());
      migrated += 1;
      count('deactivated first');
    }
    for (const address of atOnce) {
      const rewards = paid.map((epoch) => epoch.get(address)!);
      assert.equal(rewards.filter(({ effective }) => effective === 0n).length, 1, story());
      assert.ok(rewards.every(({ isHere }) => isHere));
      count('delegated immediately');
    }
  }
  t.diagnostic(JSON.stringify(counts));
  if (process.env.HOLDFAST_TEST_SEED) return;
  assert.ok(counts['delegated immediately']! > MIGRATIONS / 10, JSON.stringify(counts));
});
