// SWEEP-1: after any tips to stake accounts, a sweep moves the idle lamports of exactly those accounts where
// they exceed the fee, and leaves all stake untouched.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { mergeClassOf } from '../../src/domain/machine/merge-class.ts';
import type { SweepGoal } from '../../src/domain/plan/goals/plan-sweep.ts';
import type { Plan, PlanInputs } from '../../src/domain/plan/plan.ts';
import { isLocked, isNotDeactivating, withdrawPart } from '../../src/domain/plan/plan-accounts.ts';
import { planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import type { StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { createTally } from '../support/count-outcomes.ts';
import type { MachineWorld } from '../support/machine-world.ts';
import { drawnPlanWorld, isHeld, planWorldOf, runPlan, shownJson } from '../support/planned-worlds.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom } from '../support/truth-random.ts';

const LIVES = process.env.HOLDFAST_TEST_FULL === '1' ? 2_000 : 100;
const FIRST_SEED = 20_261_126;
const SWEEPS = 3;
const SOL = 1_000_000_000n;

/** Idle lamports by account, deposited by the test. */
type Tips = Map<Address, bigint>;

const tip = (world: MachineWorld, tips: Tips, account: Address): void => {
  const lamports = 1n + world.random.lamports(world.random.pick([1_000_000n, SOL]));
  const refusal = world.runtime.run([
    instructionOf({ type: 'transfer', from: world.runtime.payer, to: account, lamports }),
  ]);
  assert.equal(refusal, null);
  tips.set(account, (tips.get(account) ?? 0n) + lamports);
};

/** Returns the lamports that left each account. */
const taken = ({ accountsBefore, accountsAfter }: Plan): ReadonlyMap<Address, bigint> => {
  const after = new Map(accountsAfter.map((one) => [one.address, one.lamports]));
  return new Map(
    accountsBefore.map(({ address, lamports }) => [address, lamports - (after.get(address) ?? 0n)]),
  );
};

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((all, one) => all + one, 0n);

/** Checks that every account except the sweep's target is unchanged apart from its idle lamports. */
const checkUntouched = (plan: Plan, except: Address | undefined, story: () => string): void => {
  const after = new Map(plan.accountsAfter.map((one) => [one.address, one]));
  for (const { lamports: _, ...before } of plan.accountsBefore as readonly StakeAccount[]) {
    if (before.address === except) continue;
    const { lamports: __, ...now } = after.get(before.address) as StakeAccount;
    assert.deepEqual(now, before, story());
  }
};

/**
 * Checks that no account still has idle lamports above the fee: the program must refuse to withdraw the fee
 * plus one lamport.
 */
const checkAllTaken = (world: MachineWorld, planWorld: PlanInputs, story: () => string): void => {
  const { wallet, chain } = planWorld;
  for (const account of world.accounts().stakes.values()) {
    if (!isHeld(account) || account.withdrawAuthority !== wallet || isLocked(account, planWorld)) continue;
    if (mergeClassOf(account, chain) === 'inactive') continue;
    const { address } = account;
    const one = withdrawPart(account, planWorld.signatureFeeLamports + 1n, planWorld);
    assert.equal(world.runtime.simulate([instructionOf(one)]), 'InsufficientFunds', `${address}\n${story()}`);
  }
};

const isSweepable = (account: StakeAccount, world: PlanInputs, to: SweepGoal['to']): boolean =>
  account.withdrawAuthority === world.wallet && (to === 'activating' || !isLocked(account, world));

test(`SWEEP-1: in ${LIVES} random histories with tips, the moved lamports equal the idle lamports exactly, and no stake is touched`, (t) => {
  const prepared = preparedTruth();
  const { counts, count } = createTally();
  for (const seed of truthSeeds(FIRST_SEED, LIVES)) {
    const random = createTruthRandom(seed);
    const world = drawnPlanWorld(random, 1 + random.int(6), prepared);
    world.setWallet(prepared.keys.owner, 100n * SOL);
    const tips: Tips = new Map();
    const note = (address: Address): void => {
      const one = world.accounts().stakes.get(address) as StakeAccount;
      tips.set(address, one.lamports - (one.delegation?.stakeLamports ?? 0n) - world.chain.stakeRentLamports);
    };
    for (const { address } of planWorldOf(world).accounts) note(address);
    for (let round = 0; round < SWEEPS; round += 1) {
      if (random.chance(0.5)) world.truth.advance();
      // Adds an activating stake as a target for the sweep.
      if (random.chance(0.3)) note(world.plant({ activating: 1 }));
      for (const { address } of planWorldOf(world).accounts)
        if (random.chance(0.6)) tip(world, tips, address);
      const planWorld = planWorldOf(world);
      const goal = random.pick<SweepGoal>([
        { to: 'wallet' },
        { to: 'activating' },
        { to: 'stake', addedLamports: random.pick([0n, 2n * SOL]) },
      ]);
      const result = planStakeChange({ goal: 'sweep', ...goal }, planWorld);
      const story = () =>
        `HOLDFAST_TEST_SEED=${seed}, round ${round}\n${shownJson({ goal, accounts: planWorld.accounts, result })}`;
      count(`${goal.to}: ${result.ok ? 'swept' : result.refusal.why}`);
      const sources = planWorld.accounts.filter(
        (one) => isSweepable(one, planWorld, goal.to) && one.delegation !== null && isNotDeactivating(one),
      );
      if (!result.ok) {
        if (result.refusal.why === 'NOTHING_TO_DO')
          for (const { address } of goal.to === 'wallet' ? sources : [])
            assert.ok(tips.get(address)! <= planWorld.signatureFeeLamports, story());
        continue;
      }
      const { plan } = result;
      runPlan(plan, 'sweep', planWorld, world, story);
      const left = taken(plan);
      const target =
        goal.to === 'activating'
          ? plan.transactions.at(-1)!.operations.findLast((one) => one.type === 'delegate')!.account
          : undefined;
      checkUntouched(plan, target, story);
      const gained = plan.wallet.afterLamports - plan.wallet.beforeLamports + plan.cost.feesLamports;
      if (target !== undefined) {
        const [before, after] = [plan.accountsBefore, plan.accountsAfter].map(
          (accounts) => accounts.find(({ address }) => address === target) as StakeAccount,
        );
        const moved = sum(
          [...left].filter(([address]) => address !== target).map(([, lamports]) => lamports),
        );
        assert.equal(after!.lamports - before!.lamports, moved, story());
        assert.equal(
          after!.delegation!.stakeLamports - before!.delegation!.stakeLamports,
          moved + tips.get(target)!,
          story(),
        );
        assert.equal(gained, 0n, story());
        for (const [address, lamports] of left)
          if (address !== target) assert.ok(lamports === 0n || lamports === tips.get(address), story());
        tips.set(target, 0n);
      } else {
        const opened = plan.accountsAfter.filter(({ address }) => !left.has(address)) as StakeAccount[];
        const staked = sum(opened.map(({ lamports }) => lamports));
        assert.equal(gained + staked, sum(left.values()), story());
        if (goal.to === 'stake') {
          assert.equal(staked, sum(left.values()) + goal.addedLamports, story());
          for (const { address } of opened) tips.set(address, 0n);
        }
        for (const { address } of sources) {
          const idle = tips.get(address)!;
          assert.equal(
            left.get(address),
            idle > planWorld.signatureFeeLamports ? idle : 0n,
            `${address}\n${story()}`,
          );
        }
        checkAllTaken(world, planWorld, story);
      }
      for (const [address, lamports] of left)
        if (address !== target) tips.set(address, tips.get(address)! - lamports);
    }
  }
  t.diagnostic(JSON.stringify(counts));
  if (process.env.HOLDFAST_TEST_SEED) return;
  for (const to of ['wallet', 'activating', 'stake'])
    assert.ok(counts[`${to}: swept`]! > LIVES / 10, `${to}: ${JSON.stringify(counts)}`);
});
