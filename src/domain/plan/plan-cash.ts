// Plans the earliest withdrawal of an amount: first what is free, then what was never effective, then what must cool down.
import { mergeClassOf } from '../machine/merge-class.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import { stakeOf } from './divide-pool.ts';
import type { AtomicStep, Drafted, LaterStep, PlanWorld } from './plan.ts';
import {
  blockedUntilReleased,
  byStake,
  freeLamports,
  isLocked,
  isStaying,
  ownAccounts,
  withdrawAll,
  withdrawPart,
} from './plan-accounts.ts';
import { planUnstake, type UnstakeGoal } from './plan-unstake.ts';

/** Steps, and what they bring into the wallet. */
interface Taken {
  readonly steps: readonly AtomicStep[];
  readonly lamports: bigint;
}

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);

const byLamports = (one: StakeAccount, other: StakeAccount): number =>
  one.lamports === other.lamports ? byStake(one, other) : one.lamports > other.lamports ? -1 : 1;

const withdrawable = (world: PlanWorld): readonly StakeAccount[] =>
  world.accounts.filter((one) => one.withdrawAuthority === world.wallet && !isLocked(one, world));

/** The whole is taken, or at most so much that the account keeps its rent. */
const mostOf = (account: StakeAccount, world: PlanWorld): bigint =>
  mergeClassOf(account, world.chain) === 'inactive' ? account.lamports : freeLamports(account, world);

/**
 * Takes `lamports` out of what is free, or null where that leaves an account with a part of its rent: accounts that are released go
 * whole, smallest first where that is needed to get near the sum, and the rest comes out of those that stay.
 */
const takeFree = (lamports: bigint, world: PlanWorld): readonly AtomicStep[] | null => {
  const sources = withdrawable(world).filter((one) => mostOf(one, world) > 0n);
  const released = sources.filter((one) => mergeClassOf(one, world.chain) === 'inactive').sort(byLamports);
  for (const order of [released, [...released].reverse()]) {
    const whole = new Set<StakeAccount>();
    let left = lamports;
    for (const account of order) {
      if (account.lamports > left) continue;
      whole.add(account);
      left -= account.lamports;
    }
    const parts: AtomicStep[] = [];
    const others = sources
      .filter((one) => !whole.has(one))
      .sort((one, other) => (freeLamports(one, world) > freeLamports(other, world) ? -1 : 1));
    for (const account of others) {
      const free = freeLamports(account, world);
      const part = free < left ? free : left;
      if (part <= 0n) continue;
      parts.push([withdrawPart(account, part, world)]);
      left -= part;
    }
    if (left === 0n) return [...[...whole].map((one) => [withdrawAll(one, world)]), ...parts];
  }
  return null;
};

/** All that is free. */
const freeTotal = (world: PlanWorld): bigint => total(withdrawable(world).map((one) => mostOf(one, world)));

/** Closes accounts that were never effective while they fit, and sets the rest apart from one that does not. */
const takeNeverEffective = (lamports: bigint, world: PlanWorld): Taken => {
  const { chain, wallet } = world;
  const minimum = chain.minimumDelegationLamports;
  const activating = ownAccounts(world)
    .filter((one) => mergeClassOf(one, chain) === 'activating' && isStaying(one) && !isLocked(one, world))
    .sort(byLamports);
  const steps: AtomicStep[] = [];
  let taken = 0n;
  const deactivate = (account: StakeAccount['address']): MachineOperation => ({
    type: 'deactivate',
    account,
    authority: wallet,
  });
  const rest: StakeAccount[] = [];
  for (const account of activating) {
    // What lies idle in it has been taken as free.
    const boundLamports =
      account.lamports - (freeLamports(account, world) > 0n ? freeLamports(account, world) : 0n);
    if (boundLamports > lamports - taken) {
      rest.push(account);
      continue;
    }
    steps.push([deactivate(account.address), withdrawPart(account, boundLamports, world)]);
    taken += boundLamports;
  }
  const left = lamports - taken;
  const parent = rest.findLast((one) => stakeOf(one) - left >= minimum);
  if (left < minimum || parent === undefined) return { steps, lamports: taken };
  const account = world.newAddress(0);
  const rent = chain.stakeRentLamports;
  steps.push([
    { type: 'create', account, payer: wallet, lamports: rent },
    { type: 'split', account: parent.address, into: account, lamports: left, authority: wallet },
    deactivate(account),
    { type: 'withdraw', account, to: wallet, lamports: left + rent, authority: wallet },
  ]);
  return { steps, lamports: lamports };
};

/** What is cooling down already comes by itself; smaller than the amount, it saves deactivating as much. */
const coolingAlready = (
  world: PlanWorld,
): { readonly lamports: bigint; readonly laterSteps: readonly LaterStep[] } => {
  const cooling = withdrawable(world).filter(
    (one) => mergeClassOf(one, world.chain) === 'transient' && !isStaying(one),
  );
  return {
    lamports: total(cooling.map((one) => one.lamports - positive(freeLamports(one, world)))),
    laterSteps: cooling.flatMap((one) =>
      blockedUntilReleased(one, world).map(({ account, possibleFromEpoch }) => ({
        account,
        action: 'withdraw' as const,
        epoch: possibleFromEpoch!,
      })),
    ),
  };
};

const positive = (lamports: bigint): bigint => (lamports > 0n ? lamports : 0n);

/** Plans `lamports` into the wallet; fees are not counted. Stake that has to cool down is exact or, `atLeast`, a little more. */
export const planCash = (goal: UnstakeGoal, world: PlanWorld): Drafted => {
  const { lamports, rounding } = goal;
  const free = freeTotal(world);
  if (lamports <= free) return onlyFree(goal, world);
  const never = takeNeverEffective(lamports - free, world);
  const cooling = coolingAlready(world);
  const now = free + never.lamports + cooling.lamports;
  const sooner = (freed: bigint): readonly AtomicStep[] | null => {
    const taken = takeFree(freed, world);
    return taken === null ? null : [...taken, ...never.steps];
  };
  if (lamports <= now)
    return {
      steps: sooner(free)!,
      laterSteps: lamports > free + never.lamports ? cooling.laterSteps : [],
    };
  const active = ownAccounts(world).filter(
    (one) => isStaying(one) && mergeClassOf(one, world.chain) !== 'activating' && !isLocked(one, world),
  );
  const coolDown = (amount: bigint, how: UnstakeGoal['rounding']): Drafted =>
    planUnstake(
      { lamports: amount, rounding: how },
      {
        ...world,
        // Accounts that are free are closed by then, and what they held is in the wallet.
        accounts: active,
        walletLamports: world.walletLamports + free,
        newAddress: (index) => world.newAddress(index + 1),
      },
    );
  const exact = coolDown(lamports - now, 'exact');
  if (!('refusal' in exact))
    return { steps: [...sooner(free)!, ...exact.steps], laterSteps: cooling.laterSteps };
  const { refusal } = exact;
  if (refusal.why !== 'AMOUNT_NOT_REACHABLE') return exact;
  const { nearestBelowLamports: below, nearestAboveLamports: above } = refusal;
  if (above !== null) {
    // A little more has to cool down, so a little less of what is free is taken, or with `atLeast` all the same.
    const more = coolDown(above, 'exact');
    // Accounts that are closed now need all that is free of them taken.
    const less = never.steps.length === 0 ? sooner(lamports - above - cooling.lamports) : null;
    const taken = less ?? (rounding === 'atLeast' ? sooner(free) : null);
    if (!('refusal' in more) && taken !== null)
      return { steps: [...taken, ...more.steps], laterSteps: cooling.laterSteps };
  }
  return refusedBetween(now + (below ?? 0n), above === null ? null : now + above);
};

/** The amount is free, but perhaps not exactly: an account would be left with a part of its rent. */
const onlyFree = ({ lamports, rounding }: UnstakeGoal, world: PlanWorld): Drafted => {
  const taken = takeFree(lamports, world);
  if (taken !== null) return { steps: taken };
  const { below, above } = freeNeighbours(lamports, world);
  const more = rounding === 'atLeast' ? takeFree(above, world) : null;
  return more !== null ? { steps: more } : refusedBetween(below, above);
};

/** What can be taken exactly just under and over an amount that cannot: with the smallest accounts closed, the others keep their rent. */
const freeNeighbours = (
  lamports: bigint,
  world: PlanWorld,
): { readonly below: bigint; readonly above: bigint } => {
  const held = (one: StakeAccount): bigint => one.lamports - positive(freeLamports(one, world));
  const released = withdrawable(world).filter((one) => mergeClassOf(one, world.chain) === 'inactive');
  let above = 0n;
  let below = freeTotal(world) - total(released.map(held));
  for (const account of released.sort(byLamports).reverse()) {
    above += account.lamports;
    if (above > lamports) break;
    below += held(account);
  }
  return { below, above };
};

const refusedBetween = (below: bigint | null, above: bigint | null): Drafted => ({
  refusal: {
    why: 'AMOUNT_NOT_REACHABLE',
    nearestBelowLamports: below !== null && below > 0n ? below : null,
    nearestAboveLamports: above,
  },
});
