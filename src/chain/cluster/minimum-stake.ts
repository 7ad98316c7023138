// Figures derived from the cluster's limits in one place, so that builders, balance and simulation cannot disagree.
import type { ClusterLimits } from '../ports.ts';

/** The smallest total a new stake account can start with: below it the Stake program refuses to delegate (Custom 12). */
export const minimumStakeLamports = (limits: ClusterLimits): bigint =>
  limits.stakeRentLamports + limits.minimumDelegationLamports;
