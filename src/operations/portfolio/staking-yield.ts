// What a stake here yields now, as far as anything is known of it; an unknown part is null and said in words, never a zero.

import type { EpochRates } from '../../domain/portfolio/projection.ts';
import type { Apy } from '../../domain/validator/apy.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';

/** Yield and rates. */
export interface StakingYield {
  readonly apy: Apy;
  /** Null while the inflation rate is not known; unknown tips count as none, and a warning says so. */
  readonly rates: EpochRates | null;
  /** False also where it is not known. */
  readonly delinquent: boolean;
  readonly warnings: readonly string[];
}

const UNKNOWN: Apy = { stakingApy: null, jitoMevApy: null, totalApy: null };
const NO_RATE = 'The validator’s yield is currently unavailable, so rewards cannot be projected.';
const NO_TIPS =
  'The validator’s tips are currently unavailable: the projection excludes tips and is a lower bound.';

const NOTHING_KNOWN: StakingYield = { apy: UNKNOWN, rates: null, delinquent: false, warnings: [NO_RATE] };

/** Never rejects but with the signal's reason: a yield that cannot be read is unknown. */
export const readStakingYield = async (ctx: Context, signal: AbortSignal): Promise<StakingYield> => {
  try {
    const status = await ctx.validatorYield?.(signal);
    if (status === undefined) return NOTHING_KNOWN;
    const { inflationPerEpoch, tipsPerEpoch } = status;
    const rates = inflationPerEpoch === null ? null : { inflationPerEpoch, tipsPerEpoch: tipsPerEpoch ?? 0 };
    return {
      apy: status.apy,
      rates,
      delinquent: status.delinquent === true,
      warnings: [
        ...status.warnings,
        ...(rates === null ? [NO_RATE] : tipsPerEpoch === null ? [NO_TIPS] : []),
      ],
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
    return NOTHING_KNOWN;
  }
};
