// Chooses the yield of the Stake view, from which every figure of the view is computed.
import type { SimulateStakeAnswer } from '../../../../client/generated/stake-operations.ts';
import { useValidator } from '../../api/shared-reads.ts';

/**
 * Returns the yield in the profile, which the header shows. Until the profile arrives, returns the
 * projection's yield, which may be older or newer. Null while loading.
 */
export const useViewYield = (projected: SimulateStakeAnswer | undefined) => {
  const profile = useValidator().data?.apy;
  if (profile !== undefined) return profile;
  return projected === undefined
    ? null
    : {
        totalApy: projected.effectiveApy,
        atLeastApy: projected.atLeastApy,
        jitoMevApy: null,
      };
};
