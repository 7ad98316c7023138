// Computes the smallest amount that can be staked.

/** Minimum total for a new stake account. Below it the Stake program refuses to delegate (Custom 12). */
export const minimumStakeLamports = ({
  stakeRentLamports,
  minimumDelegationLamports,
}: {
  readonly stakeRentLamports: bigint;
  readonly minimumDelegationLamports: bigint;
}): bigint => stakeRentLamports + minimumDelegationLamports;
