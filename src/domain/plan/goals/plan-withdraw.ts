// Plans withdrawals: closes every account without stake, or withdraws an amount as early as possible. Uses
// free SOL first, then stake that was never effective, then stake that must be deactivated.
import type { MachineOperation } from '../../machine/stake-machine-state.ts';
import type { StakeAccount } from '../../stake/stake-account.ts';
import { nearestAmounts, planNextLarger } from '../amount-ranges.ts';
import { divideAmount, type Part } from '../divide-amount.ts';
import type { MergeGroup } from '../divide-group.ts';
import type { AtomicStep, DraftOrRefusal, PlanDraft, PlanInputs } from '../plan.ts';
import {
  blockedUntilReleased,
  createAccount,
  freeLamports,
  isReleased,
  payableAccounts,
  withdrawAll,
  withdrawPart,
} from '../plan-accounts.ts';
import { MAX_SPLITS } from '../plan-goals.ts';
import {
  activeWorld,
  alreadyDeactivating,
  freeTotal,
  neverEffectiveEach,
  neverEffectiveGroups,
  releasedAccounts,
  withdrawableAccounts,
} from '../withdraw-amount-sources.ts';
import { withdrawAmounts } from '../withdraw-amounts.ts';
import { exactUnstake, type UnstakeGoal, unstakeAmounts } from './plan-unstake.ts';

/** Closes every account that the wallet can close now. */
export const planWithdrawReady = (world: PlanInputs): DraftOrRefusal => ({
  steps: world.accounts.filter((one) => isReleased(one, world)).map((one) => [withdrawAll(one, world)]),
  blocked: world.accounts
    .filter((one) => one.withdrawAuthority === world.wallet && !isReleased(one, world))
    .flatMap((one) => blockedUntilReleased(one, world)),
});

/** Steps, and the lamports that they bring into the wallet. */
interface Taken {
  readonly steps: readonly AtomicStep[];
  readonly lamports: bigint;
}

/**
 * Takes `lamports` from free SOL. Returns null if that would leave an account below its rent-exempt minimum.
 * Closes accounts without stake, largest first (or smallest first if that does not add up), and takes the
 * rest from accounts that stay open.
 */
const takeFree = (lamports: bigint, world: PlanInputs): readonly AtomicStep[] | null => {
  const sources = withdrawableAccounts(world);
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

/**
 * Takes from stakes that were never effective: exactly `lamports` if some combination allows it, otherwise
 * whole stakes as long as they fit.
 */
const takeNeverEffective = (lamports: bigint, world: PlanInputs, newAccounts: number): Taken => {
  const groups = neverEffectiveGroups(world, newAccounts);
  const exact = divideAmount(groups, lamports, ({ group, lamports: part }) =>
    group.choices.has(part) ? 2 : 4,
  );
  const parts = exact ?? wholeParts(neverEffectiveEach(world), lamports);
  return {
    steps: parts.map(({ group, lamports: part }) => endNeverEffective(group, part, world)),
    lamports: parts.reduce((sum, one) => sum + one.lamports, 0n),
  };
};

/** Takes whole stakes in the order of `groups` as long as they fit. */
const wholeParts = (groups: readonly MergeGroup[], lamports: bigint): readonly Part[] => {
  const parts: Part[] = [];
  let left = lamports;
  for (const group of groups) {
    const bound = [...group.choices.keys()].at(-1)!;
    if (bound > left) continue;
    parts.push({ group, lamports: bound });
    left -= bound;
  }
  return parts;
};

/** Closes the account, or splits the part off into a new account and closes that account. */
const endNeverEffective = (
  { accounts, choices }: MergeGroup,
  lamports: bigint,
  world: PlanInputs,
): AtomicStep => {
  const { chain, wallet } = world;
  const [parent] = accounts;
  const deactivate = (account: StakeAccount['address']): MachineOperation => ({
    type: 'deactivate',
    account,
    authority: wallet,
  });
  if (choices.has(lamports)) return [deactivate(parent!.address), withdrawPart(parent!, lamports, world)];
  const account = world.newAddress(0);
  const rent = chain.stakeRentLamports;
  return [
    createAccount(account, rent, world),
    { type: 'split', account: parent!.address, into: account, lamports, authority: wallet },
    deactivate(account),
    // The new account inherits its source's lockup.
    { ...withdrawPart(parent!, lamports + rent, world), account },
  ];
};

/** Plans exactly `lamports` as early as possible; null if impossible. */
const exactWithdrawAmount = (lamports: bigint, world: PlanInputs, newAccounts: number): PlanDraft | null => {
  const free = freeTotal(world);
  if (lamports <= free) {
    const taken = takeFree(lamports, world);
    return taken && { amountLamports: lamports, steps: taken };
  }
  const never = takeNeverEffective(lamports - free, world, newAccounts);
  const cooling = alreadyDeactivating(world);
  const now = free + never.lamports + cooling.lamports;
  const allFree = takeFree(free, world)!;
  if (lamports <= now)
    return {
      amountLamports: lamports,
      steps: [...allFree, ...never.steps],
      laterSteps: lamports > free + never.lamports ? cooling.laterSteps : [],
    };
  const active = activeWorld(world);
  const rest = exactUnstake(lamports - now, active, newAccounts);
  if (rest !== null)
    return {
      amountLamports: lamports,
      steps: [...allFree, ...never.steps, ...rest.steps],
      laterSteps: cooling.laterSteps,
    };
  const { above } = nearestAmounts(unstakeAmounts(active).ranges, lamports - now);
  // Closing stakes that were never effective is only planned together with withdrawing all free SOL.
  if (above === null || never.steps.length > 0) return null;
  // Slightly more stake is deactivated than needed, so correspondingly less free SOL is taken.
  const less = takeFree(lamports - above - cooling.lamports, world);
  const more = exactUnstake(above, active, newAccounts);
  if (less === null || more === null) return null;
  return { amountLamports: lamports, steps: [...less, ...more.steps], laterSteps: cooling.laterSteps };
};

/**
 * Plans how to bring `lamports` into the wallet, not counting fees: exactly that amount or, with `atLeast`,
 * the next larger possible amount.
 */
export const planWithdrawAmount = (goal: UnstakeGoal, world: PlanInputs): DraftOrRefusal => {
  const { lamports } = goal;
  const payable = payableAccounts(activeWorld(world));
  // If only the wallet's balance is too low, the shortfall is reported; no other amount is proposed or used.
  for (const newAccounts of new Set([payable, Math.min(payable + 1, MAX_SPLITS)])) {
    const exact = exactWithdrawAmount(lamports, world, newAccounts);
    if (exact !== null) return exact;
  }
  return planNextLarger(goal, withdrawAmounts(world), (above) => exactWithdrawAmount(above, world, payable));
};
