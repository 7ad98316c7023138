// Rewards added up by epoch for the chart: what is not known stays unknown and is counted, never taken for nothing.
import type { EpochTiming } from '../../../../client/generated/shared-types.ts';
import type { EpochReward, StakingRewardsAnswer } from '../../../../client/generated/stake-operations.ts';
import { formatSol } from '../../../../src/domain/lamports.ts';
import { lamportsOf } from '../../text/format-figures.ts';

/** Rewards of one epoch over all accounts, SOL; null where nothing of it is known. */
interface EpochSum {
  readonly epoch: number;
  readonly inflationSol: number | null;
  readonly tipsSol: number | null;
  /** How many figures of its accounts are not known (yet). */
  readonly unknown: number;
}

const added = (figures: readonly (number | null)[]): number | null => {
  const known = figures.filter((figure) => figure !== null);
  return known.length === 0
    ? null
    : Number(formatSol(known.reduce((sum, figure) => sum + lamportsOf(figure), 0n)));
};

/** One entry for each epoch from the first that has a reward to the last, ascending; an epoch in between without any is 0. */
export const rewardsByEpoch = (rewards: readonly EpochReward[]): readonly EpochSum[] => {
  if (rewards.length === 0) return [];
  const epochs = rewards.map(({ epoch }) => epoch);
  const first = Math.min(...epochs);
  return Array.from({ length: Math.max(...epochs) - first + 1 }, (_, index) => {
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

/** Both together; null where neither is known. */
export const totalOf = ({ inflationSol, tipsSol }: Pick<EpochSum, 'inflationSol' | 'tipsSol'>) =>
  added([inflationSol, tipsSol]);

/** Rewards come in the first blocks of the next epoch and are read once these are final: minutes, even where an epoch lasts days. */
const PAYOUT_PCT = 5;

/** Whether figures of the last ended epoch may still come, so that it is worth asking soon again. */
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
