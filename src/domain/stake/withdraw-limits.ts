// Computes how much the Stake program lets an account withdraw, before lockups and rewards freezes.
import type { StakeAccount } from './stake-account.ts';
import { type ActivationFacts, activationOf, type StakeActivation } from './stake-activation.ts';

/** The facts of the cluster that determine the limits. */
interface LimitFacts extends ActivationFacts {
  /** The cluster's current rent for 200 bytes, not the reserve stored in the account. */
  readonly stakeRentLamports: bigint;
}

/** Maximum amounts of a withdrawal. */
export interface WithdrawLimits {
  /** Maximum that the program accepts. */
  readonly withdrawableLamports: bigint;
  /** Maximum that keeps the account open. */
  readonly partialWithdrawMaxLamports: bigint;
}

const clampedAtZero = (lamports: bigint): bigint => (lamports > 0n ? lamports : 0n);

/**
 * Lamports that the Stake program holds back as staked. Without a deactivation this is the whole delegation,
 * effective or not, because rewards of an unfinished warm-up may still depend on it.
 */
export const stakedLamports = (account: StakeAccount, epoch: bigint, activation: StakeActivation): bigint => {
  const { delegation } = account;
  if (delegation === null) return 0n;
  return epoch >= delegation.deactivationEpoch ? activation.effectiveLamports : delegation.stakeLamports;
};

export const limitsAbove = (lamports: bigint, staked: bigint, stakeRentLamports: bigint): WithdrawLimits => {
  const partialWithdrawMaxLamports = clampedAtZero(lamports - staked - stakeRentLamports);
  return {
    withdrawableLamports: staked > 0n ? partialWithdrawMaxLamports : lamports,
    partialWithdrawMaxLamports,
  };
};

/** Lamports that the Stake program holds back as staked, whoever signs. The rent is held back in addition. */
export const heldBackLamports = (account: StakeAccount, chain: ActivationFacts): bigint =>
  stakedLamports(account, chain.epoch, activationOf(account, chain));

/**
 * Limits that ignore a lockup or a rewards freeze: for withdrawals that the custodian also signs, or that are
 * made later. `stakedLamports` is held back in addition to the rent.
 */
export const limitsWithoutLockup = (
  account: StakeAccount,
  chain: LimitFacts,
): WithdrawLimits & { readonly stakedLamports: bigint } => {
  const staked = heldBackLamports(account, chain);
  return { ...limitsAbove(account.lamports, staked, chain.stakeRentLamports), stakedLamports: staked };
};
