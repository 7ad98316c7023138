// What a stake made now would earn: nothing before it is effective, inflation compounding per epoch, tips beside it, rent never.
import { type EpochPositionLike, estimateEpochStart, secondsPerEpoch } from '../epoch-clock.ts';
import type { StakeHistory } from '../stake/stake-history.ts';
import { predictWarmUp } from './projection-warm-up.ts';

/** Shares of the effective stake per epoch, as measured (`measureInflation`, `measureTips`). */
export interface EpochRates {
  readonly inflationPerEpoch: number;
  /** 0 where it is not known: the caller says so. */
  readonly tipsPerEpoch: number;
}

/** A stake somebody thinks about. */
export interface ProjectionInput {
  /** All that is moved into the stake account. */
  readonly amountLamports: bigint;
  /** The part of it that is not delegated. */
  readonly stakeRentLamports: bigint;
  /** 1 to 3650. */
  readonly durationDays: number;
  readonly rates: EpochRates;
  readonly position: EpochPositionLike;
  readonly history: StakeHistory;
  readonly nowMs: number;
}

/** What has been paid so many days from now, and the balance of the stake account then. */
export interface ProjectedPeriod {
  readonly rewardLamports: bigint;
  readonly balanceLamports: bigint;
}

/** A projection. Forecasts at today's rates, not promises. */
export interface Projection {
  /** `amountLamports` less rent. */
  readonly delegatedLamports: bigint;
  /** One day, 30 days, 365 days and `durationDays` from now, the warm-up counted. */
  readonly daily: ProjectedPeriod;
  readonly monthly: ProjectedPeriod;
  readonly annual: ProjectedPeriod;
  readonly total: ProjectedPeriod;
  /** What one epoch and one day bring once the stake is effective, before anything compounded. */
  readonly onceActive: { readonly perEpochLamports: bigint; readonly perDayLamports: bigint };
  readonly activation: {
    /** Until the whole stake is effective; 1 unless the cluster's 9 % cap bites. */
    readonly epochsUntilActive: number;
    readonly estimatedActiveAt: string;
    /** The first epoch that earns: the one after the activation epoch. */
    readonly firstRewardEpoch: bigint;
    /** Its end, when it is paid. */
    readonly estimatedFirstRewardAt: string;
  };
}

const SECONDS_PER_DAY = 86_400;
// Rates come as doubles of 15 to 17 digits; 24 decimals keep their powers exact to the lamport over ten years of one-day epochs.
const ONE = 10n ** 24n;
const RATE_DIGITS = 1e18;

const fixed = (rate: number): bigint => BigInt(Math.round(rate * RATE_DIGITS)) * (ONE / 10n ** 18n);

const share = (lamports: bigint, rate: bigint): bigint => (lamports * rate) / ONE;

/** `(1 + rate)^epochs` by squaring, so that ten years of five-minute epochs cost no loop over a million of them. */
const growth = (rate: bigint, epochs: number): bigint => {
  let power = ONE + rate;
  let product = ONE;
  for (let left = epochs; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) product = product === ONE ? power : (product * power) / ONE;
    if (left > 1) power = (power * power) / ONE;
  }
  return product;
};

/** What the first `epochs` effective epochs pay. The chain rounds each payment down: it may pay one lamport less per epoch. */
const earned = (warmUp: readonly bigint[], epochs: number, rates: EpochRates): bigint => {
  const inflation = fixed(rates.inflationPerEpoch);
  const stakeLamports = warmUp.at(-1)!;
  const warming = warmUp.slice(0, Math.min(epochs, warmUp.length - 1));
  const whole = epochs - warming.length;
  const early = warming.reduce((sum, effective) => sum + share(effective, inflation), 0n);
  const compounded = whole === 0 ? 0n : share(stakeLamports + early, growth(inflation, whole) - ONE);
  const tipped = warming.reduce((sum, effective) => sum + effective, stakeLamports * BigInt(whole));
  return early + compounded + share(tipped, fixed(rates.tipsPerEpoch));
};

/** How many boundaries have passed `days` from now. The first ends the activation epoch and pays nothing. */
const boundariesWithin = (days: number, { position, nowMs }: ProjectionInput): number => {
  const { secondsRemaining } = estimateEpochStart(position, position.epoch + 1n, nowMs);
  const left = days * SECONDS_PER_DAY - secondsRemaining;
  return left < 0 ? 0 : 1 + Math.floor(left / secondsPerEpoch(position));
};

/**
 * Projects a stake delegated in the current epoch. Inflation rewards raise the delegation and earn from the next epoch on; tips are a
 * share of what was delegated, the same each epoch. Fully effective for a year, that is `annualYield` of the delegated amount.
 * Throws `RangeError` when the amount does not cover the rent.
 */
export const project = (input: ProjectionInput): Projection => {
  const { amountLamports, rates, position, nowMs } = input;
  const delegatedLamports = amountLamports - input.stakeRentLamports;
  if (delegatedLamports <= 0n) throw new RangeError('Nothing is left to delegate after rent.');
  const warmUp = predictWarmUp(delegatedLamports, position.epoch, input.history);
  const period = (days: number): ProjectedPeriod => {
    const rewardLamports = earned(warmUp, Math.max(0, boundariesWithin(days, input) - 1), rates);
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
 * What an account with `activeLamports` effective now earns in a day at these rates, on average. Only what is effective earns: 0 for
 * an account in its activation epoch, and a cooling one earns with what is left.
 */
export const estimatedDailyReward = (
  activeLamports: bigint,
  rates: EpochRates,
  position: Pick<EpochPositionLike, 'slotsInEpoch' | 'slotDurationMs'>,
): bigint => perDay(earned([activeLamports], 1, rates), position);
