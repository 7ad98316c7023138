// Plans the earliest withdrawal of an amount: first what is free, then what was never effective, then what must cool down.
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import { stakeOf } from './divide-pool.ts';
import type { AtomicStep, Drafted, PlanDraft, PlanWorld } from './plan.ts';
import { canBeDivided, freeLamports, withdrawAll, withdrawPart } from './plan-accounts.ts';
import { planUnstake, type UnstakeGoal, unstakeAmounts } from './plan-unstake.ts';
import { nearestAmounts } from './reachable-amounts.ts';
import {
  activeWorld,
  boundOf,
  coolingAlready,
  freeTotal,
  neverEffective,
  releasedAccounts,
  withdrawable,
} from './withdraw-amount-sources.ts';
import { withdrawAmounts } from './withdraw-amounts.ts';

/** Steps, and what they bring into the wallet. */
interface Taken {
  readonly steps: readonly AtomicStep[];
  readonly lamports: bigint;
}

/**
 * Takes `lamports` out of what is free, or null where that leaves an account with a part of its rent: accounts that are released go
 * whole, smallest first where that is needed to get near the sum, and the rest comes out of those that stay.
 */
const takeFree = (lamports: bigint, world: PlanWorld): readonly AtomicStep[] | null => {
  const sources = withdrawable(world);
  const released = releasedAccounts(world);
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

/** Closes accounts that were never effective while they fit, and sets the rest apart from one that does not. */
const takeNeverEffective = (lamports: bigint, world: PlanWorld): Taken => {
  const { chain, wallet } = world;
  const minimum = chain.minimumDelegationLamports;
  const steps: AtomicStep[] = [];
  let taken = 0n;
  const deactivate = (account: StakeAccount['address']): MachineOperation => ({
    type: 'deactivate',
    account,
    authority: wallet,
  });
  const rest: StakeAccount[] = [];
  for (const account of neverEffective(world)) {
    const boundLamports = boundOf(account, world);
    if (boundLamports > lamports - taken) {
      rest.push(account);
      continue;
    }
    steps.push([deactivate(account.address), withdrawPart(account, boundLamports, world)]);
    taken += boundLamports;
  }
  const left = lamports - taken;
  const parent = rest.findLast((one) => canBeDivided(one, world) && stakeOf(one) - left >= minimum);
  if (left < minimum || parent === undefined) return { steps, lamports: taken };
  const account = world.newAddress(0);
  const rent = chain.stakeRentLamports;
  steps.push([
    { type: 'create', account, payer: wallet, lamports: rent },
    { type: 'split', account: parent.address, into: account, lamports: left, authority: wallet },
    deactivate(account),
    // It has its parent's lockup.
    { ...withdrawPart(parent, left + rent, world), account },
  ]);
  return { steps, lamports: lamports };
};

/** Exactly `lamports`, as soon as can be; null where that cannot be had. */
const exactWithdrawAmount = (lamports: bigint, world: PlanWorld): PlanDraft | null => {
  const free = freeTotal(world);
  if (lamports <= free) {
    const taken = takeFree(lamports, world);
    return taken && { steps: taken };
  }
  const never = takeNeverEffective(lamports - free, world);
  const cooling = coolingAlready(world);
  const now = free + never.lamports + cooling.lamports;
  const allFree = takeFree(free, world)!;
  if (lamports <= now)
    return {
      steps: [...allFree, ...never.steps],
      laterSteps: lamports > free + never.lamports ? cooling.laterSteps : [],
    };
  const active = activeWorld(world);
  const coolDown = (amount: bigint): Drafted => planUnstake({ lamports: amount, rounding: 'exact' }, active);
  const rest = coolDown(lamports - now);
  if (!('refusal' in rest))
    return { steps: [...allFree, ...never.steps, ...rest.steps], laterSteps: cooling.laterSteps };
  const { above } = nearestAmounts(unstakeAmounts(active).ranges, lamports - now);
  // Accounts that are closed now need all that is free of them taken.
  if (above === null || never.steps.length > 0) return null;
  // A little more has to cool down, so a little less of what is free is taken.
  const less = takeFree(lamports - above - cooling.lamports, world);
  const more = coolDown(above);
  if (less === null || 'refusal' in more) return null;
  return { steps: [...less, ...more.steps], laterSteps: cooling.laterSteps };
};

/** Plans `lamports` into the wallet; fees are not counted. Exact, or with `atLeast` the next amount above that can be had. */
export const planWithdrawAmount = ({ lamports, rounding }: UnstakeGoal, world: PlanWorld): Drafted => {
  const exact = exactWithdrawAmount(lamports, world);
  if (exact !== null) return { ...exact, amountLamports: lamports };
  const { ranges, isComplete } = withdrawAmounts(world);
  const { below, above } = nearestAmounts(ranges, lamports);
  const more = rounding === 'atLeast' && above !== null ? exactWithdrawAmount(above, world) : null;
  if (more !== null) return { ...more, amountLamports: above! };
  return {
    refusal: {
      why: 'AMOUNT_NOT_REACHABLE',
      ...{ nearestBelowLamports: below, nearestAboveLamports: above, isComplete },
    },
  };
};
