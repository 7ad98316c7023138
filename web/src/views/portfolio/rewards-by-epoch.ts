// Sums rewards by epoch for the chart. Unknown values stay unknown, are counted, and are never treated as
// zero.
import type { EpochTiming } from '../../../../client/generated/shared-types.ts';
import type { EpochReward, StakingRewardsAnswer } from '../../../../client/generated/stake-operations.ts';
import { formatSol } from '../../../../src/domain/lamports.ts';
import { lamportsOf } from '../../text/format-figures.ts';

/** Rewards of one epoch over all accounts in SOL; null if none is known. */
interface EpochSum {
  readonly epoch: number;
  readonly inflationSol: number | null;
  readonly tipsSol: number | null;
  /** Number of unknown figures. */
  readonly unknown: number;
}

const added = (figures: readonly (number | null)[]): number | null => {
  const known = figures.filter((figure) => figure !== null);
  return known.length === 0
    ? null
    : Number(formatSol(known.reduce((sum, figure) => sum + lamportsOf(figure), 0n)));
};

/** Returns the first epoch in which anything was earned or is unknown; null if there is none. */
export const firstEarned = (rewards: readonly EpochReward[]): number | null => {
  // An account has a listed reward of 0 for the epoch in which it was activating.
  const paid = rewards.filter(({ inflationSol, tipsSol }) => inflationSol !== 0 || tipsSol !== 0);
  return paid.length === 0 ? null : Math.min(...paid.map(({ epoch }) => epoch));
};

/**
 * Builds one entry per epoch from the first in which anything was earned to the last listed one, ascending.
 * Epochs without a reward are 0.
 */
export const rewardsByEpoch = (rewards: readonly EpochReward[]): readonly EpochSum[] => {
  const first = firstEarned(rewards);
  if (first === null) return [];
  const last = Math.max(...rewards.map(({ epoch }) => epoch));
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const of = rewards.filter(({ epoch }) => epoch === first + index);
    const [inflation, tips] = [of.map(({ inflationSol }) => inflationSol), of.map(({ tipsSol }) => tipsSol)];
    return {
      epoch: first + index,
      inflationSol: of.length === 0 ? 0 : added(inflation),
      tipsSol: of.length === 0 ? 0 : added(tips),
      unknown: [...inflation, ...tips].filter((figure) => figure === null).length,
    };
  });
};

/** Adds both parts; null if neither is known. */
export const totalOf = ({ inflationSol, tipsSol }: Pick<EpochSum, 'inflationSol' | 'tipsSol'>) =>
  added([inflationSol, tipsSol]);

/** Sums the known rewards up to and including each epoch, in SOL. */
export const runningTotals = (sums: readonly EpochSum[]): readonly number[] => {
  let lamports = 0n;
  return sums.map((sum) => {
    lamports += lamportsOf(totalOf(sum) ?? 0);
    return Number(formatSol(lamports));
  });
};

/**
 * Sums balances after the rewards of each epoch, in SOL, over the accounts that were paid. Null if none was, or
 * if a reward is unknown.
 */
export const paidBalances = (
  rewards: readonly EpochReward[],
  sums: readonly EpochSum[],
): readonly (number | null)[] =>
  sums.map(({ epoch }) => {
    const paid = rewards.filter((reward) => reward.epoch === epoch && reward.inflationSol !== 0);
    const balances = paid.map(({ balanceAfterSol }) => balanceAfterSol);
    return balances.includes(null) ? null : added(balances);
  });

/**
 * Rewards are paid in the first blocks of the next epoch and read once these are final. This takes minutes,
 * even if an epoch lasts days.
 */
const PAYOUT_PCT = 5;

/** True if figures of the last ended epoch may still arrive, so an early refresh is useful. */
export const areRewardsAwaited = (
  { rewards, toEpoch }: Pick<StakingRewardsAnswer, 'rewards' | 'toEpoch'>,
  { currentEpoch, progressPct }: Pick<EpochTiming, 'currentEpoch' | 'progressPct'>,
): boolean => {
  if (progressPct >= PAYOUT_PCT) return false;
  const last = rewards.filter(({ epoch }) => epoch === currentEpoch - 1);
  return (
    toEpoch < currentEpoch - 1 || last.length === 0 || last.some(({ inflationSol }) => inflationSol === null)
  );
};
