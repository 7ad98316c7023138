// Sources of an amount to withdraw: free SOL, never-effective stake, deactivating stake, and stake to deactivate.
import { mergeClassOf } from '../machine/merge-class.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import { limitSplits, type Pool, poolOf } from './divide-pool.ts';
import type { LaterStep, PlanWorld } from './plan.ts';
import {
  blockedUntilReleased,
  byStake,
  canBeDivided,
  freeLamports,
  isLocked,
  isStaying,
  ownAccounts,
} from './plan-accounts.ts';

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);

const positive = (lamports: bigint): bigint => (lamports > 0n ? lamports : 0n);

const byLamports = (one: StakeAccount, other: StakeAccount): number =>
  one.lamports === other.lamports ? byStake(one, other) : one.lamports > other.lamports ? -1 : 1;

/** Accounts that the wallet can withdraw from, because no other custodian locks their balance. */
export const withdrawable = (world: PlanWorld): readonly StakeAccount[] =>
  world.accounts.filter((one) => one.withdrawAuthority === world.wallet && !isLocked(one, world));

/** Withdrawable accounts that can be closed, largest balance first. */
export const releasedAccounts = (world: PlanWorld): readonly StakeAccount[] =>
  withdrawable(world)
    .filter((one) => mergeClassOf(one, world.chain) === 'inactive')
    .sort(byLamports);

/** Idle lamports of the account, never negative. */
export const idleLamports = (account: StakeAccount, world: PlanWorld): bigint =>
  positive(freeLamports(account, world));

/** All free SOL of the wallet's accounts. */
export const freeTotal = (world: PlanWorld): bigint =>
  total(
    withdrawable(world).map((one) =>
      mergeClassOf(one, world.chain) === 'inactive' ? one.lamports : idleLamports(one, world),
    ),
  );

/** The account's balance without its idle lamports. */
export const boundOf = (account: StakeAccount, world: PlanWorld): bigint =>
  account.lamports - idleLamports(account, world);

/** Activating stakes that can be deactivated before they become effective, largest balance first. */
export const neverEffective = (world: PlanWorld): readonly StakeAccount[] =>
  ownAccounts(world)
    .filter(
      (one) => mergeClassOf(one, world.chain) === 'activating' && isStaying(one) && !isLocked(one, world),
    )
    .sort(byLamports);

/**
 * Stake that is already deactivating. It becomes available anyway, so that much less needs to be deactivated.
 */
export const coolingAlready = (
  world: PlanWorld,
): { readonly lamports: bigint; readonly laterSteps: readonly LaterStep[] } => {
  const cooling = withdrawable(world).filter(
    (one) => mergeClassOf(one, world.chain) === 'transient' && !isStaying(one),
  );
  return {
    lamports: total(cooling.map((one) => boundOf(one, world))),
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
export const activeWorld = (world: PlanWorld): PlanWorld => ({
  ...world,
  accounts: ownAccounts(world).filter(
    (one) => isStaying(one) && mergeClassOf(one, world.chain) !== 'activating' && !isLocked(one, world),
  ),
  walletLamports: world.walletLamports + freeTotal(world),
  // The first address is reserved for a part split from a never-effective stake.
  newAddress: (index) => world.newAddress(index + 1),
});

/** A pool for each never-effective stake, largest balance first. */
export const neverEffectiveEach = (world: PlanWorld): readonly Pool[] =>
  neverEffective(world).map((one) => ({
    ...poolOf([one], canBeDivided(one, world) ? 'split' : 'whole', world.chain.minimumDelegationLamports),
    choices: new Map([
      [0n, []],
      [boundOf(one, world), [one]],
    ]),
  }));

/**
 * The largest of these pools. Each provides its whole stake. If a new account is possible, the largest
 * divisible one also provides any part.
 */
export const neverEffectivePools = (world: PlanWorld, newAccounts: number): readonly Pool[] =>
  limitSplits(neverEffectiveEach(world), Math.min(1, newAccounts), () => true);
