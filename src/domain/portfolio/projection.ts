// Projects the rewards of a stake made now. The stake earns nothing before it is effective. Inflation
// compounds per epoch; tips do not, and the rent-exempt minimum earns nothing.

import { smaller } from '../../kernel/order.ts';
import { type EpochPositionLike, estimateEpochStart, secondsPerEpoch } from '../epoch-clock.ts';
import type { StakeHistory } from '../stake/stake-history.ts';
import { type InflationSchedule, scheduledEpochs } from '../validator/inflation-schedule.ts';
import { epochsPerYear } from '../validator/realized-apy.ts';
import { predictWarmUp } from './projection-warm-up.ts';

/** Rewards per epoch as shares of the effective stake, as measured (`measureInflation`, `measureTips`). */
export interface EpochRates {
  readonly inflationPerEpoch: number;
  /** 0 if unknown, which the caller reports. */
  readonly tipsPerEpoch: number;
}

/** A stake to project. */
export interface ProjectionInput {
  /** Total amount moved into the stake account. */
  readonly amountLamports: bigint;
  /** The part that is not delegated. */
  readonly stakeRentLamports: bigint;
  /** 1 to 3650. */
  readonly durationDays: number;
  readonly rates: EpochRates;
  /** Inflation schedule; null assumes that the current inflation continues forever. */
  readonly schedule: InflationSchedule | null;
  readonly position: EpochPositionLike;
  readonly history: StakeHistory;
  readonly nowMs: number;
}

/** Total rewards after a number of days, and the balance of the stake account at that time. */
export interface ProjectedPeriod {
  readonly rewardLamports: bigint;
  readonly balanceLamports: bigint;
}

/** A projection at current rates and with the inflation schedule, without guarantee. */
export interface Projection {
  /** `amountLamports` minus the rent-exempt minimum. */
  readonly delegatedLamports: bigint;
  /** Periods of one day, 30 days, 365 days and `durationDays` from now, including the warm-up. */
  readonly daily: ProjectedPeriod;
  readonly monthly: ProjectedPeriod;
  readonly annual: ProjectedPeriod;
  readonly total: ProjectedPeriod;
  /** Rewards of one epoch and one day once the stake is effective, without compounding. */
  readonly onceActive: { readonly perEpochLamports: bigint; readonly perDayLamports: bigint };
  readonly activation: {
    /** Epochs until the whole stake is effective; 1 unless the cluster's 9 % limit applies. */
    readonly epochsUntilActive: number;
    readonly estimatedActiveAt: string;
    /** First epoch with rewards, which is the one after the activation epoch. */
    readonly firstRewardEpoch: bigint;
    /** End of that epoch, when it is paid. */
    readonly estimatedFirstRewardAt: string;
  };
}

const SECONDS_PER_DAY = 86_400;
// Rates are doubles with 15 to 17 digits. 24 decimals keep their powers exact to the lamport over ten years
// of one-day epochs.
const ONE = 10n ** 24n;
/** Rates are rounded to this fraction, because a double has no more than 17 digits. */
const RATE_UNITS = 10n ** 18n;

const fixed = (rate: number): bigint => BigInt(Math.round(rate * Number(RATE_UNITS))) * (ONE / RATE_UNITS);

const share = (lamports: bigint, rate: bigint): bigint => (lamports * rate) / ONE;

/**
 * The largest balance that an account can have on chain. With sandbox epochs of seconds, rewards would exceed
 * it within a year.
 */
const MAX_LAMPORTS = 2n ** 64n - 1n;
const MAX_GROWTH = ONE * MAX_LAMPORTS;

/**
 * Computes `(1 + rate)^epochs`, at most `MAX_GROWTH`. Uses squaring, because a loop over ten years of
 * five-minute epochs would take a million steps.
 */
const growth = (rate: bigint, epochs: number): bigint => {
  let power = ONE + rate;
  let product = ONE;
  for (let left = epochs; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) product = product === ONE ? power : smaller(MAX_GROWTH, (product * power) / ONE);
    if (left > 1) power = smaller(MAX_GROWTH, (power * power) / ONE);
  }
  return product;
};

/** Computes `growth` for a number of epochs that need not be an integer. */
const growthOver = (rate: bigint, epochs: number): bigint => {
  const whole = Math.floor(epochs);
  return smaller(MAX_GROWTH, (growth(rate, whole) * (ONE + share(rate, fixed(epochs - whole)))) / ONE);
};

/**
 * Computes the rewards of the first `epochs` effective epochs. `atTodaysRate` converts epochs to the number
 * of epochs that would pay as much at today's inflation. The chain rounds each payment down, so it may pay
 * one lamport less per epoch.
 */
const earned = (
  warmUp: readonly bigint[],
  epochs: number,
  rates: EpochRates,
  atTodaysRate = (whole: number) => whole,
): bigint => {
  const inflation = fixed(rates.inflationPerEpoch);
  const stakeLamports = warmUp.at(-1)!;
  const warming = warmUp.slice(0, Math.min(epochs, warmUp.length - 1));
  const whole = epochs - warming.length;
  const early = warming.reduce((sum, effective) => sum + share(effective, inflation), 0n);
  const compounded =
    whole === 0 ? 0n : share(stakeLamports + early, growthOver(inflation, atTodaysRate(whole)) - ONE);
  const tipped = warming.reduce((sum, effective) => sum + effective, stakeLamports * BigInt(whole));
  return early + compounded + share(tipped, fixed(rates.tipsPerEpoch));
};

/** Counts the epoch boundaries within `days`. The first one ends the activation epoch and pays nothing. */
const boundariesWithin = (days: number, { position, nowMs }: ProjectionInput): number => {
  const { secondsRemaining } = estimateEpochStart(position, position.epoch + 1n, nowMs);
  const left = days * SECONDS_PER_DAY - secondsRemaining;
  return left < 0 ? 0 : 1 + Math.floor(left / secondsPerEpoch(position));
};

/**
 * Projects a stake delegated in the current epoch. Inflation rewards raise the delegation and earn from the
 * next epoch on. Tips are a constant share of the original delegation. For a stake that is fully effective
 * for a year, the result is `annualYield` of the delegated amount, minus the effect of declining inflation in
 * that year. Throws `RangeError` if the amount does not cover the rent-exempt minimum.
 */
export const project = (input: ProjectionInput): Projection => {
  const { amountLamports, rates, position, nowMs } = input;
  const delegatedLamports = amountLamports - input.stakeRentLamports;
  if (delegatedLamports <= 0n) throw new RangeError('Nothing is left to delegate after rent.');
  const atTodaysRate = (epochs: number) =>
    scheduledEpochs(input.schedule, epochs, epochsPerYear(secondsPerEpoch(position)));
  const warmUp = predictWarmUp(delegatedLamports, position.epoch, input.history);
  const period = (days: number): ProjectedPeriod => {
    const rewards = earned(warmUp, Math.max(0, boundariesWithin(days, input) - 1), rates, atTodaysRate);
    const rewardLamports = smaller(MAX_LAMPORTS - amountLamports, rewards);
    return { rewardLamports, balanceLamports: amountLamports + rewardLamports };
  };
  const perEpochLamports = earned([delegatedLamports], 1, rates);
  const startOf = (epochs: number) => estimateEpochStart(position, position.epoch + BigInt(epochs), nowMs).at;
  return {
    delegatedLamports,
    daily: period(1),
    monthly: period(30),
    annual: period(365),
    total: period(input.durationDays),
    onceActive: { perEpochLamports, perDayLamports: perDay(perEpochLamports, position) },
    activation: {
      epochsUntilActive: warmUp.length,
      estimatedActiveAt: startOf(warmUp.length),
      firstRewardEpoch: position.epoch + 1n,
      estimatedFirstRewardAt: startOf(2),
    },
  };
};

const perDay = (
  perEpochLamports: bigint,
  position: Pick<EpochPositionLike, 'slotsInEpoch' | 'slotDurationMs'>,
): bigint => share(perEpochLamports, fixed(SECONDS_PER_DAY / secondsPerEpoch(position)));

/**
 * Computes the average daily reward, at these rates, of an account with `activeLamports` of effective stake.
 * Only effective stake earns: none in the activation epoch and, in a deactivating account, only the stake
 * that is still effective.
 */
export const estimatedDailyReward = (
  activeLamports: bigint,
  rates: EpochRates,
  position: Pick<EpochPositionLike, 'slotsInEpoch' | 'slotDurationMs'>,
): bigint => perDay(earned([activeLamports], 1, rates), position);
