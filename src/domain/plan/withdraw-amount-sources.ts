// Sources of an amount to withdraw: free SOL, never-effective stake, deactivating stake, and stake to deactivate.
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

/** Accounts that the wallet can withdraw from, because no other custodian locks their balance. */
export const withdrawableAccounts = (world: PlanInputs): readonly StakeAccount[] =>
  world.accounts.filter((one) => one.withdrawAuthority === world.wallet && !isLocked(one, world));

/** Withdrawable accounts that can be closed, largest balance first. */
export const releasedAccounts = (world: PlanInputs): readonly StakeAccount[] =>
  withdrawableAccounts(world)
    .filter((one) => mergeClassOf(one, world.chain) === 'inactive')
    .sort(byLamports);

/** Idle lamports of the account, never negative. */
export const idleLamports = (account: StakeAccount, world: PlanInputs): bigint =>
  positive(freeLamports(account, world));

/** All free SOL of the wallet's accounts. */
export const freeTotal = (world: PlanInputs): bigint =>
  total(
    withdrawableAccounts(world).map((one) =>
      mergeClassOf(one, world.chain) === 'inactive' ? one.lamports : idleLamports(one, world),
    ),
  );

/** The account's balance without its idle lamports. */
export const balanceWithoutIdle = (account: StakeAccount, world: PlanInputs): bigint =>
  account.lamports - idleLamports(account, world);

/** Activating stakes that can be deactivated before they become effective, largest balance first. */
export const neverEffective = (world: PlanInputs): readonly StakeAccount[] =>
  ownAccounts(world)
    .filter(
      (one) =>
        mergeClassOf(one, world.chain) === 'activating' && isNotDeactivating(one) && !isLocked(one, world),
    )
    .sort(byLamports);

/**
 * Stake that is already deactivating. It becomes available anyway, so that much less needs to be deactivated.
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

/** World for planning deactivations, after all free SOL was moved to the wallet. */
export const activeWorld = (world: PlanInputs): PlanInputs => ({
  ...world,
  accounts: ownAccounts(world).filter(
    (one) =>
      isNotDeactivating(one) && mergeClassOf(one, world.chain) !== 'activating' && !isLocked(one, world),
  ),
  walletLamports: world.walletLamports + freeTotal(world),
  // The first address is reserved for a part split from a never-effective stake.
  newAddress: (index) => world.newAddress(index + 1),
});

/** A group for each never-effective stake, largest balance first. */
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
 * The largest of these groups. Each provides its whole stake. If a new account is possible, the largest
 * divisible one also provides any part.
 */
export const neverEffectiveGroups = (world: PlanInputs, newAccounts: number): readonly MergeGroup[] =>
  limitSplits(neverEffectiveEach(world), Math.min(1, newAccounts), () => true);
