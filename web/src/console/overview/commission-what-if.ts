// Estimates income and yield under another commission from the yield that the service publishes. Pure arithmetic.
import type { OwnValidator } from '../operator-api.ts';

const YEAR_SECONDS = 365 * 86_400;

/** The published yield of the stakers, from which the effect of a commission can be computed. */
export interface KnownYield {
  /** Percent, without tips. */
  readonly stakingApy: number;
  /** Tips, in percent; null if unknown. They do not depend on the commission. */
  readonly tipsApy: number | null;
  readonly commissionPct: number;
  readonly epochsPerYear: number;
}

/**
 * Returns null if the yield or the commission is unknown, or if stakers have no staking yield to scale, for
 * example with a commission of 100 %.
 */
export const knownYield = (apy: OwnValidator['apy']): KnownYield | null => {
  if (apy === null || apy.stakingApy === null || apy.commission === null || apy.commission >= 100)
    return null;
  const { secondsPerEpoch } = apy.method;
  if (secondsPerEpoch === null || apy.stakingApy <= 0) return null;
  return {
    stakingApy: apy.stakingApy,
    tipsApy: apy.jitoMevApy,
    commissionPct: apy.commission,
    epochsPerYear: YEAR_SECONDS / secondsPerEpoch,
  };
};

/** Says why `knownYield` returns null. */
export const whyUnknown = (apy: OwnValidator['apy']): string =>
  apy?.commission === 100
    ? 'At a commission of 100%, stakers get no inflation rewards, so there is no yield to compare.'
    : (apy?.notices.find(({ severity }) => severity === 'critical')?.text ??
      'The yield or the commission is currently unavailable.');

interface CommissionOutcome {
  readonly validatorSolPerEpoch: number;
  readonly validatorSolPerYear: number;
  /** Yield in percent, compounded, with tips if they are known. */
  readonly stakersApy: number;
}

/** Computes the effects. At the current commission, the yield is the published one. */
export const commissionOutcome = (
  known: KnownYield,
  { commissionPct, activeSol }: { commissionPct: number; activeSol: number },
): CommissionOutcome => {
  const { stakingApy, tipsApy, epochsPerYear } = known;
  const grossPerSol = ((1 + stakingApy / 100) ** (1 / epochsPerYear) - 1) / (1 - known.commissionPct / 100);
  const share = commissionPct / 100;
  const validatorSolPerEpoch = activeSol * grossPerSol * share;
  return {
    validatorSolPerEpoch,
    validatorSolPerYear: validatorSolPerEpoch * epochsPerYear,
    stakersApy: ((1 + grossPerSol * (1 - share)) ** epochsPerYear - 1) * 100 + (tipsApy ?? 0),
  };
};
