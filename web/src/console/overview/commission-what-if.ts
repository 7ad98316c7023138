// Estimates income and yield under another commission. Pure arithmetic on measured rewards.
import type { StakeFlows } from '../operator-api.ts';

const YEAR_MS = 365.25 * 86_400_000;
/** Number of epochs averaged, because rewards differ from epoch to epoch. */
const MAX_EPOCHS = 10;

/** Inflation rewards before commission. */
export interface MeasuredRewards {
  /** SOL per epoch for one SOL of active stake. */
  readonly grossPerSol: number;
  /** Number of measured epochs. */
  readonly epochs: number;
}

/**
 * Computes the rewards as measured under the commission `nowPct`. Null if no epoch was measured, or if the
 * commission left stakers nothing to measure.
 */
export const measuredRewards = (
  flows: Pick<StakeFlows, 'epochs'>,
  nowPct: number,
): MeasuredRewards | null => {
  if (nowPct >= 100) return null;
  const measured = flows.epochs
    .filter(({ rewardsSol, activeSol }) => rewardsSol !== null && rewardsSol > 0 && activeSol > 0)
    .slice(0, MAX_EPOCHS);
  const stakeSol = measured.reduce((sum, { activeSol }) => sum + activeSol, 0);
  if (stakeSol === 0) return null;
  const netSol = measured.reduce((sum, { rewardsSol }) => sum + rewardsSol!, 0);
  return { grossPerSol: netSol / stakeSol / (1 - nowPct / 100), epochs: measured.length };
};

/** Effects of a commission. */
export interface CommissionOutcome {
  readonly validatorSolPerEpoch: number;
  readonly validatorSolPerYear: number;
  /** Yield in percent, compounded. */
  readonly stakersApy: number;
}

/** Computes the effects. `epochMs` is the expected length of an epoch. */
export const commissionOutcome = (
  { grossPerSol }: MeasuredRewards,
  { commissionPct, activeSol, epochMs }: { commissionPct: number; activeSol: number; epochMs: number },
): CommissionOutcome => {
  const share = commissionPct / 100;
  const epochsPerYear = YEAR_MS / epochMs;
  const validatorSolPerEpoch = activeSol * grossPerSol * share;
  return {
    validatorSolPerEpoch,
    validatorSolPerYear: validatorSolPerEpoch * epochsPerYear,
    stakersApy: ((1 + grossPerSol * (1 - share)) ** epochsPerYear - 1) * 100,
  };
};
