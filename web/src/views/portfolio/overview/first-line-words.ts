// Computes the figures in the first line of a portfolio: rewards so far, measured yield, and the next payment.
// Unknown values are marked.
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import type {
  StakingRewardsAnswer,
  StakingSummaryAnswer,
} from '../../../../../client/generated/stake-operations.ts';
import { annualYield } from '../../../../../src/domain/validator/realized-apy.ts';
import { boundaryTime } from '../../../text/epoch-boundary.ts';
import { exactSol, percent, solShort } from '../../../text/format-figures.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioOverviewEnglish } from '../../../words/en/portfolio/overview.ts';
import { firstEarned, totalOf } from '../rewards-by-epoch.ts';

const { say } = defineWords('portfolioOverview', portfolioOverviewEnglish);

/** A figure with an explanation. */
export interface Figure {
  readonly value: string;
  readonly note: string;
}

export type EarningAccount = Pick<
  StakingSummaryAnswer['accounts'][number],
  | 'address'
  | 'role'
  | 'activationEpoch'
  | 'deactivationEpoch'
  | 'activeSol'
  | 'activatingSol'
  | 'rentReserveSol'
  | 'estimatedDailyRewardSol'
>;

type Rewards = Pick<StakingRewardsAnswer, 'rewards' | 'totals' | 'fromEpoch' | 'toEpoch'>;

/** Selectable ranges of the rewards card. */
export const EPOCHS_BACK = [30, 90, 200] as const;

export type EpochsBack = (typeof EPOCHS_BACK)[number];

/** Returns the shortest range that covers the age of the oldest of these stakes, or else the longest range. */
export const epochsToRead = (accounts: readonly EarningAccount[], currentEpoch: number): EpochsBack => {
  const begun = accounts.flatMap(({ activationEpoch }) => activationEpoch ?? []);
  const age = currentEpoch - Math.min(currentEpoch, ...begun);
  return EPOCHS_BACK.find((epochs) => epochs >= age) ?? 200;
};

/**
 * Sums all rewards of the range. The note names the first epoch with a reward only if the range is the longest
 * one and begins earlier. In any other range, payments of accounts that have been closed may be missing.
 */
export const earnedFigure = ({ rewards, totals, fromEpoch, toEpoch }: Rewards): Figure => {
  const first = firstEarned(rewards);
  const count = toEpoch - fromEpoch + 1;
  const isWhole = fromEpoch === 0 || (count >= 200 && first !== fromEpoch);
  if (first === null)
    return { value: say('nothingEarned'), note: isWhole ? say('noRewards') : say('earnedIn', { count }) };
  const total = totalOf(totals);
  if (total === null) return { value: say('unknown'), note: say('rewardsUnavailable') };
  const isPart = totals.unknownInflation + totals.unknownTips > 0;
  return {
    value: say(isPart ? 'earnedAtLeast' : 'earnedExactly', { amount: exactSol(total) }),
    note: isWhole
      ? say(isPart ? 'earnedAtLeastSince' : 'earnedSince', { epoch: first })
      : say(isPart ? 'earnedAtLeastIn' : 'earnedIn', { count }),
  };
};

interface Sum {
  lamports: number;
  base: number;
}

const rate = ({ lamports, base }: Sum): number | null => (base === 0 ? null : lamports / base);

/** True if the account was active in this epoch, according to its current delegation. */
const wasEarning = (account: EarningAccount | undefined, epoch: number): boolean => {
  const { activationEpoch = null, deactivationEpoch = null } = account ?? {};
  return (
    activationEpoch !== null &&
    epoch > activationEpoch &&
    (deactivationEpoch === null || epoch <= deactivationEpoch)
  );
};

/**
 * Returns the stake of each account before its payments, without rent. For an epoch without a payment, uses the
 * last known stake, or 0 if the account was not active.
 */
const basesOf = (rewards: Rewards['rewards'], accounts: readonly EarningAccount[]) => {
  const known = new Map(accounts.map((account) => [account.address, account]));
  const last = new Map<string, number>();
  return rewards
    .toSorted((a, b) => a.epoch - b.epoch)
    .map((reward) => {
      const { stakeAccountAddress: account, epoch, inflationSol, balanceBeforeSol } = reward;
      const before = last.get(account);
      const isEarning = (inflationSol ?? 0) > 0 || wasEarning(known.get(account), epoch);
      const rentSol = known.get(account)?.rentReserveSol ?? 0;
      const paidOn = balanceBeforeSol === null ? null : balanceBeforeSol - rentSol;
      if (paidOn !== null) last.set(account, paidOn + (inflationSol ?? 0));
      const base = paidOn ?? before ?? 0;
      return { reward, base: isEarning ? base : 0 };
    });
};

/**
 * Computes rewards divided by the stake that earned them, extrapolated to a year. `secondsPerEpoch` is null if
 * unknown.
 */
export const measuredYieldFigure = (
  { rewards }: Pick<Rewards, 'rewards'>,
  accounts: readonly EarningAccount[],
  secondsPerEpoch: number | null,
): Figure => {
  const inflation: Sum = { lamports: 0, base: 0 };
  const tips: Sum = { lamports: 0, base: 0 };
  const epochs = new Set<number>();
  for (const { reward, base } of basesOf(rewards, accounts)) {
    if (base <= 0 || reward.inflationSol === null) continue;
    epochs.add(reward.epoch);
    inflation.lamports += reward.inflationSol;
    inflation.base += base;
    if (reward.tipsSol === null) continue;
    tips.lamports += reward.tipsSol;
    tips.base += base;
  }
  const [inflationPerEpoch, tipsPerEpoch] = [rate(inflation), rate(tips)];
  if (inflationPerEpoch === null) return { value: say('unknown'), note: say('knownAfterPayment') };
  const count = epochs.size;
  if (secondsPerEpoch === null)
    return {
      value: percent((inflationPerEpoch + (tipsPerEpoch ?? 0)) * 100, 4),
      note: say(tipsPerEpoch === null ? 'yieldPerEpochNoTips' : 'yieldPerEpoch', { count }),
    };
  const { stakingApy, totalApy } = annualYield({ inflationPerEpoch, tipsPerEpoch }, secondsPerEpoch);
  return {
    value: percent(totalApy ?? stakingApy),
    note: say(tipsPerEpoch === null ? 'yieldPerYearNoTips' : 'yieldPerYear', { count }),
  };
};

const DAY_MS = 86_400_000;

/** Estimates the payment at the end of the current epoch. */
export const nextPaymentFigure = (
  accounts: readonly EarningAccount[],
  timing: EpochTiming | null,
  nowMs: number,
): Figure => {
  const own = accounts.filter(({ role }) => role === 'owner');
  const earning = own.filter(({ activeSol }) => activeSol > 0);
  if (earning.length === 0)
    return own.some(({ activatingSol }) => activatingSol > 0)
      ? { value: say('afterNextEpoch'), note: say('earnsOnceActive') }
      : { value: say('noPayment'), note: say('nothingEarning') };
  if (timing === null) return { value: say('unknown'), note: say('epochUnavailable') };
  if (timing.epochRewardsActive) return { value: say('beingPaid'), note: say('beingPaidNote') };
  const daily = earning.map(({ estimatedDailyRewardSol }) => estimatedDailyRewardSol);
  const when = boundaryTime(timing, nowMs);
  if (daily.includes(null)) return { value: say('unknown'), note: when };
  const days = (timing.slotsInEpoch * timing.slotDurationMs) / DAY_MS;
  const sol = daily.reduce<number>((sum, one) => sum + one!, 0) * days;
  // Values such as 0.07999999999 come from rounding errors of the division into days.
  const lamports = BigInt(Math.floor(Number((sol * 1e9).toFixed(3))));
  return { value: say('aboutAmount', { amount: solShort(lamports) }), note: when };
};
