// Computes the expected inflation yield from the cluster's issuance, for a validator without measured
// rewards.
import { epochsPerYear } from './realized-apy.ts';

/** Values that determine a validator's share of the issuance. */
export interface IssuanceFacts {
  /** Share of the supply issued to validators and stakers per year (`getInflationRate`). */
  readonly validatorInflation: number;
  readonly supplyLamports: bigint;
  /** Effective stake of the whole cluster. */
  readonly clusterStakeLamports: bigint;
  /**
   * Credits of this validator divided by the stake-weighted mean of all validators in one ended epoch; 1 if
   * unknown.
   */
  readonly creditsShare: number;
  /** Basis points. */
  readonly commissionBps: number;
}

/**
 * Computes the expected reward of an epoch after commission, as a share of the effective stake; null if
 * nothing is staked. The cluster defines its year in slots of nominal length, so the calculation uses nominal
 * slots.
 */
export const expectedInflationPerEpoch = (facts: IssuanceFacts, secondsPerEpoch: number): number | null => {
  if (facts.clusterStakeLamports <= 0n) return null;
  const yearly =
    (facts.validatorInflation * Number(facts.supplyLamports)) / Number(facts.clusterStakeLamports);
  return (yearly * facts.creditsShare * (1 - facts.commissionBps / 10_000)) / epochsPerYear(secondsPerEpoch);
};

/** A validator's stake, and its credits in one epoch. */
interface CreditedStake {
  readonly activatedStakeLamports: bigint;
  readonly credits: bigint;
}

/**
 * Minimum credits for a representative epoch, which correspond to 63 slots with timely votes. Shorter epochs
 * are not representative (mainnet has 432,000 slots per epoch).
 */
const MIN_MEAN_CREDITS = 1_000n;

/**
 * Computes `own` credits divided by the stake-weighted mean of `all`. Returns null for an epoch that is not
 * representative because it was very short, or because less than two thirds of the stake voted, so the few
 * voters would seem to earn everyone's share.
 */
export const creditsShare = (own: bigint, all: readonly CreditedStake[]): number | null => {
  let stake = 0n;
  let voting = 0n;
  let points = 0n;
  for (const { activatedStakeLamports, credits } of all) {
    stake += activatedStakeLamports;
    if (credits > 0n) voting += activatedStakeLamports;
    points += activatedStakeLamports * credits;
  }
  if (stake === 0n || voting * 3n < stake * 2n || points < stake * MIN_MEAN_CREDITS) return null;
  return (Number(own) * Number(stake)) / Number(points);
};
