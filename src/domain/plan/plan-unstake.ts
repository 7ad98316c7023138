// Plans the deactivation of an exact amount of stake, or of the next larger possible amount.
import type { Address } from '@solana/kit';
import { mergeClassOf, sameOwnership } from '../machine/merge-class.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import { chooseAccounts, type Part, reachableAmounts } from './choose-accounts.ts';
import { type DivideFacts, deactivateFrom, limitSplits, type Pool, poolOf } from './divide-pool.ts';
import type { Drafted, PlanDraft, PlanWorld } from './plan.ts';
import {
  canBeDivided,
  combinedGroups,
  draftWithAccounts,
  isLocked,
  isStaying,
  ownAccounts,
  payableAccounts,
} from './plan-accounts.ts';
import { MAX_SPLITS } from './plan-goals.ts';
import { nearestAmounts, type ReachableAmounts } from './reachable-amounts.ts';
import { MAX_PLANNED_BYTES, transactionBytes } from './transaction-size.ts';

/** An amount of stake to unstake, in lamports. */
export interface UnstakeGoal {
  readonly lamports: bigint;
  /** `atLeast`: the nearest larger amount if this one is not possible. */
  readonly rounding: 'exact' | 'atLeast';
}

/** Builds the pools that stake can be taken from. */
const poolsOf = (accounts: readonly StakeAccount[], world: PlanWorld): readonly Pool[] => {
  const minimum = world.chain.minimumDelegationLamports;
  const divisible = accounts.filter((one) => canBeDivided(one, world));
  const whole = accounts.filter((one) => !canBeDivided(one, world));
  return [
    ...combinedGroups(divisible, world).flatMap((group): readonly Pool[] =>
      mergeClassOf(group[0]!, world.chain) === 'active'
        ? [poolOf(group, 'move', minimum)]
        : group.map((one) => poolOf([one], 'split', minimum)),
    ),
    ...whole.map((one) => poolOf([one], 'whole', minimum)),
  ];
};

/** Assigns an inactive account that can receive stake to each pool of one account; each is used once. */
const emptyAccountsFor = (pools: readonly Pool[], world: PlanWorld): ReadonlyMap<Pool, Address> => {
  const inactive = ownAccounts(world).filter((one) => mergeClassOf(one, world.chain) === 'inactive');
  const emptyAccounts = new Map<Pool, Address>();
  for (const pool of pools) {
    if (pool.method !== 'move' || pool.accounts.length > 1) continue;
    const index = inactive.findIndex((one) => sameOwnership(one, pool.accounts[0]!, world.chain));
    if (index >= 0) emptyAccounts.set(pool, inactive.splice(index, 1)[0]!.address);
  }
  return emptyAccounts;
};

interface Source {
  readonly pools: readonly Pool[];
  readonly emptyAccounts: ReadonlyMap<Pool, Address>;
}

/**
 * Builds pools of all accounts for which the wallet holds both authorities. At most `newAccounts` of them are
 * divided with a new account.
 */
const sourceOf = (world: PlanWorld, newAccounts: number): Source => {
  const found = poolsOf(ownAccounts(world).filter(isStaying), world);
  const emptyAccounts: ReadonlyMap<Pool, Address> =
    newAccounts > 0 ? new Map() : emptyAccountsFor(found, world);
  const needsAccount = (pool: Pool): boolean => pool.accounts.length === 1 && !emptyAccounts.has(pool);
  const pools = limitSplits(found, newAccounts, needsAccount, (account) => isLocked(account, world));
  return { pools, emptyAccounts };
};

/** Lists all amounts, including 0, for which `planUnstake` has an exact plan that the wallet can pay for. */
export const unstakeAmounts = (world: PlanWorld): ReachableAmounts =>
  reachableAmounts(sourceOf(world, payableAccounts(world)).pools);

/** Plans exactly `lamports` with at most `newAccounts` new accounts; null if impossible. */
export const exactUnstake = (lamports: bigint, world: PlanWorld, newAccounts: number): PlanDraft | null => {
  const { minimumDelegationLamports: minimum, stakeRentLamports } = world.chain;
  const { pools, emptyAccounts } = sourceOf(world, newAccounts);
  if (lamports <= 0n) return null;
  let created = 0;
  const factsOf = (pool: Pool, newAddress: DivideFacts['newAddress']): DivideFacts => ({
    wallet: world.wallet,
    minimumDelegationLamports: minimum,
    stakeRentLamports,
    emptyAccount: emptyAccounts.get(pool) ?? null,
    newAddress,
    fits: (operations) => transactionBytes(world, operations) <= MAX_PLANNED_BYTES,
  });
  const costOf = ({ pool, lamports: part }: Part): number =>
    deactivateFrom(
      pool,
      part,
      factsOf(pool, () => world.wallet),
    ).reduce((sum, step) => sum + step.length, 0);
  const parts = chooseAccounts(pools, lamports, costOf);
  if (parts === null) return null;
  return {
    amountLamports: lamports,
    steps: parts.flatMap(({ pool, lamports: part }) => {
      const newAddress = () => world.newAddress(created++);
      return deactivateFrom(pool, part, factsOf(pool, newAddress));
    }),
  };
};

/** Plans across all accounts for which the wallet holds both authorities. */
export const planUnstake = ({ lamports, rounding }: UnstakeGoal, world: PlanWorld): Drafted => {
  const payable = payableAccounts(world);
  // If only the wallet's balance is too low, `finishPlan` reports the shortfall of this draft; no other
  // amount is proposed or used.
  const exact = draftWithAccounts([payable, Math.min(payable + 1, MAX_SPLITS), MAX_SPLITS], (newAccounts) =>
    exactUnstake(lamports, world, newAccounts),
  );
  if (exact !== null) return exact;
  const { ranges, isComplete } = unstakeAmounts(world);
  const { below, above } = nearestAmounts(ranges, lamports);
  const more = rounding === 'atLeast' && above !== null ? exactUnstake(above, world, payable) : null;
  return (
    more ?? {
      refusal: {
        why: 'AMOUNT_NOT_REACHABLE',
        nearestBelowLamports: below,
        nearestAboveLamports: above,
        isComplete,
      },
    }
  );
};
