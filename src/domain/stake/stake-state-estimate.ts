// Estimates when a stake account's whole balance becomes withdrawable, given its cooldown and lockup.
import {
  type EpochPositionLike,
  estimateEpochStart,
  LAST_DATE_MS,
  type TimeEstimate,
} from '../epoch-clock.ts';
import type { StakeAccount } from './stake-account.ts';
import type { StakeAssessment } from './stake-state.ts';

/**
 * Returns the later of `withdrawableAtEpoch` and the lockup's date; zero seconds if ready. Returns null
 * without a deactivation, and for a lockup that ends after the year 9999. The lockup's date is measured by
 * the cluster's clock (`unixTimestamp`, in seconds), which may differ from this machine's.
 */
export const estimateWithdrawable = (
  account: StakeAccount,
  assessment: Pick<StakeAssessment, 'withdrawReady' | 'withdrawableAtEpoch'>,
  position: EpochPositionLike & { readonly unixTimestamp: bigint },
  nowMs: number,
): TimeEstimate | null => {
  if (assessment.withdrawReady) return { secondsRemaining: 0, at: new Date(nowMs).toISOString() };
  if (assessment.withdrawableAtEpoch === null) return null;
  const byEpoch = estimateEpochStart(position, assessment.withdrawableAtEpoch, nowMs);
  const lockedSeconds = account.lockup.unixTimestamp - position.unixTimestamp;
  const nameableSeconds = (LAST_DATE_MS - nowMs) / 1_000 - 1;
  if (byEpoch.secondsRemaining > nameableSeconds || Number(lockedSeconds) > nameableSeconds) return null;
  if (byEpoch.secondsRemaining >= Number(lockedSeconds)) return byEpoch;
  return {
    secondsRemaining: Number(lockedSeconds),
    at: new Date(nowMs + Number(lockedSeconds) * 1_000).toISOString(),
  };
};
