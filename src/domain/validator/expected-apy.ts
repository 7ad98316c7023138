// Computes the expected inflation yield from the cluster's issuance, for a validator without measured rewards.
import { epochsPerYear } from './apy.ts';

/** What decides a validator's share of the issuance. */
export interface IssuanceFacts {
  /** Share of the supply that goes to validators and stakers in a year (`getInflationRate`). */
  readonly validatorInflation: number;
  readonly supplyLamports: bigint;
  /** Effective stake of the whole cluster. */
  readonly clusterStakeLamports: bigint;
  /** Credits of this validator over the stake-weighted mean of all, of one ended epoch; 1 where not known. */
  readonly creditsShare: number;
  /** Basis points. */
  readonly commissionBps: number;
}

/**
 * The share of an effective stake that an epoch should pay after commission; null where nothing is staked. The cluster reckons its
 * year in slots of nominal length; here slots are taken to be as long as they should be.
 */
export const expectedInflationPerEpoch = (facts: IssuanceFacts, secondsPerEpoch: number): number | null => {
  if (facts.clusterStakeLamports <= 0n) return null;
  const yearly =
    (facts.validatorInflation * Number(facts.supplyLamports)) / Number(facts.clusterStakeLamports);
  return (yearly * facts.creditsShare * (1 - facts.commissionBps / 10_000)) / epochsPerYear(secondsPerEpoch);
};

/** A validator's stake and its credits of one epoch. */
interface CreditedStake {
  readonly activatedStakeLamports: bigint;
  readonly credits: bigint;
}

/** 63 slots in which every vote was in time: what happens in fewer says nothing of a year (mainnet: 432,000 slots an epoch). */
const LEAST_MEAN_CREDITS = 1_000n;

/**
 * `own` credits over the mean of `all` weighted by stake. Null where they tell nothing: of an epoch that lasted for a moment, or in which less than
 * two thirds of the stake voted, so that the few who did would seem to earn what all others usually get.
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
  if (stake === 0n || voting * 3n < stake * 2n || points < stake * LEAST_MEAN_CREDITS) return null;
  return (Number(own) * Number(stake)) / Number(points);
};
