// Sources that can fund a withdrawal: free SOL, stake that never became effective, deactivating stake, and
// stake to deactivate.
import { mergeClassOf } from '../machine/merge-class.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import { limitSplits, type MergeGroup, mergeGroupOf } from './divide-group.ts';
import type { LaterStep, PlanInputs } from './plan.ts';
import {
  blockedUntilReleased,
  byStake,
  canBeDivided,
  freeLamports,
  isLocked,
  isNotDeactivating,
  ownAccounts,
} from './plan-accounts.ts';

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);

const positive = (lamports: bigint): bigint => (lamports > 0n ? lamports : 0n);

const byLamports = (one: StakeAccount, other: StakeAccount): number =>
  one.lamports === other.lamports ? byStake(one, other) : one.lamports > other.lamports ? -1 : 1;

/** Lists accounts that the wallet can withdraw from because no other custodian locks their balance. */
export const withdrawableAccounts = (world: PlanInputs): readonly StakeAccount[] =>
  world.accounts.filter((one) => one.withdrawAuthority === world.wallet && !isLocked(one, world));

/** Lists withdrawable accounts that can be closed, largest balance first. */
export const releasedAccounts = (world: PlanInputs): readonly StakeAccount[] =>
  withdrawableAccounts(world)
    .filter((one) => mergeClassOf(one, world.chain) === 'inactive')
    .sort(byLamports);

/** Computes the idle lamports of the account; never negative. */
export const idleLamports = (account: StakeAccount, world: PlanInputs): bigint =>
  positive(freeLamports(account, world));

/** Computes all free SOL in the wallet's accounts. */
export const freeTotal = (world: PlanInputs): bigint =>
  total(
    withdrawableAccounts(world).map((one) =>
      mergeClassOf(one, world.chain) === 'inactive' ? one.lamports : idleLamports(one, world),
    ),
  );

/** Computes the account's balance without its idle lamports. */
export const balanceWithoutIdle = (account: StakeAccount, world: PlanInputs): bigint =>
  account.lamports - idleLamports(account, world);

/** Lists activating stakes that can be deactivated before they become effective, largest balance first. */
export const neverEffective = (world: PlanInputs): readonly StakeAccount[] =>
  ownAccounts(world)
    .filter(
      (one) =>
        mergeClassOf(one, world.chain) === 'activating' && isNotDeactivating(one) && !isLocked(one, world),
    )
    .sort(byLamports);

/**
 * Returns the stake that is already deactivating. It becomes available anyway, so less stake needs to be
 * deactivated.
 */
export const alreadyDeactivating = (
  world: PlanInputs,
): { readonly lamports: bigint; readonly laterSteps: readonly LaterStep[] } => {
  const cooling = withdrawableAccounts(world).filter(
    (one) => mergeClassOf(one, world.chain) === 'transient' && !isNotDeactivating(one),
  );
  return {
    lamports: total(cooling.map((one) => balanceWithoutIdle(one, world))),
    laterSteps: cooling.flatMap((one) =>
      blockedUntilReleased(one, world).map(({ account, possibleFromEpoch }) => ({
        account,
        action: 'withdraw' as const,
        epoch: possibleFromEpoch!,
      })),
    ),
  };
};

/** Returns the inputs for planning deactivations, after all free SOL has been moved to the wallet. */
export const activeWorld = (world: PlanInputs): PlanInputs => ({
  ...world,
  accounts: ownAccounts(world).filter(
    (one) =>
      isNotDeactivating(one) && mergeClassOf(one, world.chain) !== 'activating' && !isLocked(one, world),
  ),
  walletLamports: world.walletLamports + freeTotal(world),
  // The first address is reserved for a part that is split off a stake that never became effective.
  newAddress: (index) => world.newAddress(index + 1),
});

/** Creates a group for each stake that never became effective, largest balance first. */
export const neverEffectiveEach = (world: PlanInputs): readonly MergeGroup[] =>
  neverEffective(world).map((one) => ({
    ...mergeGroupOf(
      [one],
      canBeDivided(one, world) ? 'split' : 'whole',
      world.chain.minimumDelegationLamports,
    ),
    choices: new Map([
      [0n, []],
      [balanceWithoutIdle(one, world), [one]],
    ]),
  }));

/**
 * Returns the largest of the groups from `neverEffectiveEach`. Each provides its whole stake. If the wallet can
 * pay for a new account, the largest divisible group also provides any part of its stake.
 */
export const neverEffectiveGroups = (world: PlanInputs, newAccounts: number): readonly MergeGroup[] =>
  limitSplits(neverEffectiveEach(world), Math.min(1, newAccounts), () => true);
