// PLAN-1, PLAN-1b, PLAN-2: what the planner plans the real Stake program accepts and is exact to the lamport; what it refuses cannot be had.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { mergeClassOf } from '../../src/domain/machine/merge-class.ts';
import type { MachineAccount, MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { PlanResult } from '../../src/domain/plan/finish-plan.ts';
import type { Plan, PlanWorld } from '../../src/domain/plan/plan.ts';
import {
  combinesWith,
  freeLamports,
  isLocked,
  isReleased,
  isStaying,
  ownAccounts,
} from '../../src/domain/plan/plan-accounts.ts';
import { type PlanGoal, planStakeChange } from '../../src/domain/plan/plan-stake-change.ts';
import { unstakeAmounts } from '../../src/domain/plan/plan-unstake.ts';
import { type AmountRange, nearestAmounts } from '../../src/domain/plan/reachable-amounts.ts';
import { withdrawAmounts } from '../../src/domain/plan/withdraw-amounts.ts';
import type { StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { checkEffects } from '../../src/domain/transaction/check-effects.ts';
import { STAKE_PROGRAM } from '../../src/domain/transaction/instruction-programs.ts';
import { messageOf, nodeFactsOf, requestOfGoal } from '../support/effects-of-plans.ts';
import { fewestOperations } from '../support/exhaustive-unstake.ts';
import { MachineWorld } from '../support/machine-world.ts';
import {
  drawnPlanWorld,
  isHeld,
  isHeldBy,
  planWorldOf,
  runPlan,
  shownJson,
  stayingLamports,
} from '../support/planned-worlds.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const SOL = 1_000_000_000n;
const FIRST_SEED = 20_261_123;

const drawnAmount = (random: TruthRandom, stakes: readonly bigint[]): bigint => {
  const all = stakes.reduce((sum, one) => sum + one, 0n);
  const some = stakes.filter(() => random.chance(0.5)).reduce((sum, one) => sum + one, 0n);
  const amount = random.pick([
    (all * BigInt(random.int(1_000_001))) / 1_000_000n,
    (all * BigInt(random.int(1_000_001))) / 1_000_000n,
    (all * BigInt(random.int(1_000_001))) / 1_000_000n,
    some,
    some + 1n,
    some + random.lamports(SOL),
    all - SOL,
    all - SOL + 1n,
    SOL,
    SOL - 1n,
  ]);
  return amount > 0n ? amount : 1n;
};

/** Whether the same request works with exactly what is said to be missing, and not with one lamport less. */
const askedWithMissing = (goal: PlanGoal, world: PlanWorld): boolean => {
  const { refusal } = planStakeChange(goal, world) as { refusal: { missingLamports: bigint } };
  const ask = (more: bigint) =>
    planStakeChange(goal, { ...world, walletLamports: world.walletLamports + more });
  const almost = ask(refusal.missingLamports - 1n);
  return ask(refusal.missingLamports).ok && !almost.ok;
};

const WORLDS = FULL ? 10_000 : 200;
/** Of so many worlds one is searched through. */
const SEARCHED = FULL ? 10 : 8;

test(`PLAN-1, PLAN-1b: in ${WORLDS} worlds an unstake by amount is accepted, exact and at most one instruction too long, and what is refused cannot be had`, () => {
  const prepared = preparedTruth();
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const [index, seed] of truthSeeds(FIRST_SEED, WORLDS).entries()) {
    const random = createTruthRandom(seed);
    const isSearched = index % SEARCHED === 0;
    const world = drawnPlanWorld(random, isSearched ? 1 + random.int(3) : 1 + random.int(8), prepared);
    const planWorld = planWorldOf(world);
    const { epoch } = planWorld.chain;
    const stakes = ownAccounts(planWorld)
      .filter(isStaying)
      .map(({ delegation }) => delegation!.stakeLamports);
    const lamports = drawnAmount(random, stakes);
    const story = () =>
      `HOLDFAST_TEST_SEED=${seed}: unstake ${lamports}\n${shownJson({ ...planWorld, chain: epoch })}\n${shownJson(result)}`;
    let result: PlanResult;
    try {
      result = planStakeChange({ goal: 'unstake', lamports, rounding: 'exact' }, planWorld);
    } catch (error) {
      throw new Error(
        `HOLDFAST_TEST_SEED=${seed}: unstake ${lamports}\n${shownJson({ ...planWorld, chain: epoch })}`,
        {
          cause: error,
        },
      );
    }
    if (result.ok) {
      const { plan } = result;
      count(
        `accepted with ${plan.transactions.reduce((sum, one) => sum + one.operations.length, 0)} instructions`,
      );
      runPlan(plan, 'unstake', planWorld, world, story);
      const left = stayingLamports(plan.accountsAfter);
      assert.equal(stayingLamports(planWorld.accounts) - left, lamports, story());
    } else {
      count(`refused: ${result.refusal.why}`);
      if (result.refusal.why === 'AMOUNT_NOT_REACHABLE') {
        for (const near of [result.refusal.nearestBelowLamports, result.refusal.nearestAboveLamports]) {
          if (near === null) continue;
          const nearest = planStakeChange({ goal: 'unstake', lamports: near, rounding: 'exact' }, planWorld);
          assert.ok(nearest.ok || nearest.refusal.why === 'WALLET_SHORT', story());
        }
      }
    }
    if (!isSearched || planWorld.walletLamports < SOL) continue;
    const fewest = fewestOperations(planWorld, lamports, 2);
    count(`searched: ${fewest === null ? 'cannot be had' : 'can be had'}`);
    if (!result.ok) assert.equal(fewest, null, story());
    else if (fewest !== null) {
      const used = result.plan.transactions.reduce((sum, one) => sum + one.operations.length, 0);
      assert.ok(used <= fewest + 1, `PLAN-1b: ${used} instructions where ${fewest} do\n${story()}`);
    }
  }
  if (FULL) console.log(Object.fromEntries([...counts].sort()));
  if (process.env.HOLDFAST_TEST_SEED) return;
  const found = (what: string) => counts.get(what) ?? 0;
  assert.ok(found('searched: can be had') > 0 && found('searched: cannot be had') > 0);
  assert.ok(found('refused: AMOUNT_NOT_REACHABLE') < 0.8 * WORLDS);
});

/** Every end of a range, one amount between and both beside it. */
const triedAmounts = ({ low, high }: AmountRange, random: TruthRandom): readonly bigint[] => {
  const between = low + ((high - low) * BigInt(random.int(1_000_001))) / 1_000_000n;
  return [...new Set([low - 1n, low, between, high, high + 1n])].filter((lamports) => lamports > 0n);
};

for (const [goal, amountsOf] of Object.entries({
  unstake: unstakeAmounts,
  'withdraw-amount': withdrawAmounts,
}))
  test(`PLAN-1: the amounts shown as reachable by ${goal} are exactly those that are planned`, () => {
    const prepared = preparedTruth();
    let [reachable, unreachable, severalRanges] = [0, 0, 0];
    for (const seed of truthSeeds(FIRST_SEED + 3_000_000, WORLDS)) {
      const random = createTruthRandom(seed);
      const planWorld = planWorldOf(drawnPlanWorld(random, 1 + random.int(8), prepared));
      const ranges = amountsOf(planWorld).ranges.filter(({ high }) => high > 0n);
      if (ranges.length > 1) severalRanges += 1;
      const tried = Array.from({ length: Math.min(ranges.length, 6) }, () => random.pick(ranges));
      for (const lamports of tried.flatMap((range) => triedAmounts(range, random))) {
        const result = planStakeChange(
          { goal: goal as 'withdraw-amount', lamports, rounding: 'exact' },
          planWorld,
        );
        // Where what cools down already brings it, nothing is to be done.
        const isShort = !result.ok && result.refusal.why === 'WALLET_SHORT';
        const isPlanned = result.ok || isShort || result.refusal.why === 'NOTHING_TO_DO';
        const { isReachable } = nearestAmounts(ranges, lamports);
        const story = () =>
          `HOLDFAST_TEST_SEED=${seed}: ${goal} ${lamports}\n${shownJson({ ranges, result, ...planWorld, chain: 0 })}`;
        if (isShort) {
          assert.ok(planWorld.walletLamports < SOL, story());
          assert.ok(
            askedWithMissing({ goal: goal as 'withdraw-amount', lamports, rounding: 'exact' }, planWorld),
            story(),
          );
        }
        // A wallet that is only short of the rent hears that, and the amount is not offered to it.
        if (!isShort || isReachable) assert.equal(isPlanned, isReachable, story());
        if (isReachable) reachable += 1;
        else unreachable += 1;
      }
    }
    if (FULL) console.log(goal, { reachable, unreachable, severalRanges });
    if (process.env.HOLDFAST_TEST_SEED) return;
    assert.ok(reachable > WORLDS && unreachable > WORLDS / 2 && severalRanges > WORLDS / 10);
  });

/** What must be true after each goal, beside that the program accepted it and every account is as planned. */
const checks: {
  readonly [G in Exclude<PlanGoal['goal'], 'unstake'>]: {
    readonly draw: (random: TruthRandom, world: PlanWorld) => Extract<PlanGoal, { readonly goal: G }>;
    readonly check: (plan: Plan, goal: Extract<PlanGoal, { readonly goal: G }>, world: PlanWorld) => void;
  };
} = {
  'withdraw-amount': {
    draw: (random, world) => {
      const all = world.accounts.reduce((sum, { lamports }) => sum + lamports, 0n);
      const part = (all * BigInt(random.int(1_000_001))) / 1_000_000n;
      return {
        goal: 'withdraw-amount',
        lamports: random.pick([part, part, random.lamports(all)]) + 1n,
        rounding: random.pick(['exact', 'atLeast']),
      };
    },
    check: (plan, { lamports, rounding }, world) => {
      const { cost, wallet } = plan;
      const opened = plan.accountsAfter.filter(
        (one) => !world.accounts.some(({ address }) => address === one.address),
      );
      const rent = BigInt(opened.length) * world.chain.stakeRentLamports;
      const now = wallet.afterLamports - wallet.beforeLamports + cost.feesLamports + rent;
      const newlyCooling =
        stayingLamports(world.accounts) - stayingLamports(plan.accountsAfter) - neverEffective(plan, world);
      const waiting = plan.laterSteps.reduce(
        (sum, { account }) => sum + withdrawableOf(account, plan, world),
        0n,
      );
      const coming = now + newlyCooling + waiting;
      if (rounding === 'exact' && plan.laterSteps.length === 0) assert.equal(coming, lamports);
      else assert.ok(coming >= lamports, `${coming} < ${lamports}`);
      // What is free or never was effective comes now and is not made to wait.
      assert.ok(now <= lamports || rounding === 'atLeast', `${now} now of ${lamports}`);
    },
  },
  undo: {
    draw: (random, world) => {
      const cooling = world.accounts.filter(
        ({ delegation }) => delegation?.deactivationEpoch === world.chain.epoch,
      );
      const all = cooling.reduce((sum, { delegation }) => sum + delegation!.stakeLamports, 0n);
      return random.chance(0.5)
        ? { goal: 'undo' }
        : { goal: 'undo', lamports: (all * BigInt(random.int(1_000_001))) / 1_000_000n + 1n };
    },
    check: (plan, { lamports }, world) => {
      const more = stayingLamports(plan.accountsAfter) - stayingLamports(world.accounts);
      if (lamports !== undefined) assert.equal(more, lamports);
      else assert.ok(more > 0n);
      assert.ok(plan.wallet.afterLamports <= plan.wallet.beforeLamports - plan.cost.feesLamports);
    },
  },
  restake: {
    draw: () => ({ goal: 'restake' }),
    check: (plan, _, world) => {
      const inactive = (accounts: readonly MachineAccount[]) =>
        accounts.filter((one) => isHeldBy(one, world) && mergeClassOf(one, world.chain) === 'inactive');
      const least = world.chain.minimumDelegationLamports + world.chain.stakeRentLamports;
      for (const { lamports } of inactive(plan.accountsAfter)) assert.ok(lamports < least);
      assert.equal(plan.wallet.afterLamports, plan.wallet.beforeLamports - plan.cost.feesLamports);
    },
  },
  'top-up': {
    draw: (random) => ({
      ...{ goal: 'top-up', lamports: 1n + random.lamports(3n * SOL), isSingle: random.chance(0.3) },
    }),
    check: (plan, { lamports, isSingle }, world) => {
      const { stakeRentLamports: rent, minimumDelegationLamports: minimum } = world.chain;
      const [first] = plan.transactions;
      const [{ account: opened }] = first!.operations as [Extract<MachineOperation, { type: 'create' }>];
      // The address is in use once the first transaction landed: a second one with the same address fails.
      const afterFirst = plan.transactions.length > 1 ? null : plan.accountsAfter;
      if (afterFirst !== null) {
        assert.ok(lamports < rent + minimum || isSingle);
        assert.equal(afterFirst.find(({ address }) => address === opened)?.lamports, rent);
        assert.deepEqual(
          plan.laterSteps.map(({ account, action }) => [account, action]),
          [[opened, 'withdraw']],
        );
      } else assert.ok(lamports >= rent + minimum);
      const grown = plan.accountsAfter.find(({ address }) => {
        const last = plan.transactions.at(-1)!.operations.at(-1)!;
        return 'account' in last && address === last.account;
      }) as StakeAccount;
      const before = world.accounts.find(({ address }) => address === grown.address)!;
      const idle = before.lamports - rent - before.delegation!.stakeLamports;
      assert.equal(
        stayingLamports(plan.accountsAfter) - stayingLamports(world.accounts),
        lamports + (afterFirst !== null ? idle : 0n),
      );
    },
  },
  tidy: {
    draw: () => ({ goal: 'tidy' }),
    check: (plan, _, world) => {
      const own = plan.accountsAfter.filter((one) => isHeldBy(one, world)) as StakeAccount[];
      // No two that the program would still merge: as many accounts as classes.
      for (const one of own)
        for (const other of own)
          if (one !== other)
            assert.ok(!combinesWith(one, other, world), `${one.address} and ${other.address}`);
      const active = (accounts: readonly MachineAccount[]) =>
        stayingLamports(
          accounts.filter((one) => isHeld(one) && mergeClassOf(one, world.chain) !== 'activating'),
        );
      assert.equal(active(plan.accountsAfter), active(world.accounts));
      assert.deepEqual(plan.cancelsActivationOf, []);
      assert.ok(plan.wallet.afterLamports >= plan.wallet.beforeLamports - plan.cost.feesLamports);
    },
  },
  sweep: {
    draw: (random) =>
      random.pick([
        { goal: 'sweep', to: 'wallet' },
        { goal: 'sweep', to: 'activating' },
        { goal: 'sweep', to: 'stake', addedLamports: random.pick([0n, SOL, 5n * SOL]) },
      ]),
    check: (plan, { to }, world) => {
      if (to === 'activating') {
        assert.equal(plan.wallet.afterLamports, plan.wallet.beforeLamports - plan.cost.feesLamports);
        assert.ok(stayingLamports(plan.accountsAfter) > stayingLamports(world.accounts));
        return;
      }
      for (const { address } of world.accounts.filter((one) => one.withdrawAuthority === world.wallet)) {
        const after = plan.accountsAfter.find((one) => one.address === address) as StakeAccount;
        if (isLocked(after, world) || mergeClassOf(after, world.chain) === 'inactive') continue;
        assert.ok(freeLamports(after, world) <= 0n);
      }
      const added = stayingLamports(plan.accountsAfter) - stayingLamports(world.accounts);
      if (to === 'wallet') assert.equal(added, 0n);
      else assert.ok(added >= world.chain.minimumDelegationLamports);
    },
  },
  migrate: {
    draw: () => ({ goal: 'migrate' }),
    check: (plan, _, world) => {
      for (const one of plan.accountsAfter) {
        if (!isHeld(one) || one.withdrawAuthority !== world.wallet || one.delegation === null) continue;
        const { delegation, address } = one;
        if (delegation.voteAccount === world.voteAccount) continue;
        if (plan.blocked.some(({ account }) => account === address)) continue;
        assert.ok(!isStaying(one), `${address} still earns elsewhere`);
        assert.ok(
          plan.laterSteps.some(({ account, action }) => account === address && action === 'delegate'),
        );
      }
    },
  },
  rescue: {
    draw: () => ({ goal: 'rescue' }),
    check: (plan, _, world) => {
      for (const one of plan.accountsAfter)
        if (isHeld(one) && one.withdrawAuthority === world.wallet)
          assert.equal(one.stakeAuthority, world.wallet);
      assert.equal(plan.wallet.afterLamports, plan.wallet.beforeLamports - plan.cost.feesLamports);
    },
  },
  'withdraw-all': {
    draw: () => ({ goal: 'withdraw-all' }),
    check: (plan, _, world) => {
      assert.ok(!plan.accountsAfter.some((one) => isHeld(one) && isReleased(one, world)));
      assert.ok(plan.accountsAfter.length < world.accounts.length);
      assert.equal(stayingLamports(plan.accountsAfter), stayingLamports(world.accounts));
    },
  },
};

/** Stake that was taken out before any of it was effective. */
const neverEffective = (plan: Plan, world: PlanWorld): bigint => {
  const activating = (accounts: readonly MachineAccount[]) =>
    stayingLamports(accounts.filter((one) => isHeld(one) && mergeClassOf(one, world.chain) === 'activating'));
  return activating(world.accounts) - activating(plan.accountsAfter);
};

/** What a cooling account brings beside what is free of it now. */
const withdrawableOf = (address: Address, plan: Plan, world: PlanWorld): bigint => {
  const account = plan.accountsAfter.find((one) => one.address === address) as StakeAccount;
  const free = freeLamports(account, world);
  return account.lamports - (free > 0n ? free : 0n);
};

const GOAL_WORLDS = FULL ? 2_000 : 50;

for (const [goal, { draw, check }] of Object.entries(checks))
  test(`${goal === 'tidy' ? 'PLAN-2' : 'PLAN-1'}: in ${GOAL_WORLDS} worlds a plan to ${goal} is accepted, exact and does what was asked`, () => {
    const prepared = preparedTruth();
    const counts = new Map<string, number>();
    for (const seed of truthSeeds(FIRST_SEED + 1_000_000, GOAL_WORLDS)) {
      const random = createTruthRandom(seed);
      const world = drawnPlanWorld(random, 1 + random.int(10), prepared);
      const planWorld = planWorldOf(world);
      const wanted = draw(random, planWorld);
      const story = () =>
        `HOLDFAST_TEST_SEED=${seed} ${shownJson(wanted)}\n${shownJson({ ...planWorld, chain: planWorld.chain.epoch })}`;
      try {
        const result = planStakeChange(wanted, planWorld);
        const what = result.ok ? 'accepted' : `refused: ${result.refusal.why}`;
        counts.set(what, (counts.get(what) ?? 0) + 1);
        if (!result.ok) continue;
        runPlan(result.plan, wanted.goal, planWorld, world, () => shownJson(result.plan));
        check(result.plan, wanted as never, planWorld);
      } catch (error) {
        throw new Error(story(), { cause: error });
      }
    }
    if (FULL) console.log(goal, Object.fromEntries([...counts].sort()));
    if (process.env.HOLDFAST_TEST_SEED) return;
    assert.ok((counts.get('accepted') ?? 0) >= GOAL_WORLDS / 10, JSON.stringify([...counts]));
  });

const planStakeOf = (goal: PlanGoal, world: PlanWorld): Plan['transactions'] => {
  const result = planStakeChange(goal, world);
  assert.ok(result.ok, shownJson(result));
  return result.plan.transactions;
};

/** A wallet with so many cooled accounts of so many lamports beside their rent. */
const cooledWorld = (seed: number, lamports: readonly bigint[]) => {
  const prepared = preparedTruth();
  const world = new MachineWorld(prepared.runtime, prepared.keys, createTruthRandom(seed));
  world.setWallet(world.keys.owner, 10n * SOL);
  for (const stakeLamports of lamports) {
    const delegation = {
      ...{ voteAccount: world.keys.votes[0]!, stakeLamports },
      ...{ activationEpoch: 0n, deactivationEpoch: 0n },
    };
    world.runtime.setAccount({
      ...{ address: world.newAddress(), owner: STAKE_PROGRAM },
      lamports: stakeLamports + world.runtime.stakeRentLamports,
      data: stakeAccountBytes({ wallet: world.keys.owner, delegation }),
    });
  }
  return world;
};

for (const { name, lamports, transactions } of [
  {
    name: 'of 40 accounts ends every transaction that merges with the delegation of its target',
    lamports: Array.from({ length: 40 }, () => SOL / 4n),
    transactions: ['delegated', 'delegated', 'delegated'],
  },
  {
    name: 'of 40 accounts that one transaction cannot bring to the minimum withdraws them into a new stake',
    lamports: Array.from({ length: 40 }, () => SOL / 30n),
    transactions: ['withdrawn', 'withdrawn', 'delegated'],
  },
])
  test(`PLAN-1: a restake ${name}`, () => {
    const world = cooledWorld(FIRST_SEED + lamports.length + Number(lamports[0]! % 1_000n), lamports);
    const planWorld = planWorldOf(world);
    const result = planStakeChange({ goal: 'restake' }, planWorld);
    assert.ok(result.ok);
    const { plan } = result;
    const shape = ({ operations }: (typeof plan.transactions)[number]): string =>
      operations.at(-1)!.type === 'delegate'
        ? 'delegated'
        : operations.every(({ type }) => type === 'withdraw')
          ? 'withdrawn'
          : shownJson(operations);
    assert.deepEqual(plan.transactions.map(shape), transactions);
    const messages = plan.transactions.map(({ operations }) => messageOf(operations, planWorld));
    const request = requestOfGoal({ goal: 'restake' }, planWorld);
    const checked = checkEffects(request, messages, nodeFactsOf(planWorld));
    assert.deepEqual([checked.problems, checked.unknowns], [[], []]);
    const { problems, effects } = checkEffects(request, messages, null);
    assert.deepEqual(problems, []);
    // The review names the account that is delegated with all that it holds.
    const { account } = plan.transactions[0]!.operations[0] as Extract<MachineOperation, { type: 'merge' }>;
    assert.deepEqual(effects.fullyDelegated, transactions[0] === 'delegated' ? [account] : []);
    assert.equal(effects.rentLamports, 0n);
    const held = plan.accountsBefore.reduce((sum, one) => sum + one.lamports, 0n);
    runPlan(plan, 'restake', planWorld, world, () => shownJson(plan));
    assert.deepEqual(
      plan.accountsAfter.map((one) => (one as StakeAccount).delegation?.stakeLamports),
      [held - planWorld.chain.stakeRentLamports],
    );
  });

for (const lamports of [SOL / 2n, 2n * SOL])
  test(`PLAN-1: the first transaction of a top-up of ${lamports} lamports cannot land a second time`, () => {
    const world = cooledWorld(FIRST_SEED + 77, [3n * SOL]);
    const { runtime, keys } = world;
    const send = (operations: readonly MachineOperation[]) =>
      runtime.run(operations.map(instructionOf), keys.owner);
    const [again] = planStakeOf({ goal: 'restake' }, planWorldOf(world));
    assert.equal(send(again!.operations), null);
    const planWorld = planWorldOf(world);
    const goal = { goal: 'top-up', lamports } as const;
    const transactions = planStakeOf(goal, planWorld);
    const [first, second] = transactions;
    const { effects } = checkEffects(
      requestOfGoal(goal, planWorld),
      transactions.map(({ operations }) => messageOf(operations, planWorld)),
      null,
    );
    const [grown] = [...world.accounts().stakes.keys()];
    const isSmall = lamports < SOL;
    assert.deepEqual(
      [effects.newAccounts.length, effects.rentLamports, effects.fullyDelegated],
      [1, isSmall ? runtime.stakeRentLamports : 0n, isSmall ? [grown] : []],
    );
    assert.equal(send(first!.operations), null);
    const before = world.accounts();
    assert.match(JSON.stringify(send(first!.operations)), /Custom 0/);
    assert.deepEqual(world.accounts().stakes, before.stakes);
    if (second !== undefined) assert.equal(send(second.operations), null);
  });
