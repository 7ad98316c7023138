// Plans the deactivation of an exact amount of stake, or of the next larger possible amount. Which accounts it
// takes is decided in divide-amount.ts.
import type { Address } from '@solana/kit';
import { mergeClassOf, sameOwnership } from '../../machine/merge-class.ts';
import type { StakeAccount } from '../../stake/stake-account.ts';
import { planNextLarger, type ReachableAmounts } from '../amount-ranges.ts';
import { divideAmount, type Part, reachableAmounts } from '../divide-amount.ts';
import {
  type DivideFacts,
  deactivateFrom,
  limitSplits,
  type MergeGroup,
  mergeGroupOf,
} from '../divide-group.ts';
import type { DraftOrRefusal, PlanDraft, PlanInputs } from '../plan.ts';
import {
  canBeDivided,
  combinedGroups,
  draftWithAccounts,
  isLocked,
  isNotDeactivating,
  ownAccounts,
  payableAccounts,
} from '../plan-accounts.ts';
import { MAX_SPLITS } from '../plan-goals.ts';
import { MAX_PLANNED_BYTES, transactionBytes } from '../transaction-size.ts';

export interface UnstakeGoal {
  readonly lamports: bigint;
  /** `atLeast` accepts the nearest larger amount if this one is not possible. */
  readonly rounding: 'exact' | 'atLeast';
}

/** Builds the groups that stake can be taken from. */
const groupsOf = (accounts: readonly StakeAccount[], world: PlanInputs): readonly MergeGroup[] => {
  const minimum = world.chain.minimumDelegationLamports;
  const divisible = accounts.filter((one) => canBeDivided(one, world));
  const whole = accounts.filter((one) => !canBeDivided(one, world));
  return [
    ...combinedGroups(divisible, world).flatMap((group): readonly MergeGroup[] =>
      mergeClassOf(group[0]!, world.chain) === 'active'
        ? [mergeGroupOf(group, 'move', minimum)]
        : group.map((one) => mergeGroupOf([one], 'split', minimum)),
    ),
    ...whole.map((one) => mergeGroupOf([one], 'whole', minimum)),
  ];
};

/**
 * Assigns to each group of one account an inactive account that can receive stake. Each inactive account is
 * used once.
 */
const emptyAccountsFor = (
  groups: readonly MergeGroup[],
  world: PlanInputs,
): ReadonlyMap<MergeGroup, Address> => {
  const inactive = ownAccounts(world).filter((one) => mergeClassOf(one, world.chain) === 'inactive');
  const emptyAccounts = new Map<MergeGroup, Address>();
  for (const group of groups) {
    if (group.method !== 'move' || group.accounts.length > 1) continue;
    const index = inactive.findIndex((one) => sameOwnership(one, group.accounts[0]!, world.chain));
    if (index >= 0) emptyAccounts.set(group, inactive.splice(index, 1)[0]!.address);
  }
  return emptyAccounts;
};

interface Source {
  readonly groups: readonly MergeGroup[];
  readonly emptyAccounts: ReadonlyMap<MergeGroup, Address>;
}

/** Returns the accounts for which the wallet holds both authorities. */
const unstakableAccounts = (world: PlanInputs): readonly StakeAccount[] =>
  ownAccounts(world).filter(isNotDeactivating);

/** Builds groups of `accounts`. At most `newAccounts` of them may be divided with a new account. */
const sourceOf = (accounts: readonly StakeAccount[], world: PlanInputs, newAccounts: number): Source => {
  const found = groupsOf(accounts, world);
  const emptyAccounts: ReadonlyMap<MergeGroup, Address> =
    newAccounts > 0 ? new Map() : emptyAccountsFor(found, world);
  const needsAccount = (group: MergeGroup): boolean =>
    group.accounts.length === 1 && !emptyAccounts.has(group);
  const groups = limitSplits(found, newAccounts, needsAccount, (account) => isLocked(account, world));
  return { groups, emptyAccounts };
};

/** Lists all amounts, including 0, for which `planUnstake` has an exact plan that the wallet can pay for. */
export const unstakeAmounts = (world: PlanInputs): ReachableAmounts =>
  reachableAmounts(sourceOf(unstakableAccounts(world), world, payableAccounts(world)).groups);

/** Plans exactly `lamports` from `accounts`; null if impossible. */
const exactFrom = (
  accounts: readonly StakeAccount[],
  lamports: bigint,
  world: PlanInputs,
  newAccounts: number,
): PlanDraft | null => {
  const { minimumDelegationLamports: minimum, stakeRentLamports } = world.chain;
  const { groups, emptyAccounts } = sourceOf(accounts, world, newAccounts);
  let created = 0;
  const factsOf = (group: MergeGroup, newAddress: DivideFacts['newAddress']): DivideFacts => ({
    wallet: world.wallet,
    minimumDelegationLamports: minimum,
    stakeRentLamports,
    emptyAccount: emptyAccounts.get(group) ?? null,
    newAddress,
    seedOf: world.seedOf,
    fits: (operations) => transactionBytes(world, operations) <= MAX_PLANNED_BYTES,
  });
  const costOf = ({ group, lamports: part }: Part): number =>
    deactivateFrom(
      group,
      part,
      factsOf(group, () => world.wallet),
    ).reduce((sum, step) => sum + step.length, 0);
  const parts = divideAmount(groups, lamports, costOf);
  if (parts === null) return null;
  return {
    amountLamports: lamports,
    steps: parts.flatMap(({ group, lamports: part }) => {
      const newAddress = () => world.newAddress(created++);
      return deactivateFrom(group, part, factsOf(group, newAddress));
    }),
  };
};

/**
 * Maximum number of instructions of a plan that is preferred to `draft`. Guarantee PLAN-1b allows one more than
 * necessary.
 */
const mostInstructions = ({ steps }: PlanDraft): number => {
  const operations = steps.flat();
  // A new account already takes one instruction more than a move to an inactive account.
  const hasSpare = !operations.some(({ type }) => type === 'create');
  return operations.length + (hasSpare ? 1 : 0);
};

/**
 * Plans exactly `lamports` with at most `newAccounts` new accounts; null if impossible. Prefers activating
 * stake, which earns nothing yet and is available immediately.
 */
export const exactUnstake = (lamports: bigint, world: PlanInputs, newAccounts: number): PlanDraft | null => {
  if (lamports <= 0n) return null;
  const accounts = unstakableAccounts(world);
  const draft = exactFrom(accounts, lamports, world, newAccounts);
  const activating = accounts.filter(
    (one) => mergeClassOf(one, world.chain) === 'activating' && !isLocked(one, world),
  );
  if (draft === null || activating.length === 0 || activating.length === accounts.length) return draft;
  const preferred = exactFrom(activating, lamports, world, newAccounts);
  return preferred !== null && preferred.steps.flat().length <= mostInstructions(draft) ? preferred : draft;
};

/** Plans the deactivation across all accounts for which the wallet holds both authorities. */
export const planUnstake = (goal: UnstakeGoal, world: PlanInputs): DraftOrRefusal => {
  const { lamports } = goal;
  const payable = payableAccounts(world);
  // If only the wallet's balance is too low, `finishPlan` reports the shortfall of this draft; no other
  // amount is proposed or used.
  const exact = draftWithAccounts([payable, Math.min(payable + 1, MAX_SPLITS), MAX_SPLITS], (newAccounts) =>
    exactUnstake(lamports, world, newAccounts),
  );
  if (exact !== null) return exact;
  return planNextLarger(goal, unstakeAmounts(world), (above) => exactUnstake(above, world, payable));
};
