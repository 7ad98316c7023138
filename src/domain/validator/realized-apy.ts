// Computes the realized yield from the rates per epoch measured on stake accounts.

/** Length of the year in all annual rates, in days. */
const DAYS_PER_YEAR = 365;
const SECONDS_PER_YEAR = DAYS_PER_YEAR * 86_400;

/** Reward of one stake account for one epoch. `lamports` is 0, not absent, if the epoch paid nothing. */
export interface EpochReturn {
  readonly epoch: bigint;
  readonly lamports: bigint;
  /** Effective stake that earned the reward in that epoch. */
  readonly effectiveLamports: bigint;
}

/**
 * Minimum stake of a sample. Rewards are whole lamports, and below 0.1 SOL the rounding distorts the rate.
 */
const MIN_EFFECTIVE_LAMPORTS = 100_000_000n;

/** A measured rate, and the sample behind it. */
export interface MeasuredRate {
  /** Share of the effective stake per epoch, averaged over the window. 0.0003 means 0.03 %. */
  readonly perEpoch: number;
  /** First and last epoch measured. */
  readonly fromEpoch: bigint;
  readonly toEpoch: bigint;
  /** Number of epochs with samples, and number of samples (one per account and epoch). */
  readonly epochCount: number;
  readonly sampleCount: number;
}

/** Computes the number of epochs of this length in a year. */
export const epochsPerYear = (secondsPerEpoch: number): number => SECONDS_PER_YEAR / secondsPerEpoch;

const byEpoch = (samples: readonly EpochReturn[]): readonly (readonly EpochReturn[])[] => {
  const epochs = new Map<bigint, EpochReturn[]>();
  for (const sample of samples) {
    if (sample.effectiveLamports < MIN_EFFECTIVE_LAMPORTS) continue;
    const others = epochs.get(sample.epoch);
    if (others) others.push(sample);
    else epochs.set(sample.epoch, [sample]);
  }
  return [...epochs.values()];
};

const rateOf = ({ lamports, effectiveLamports }: EpochReturn): number =>
  Number(lamports) / Number(effectiveLamports);

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

const measured = (
  epochs: readonly (readonly EpochReturn[])[],
  perEpoch: (epochs: readonly (readonly EpochReturn[])[]) => number,
): MeasuredRate | null => {
  const [first] = epochs;
  if (first === undefined) return null;
  const numbers = epochs.map(([sample]) => sample!.epoch);
  return {
    perEpoch: perEpoch(epochs),
    fromEpoch: numbers.reduce((a, b) => (a < b ? a : b)),
    toEpoch: numbers.reduce((a, b) => (a > b ? a : b)),
    epochCount: epochs.length,
    sampleCount: epochs.reduce((sum, samples) => sum + samples.length, 0),
  };
};

/**
 * Computes the inflation rate per epoch: the median of the accounts in each epoch, then the mean growth
 * across epochs. All accounts of a validator earn the same share. Null without samples.
 */
export const measureInflation = (samples: readonly EpochReturn[]): MeasuredRate | null =>
  measured(byEpoch(samples), (epochs) => {
    const growth = epochs.map((accounts) => Math.log1p(median(accounts.map(rateOf))));
    return Math.expm1(growth.reduce((sum, value) => sum + value, 0) / growth.length);
  });

/**
 * Converts samples to rates before commission. Omits epochs whose commission is unknown, and those with 100
 * %, which reveal nothing about the validator's rewards.
 */
export const ratesBeforeCommission = (
  samples: readonly EpochReturn[],
  commissionPctByEpoch: ReadonlyMap<bigint, number>,
): readonly EpochReturn[] =>
  samples.flatMap((sample) => {
    const commissionPct = commissionPctByEpoch.get(sample.epoch);
    if (commissionPct === undefined || commissionPct >= 100) return [];
    return [{ ...sample, lamports: BigInt(Math.round(Number(sample.lamports) / (1 - commissionPct / 100))) }];
  });

/** Computes the inflation rate of each epoch with a sample, for the yield history. */
export const inflationByEpoch = (samples: readonly EpochReturn[]): ReadonlyMap<bigint, number> =>
  new Map(byEpoch(samples).map((accounts) => [accounts[0]!.epoch, median(accounts.map(rateOf))]));

/**
 * Computes the rate of tips per epoch: the tips of all accounts divided by their total stake, because tips do
 * not reach every account in every epoch, and then the mean across epochs. Null without samples.
 */
export const measureTips = (samples: readonly EpochReturn[]): MeasuredRate | null =>
  measured(byEpoch(samples), (epochs) => {
    const rates = epochs.map(
      (accounts) =>
        Number(accounts.reduce((sum, { lamports }) => sum + lamports, 0n)) /
        Number(accounts.reduce((sum, { effectiveLamports }) => sum + effectiveLamports, 0n)),
    );
    return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  });

/** Annual rates in percent, with four decimals. If a part is unknown, both it and the total are null. */
export interface Apy {
  readonly stakingApy: number | null;
  readonly jitoMevApy: number | null;
  /** Exactly `stakingApy + jitoMevApy`. */
  readonly totalApy: number | null;
}

const percent = (share: number): number | null => {
  const rounded = Math.round(share * 1_000_000) / 10_000;
  return Number.isFinite(rounded) ? rounded : null;
};

/**
 * Annualizes the rates. Inflation rewards raise the stake that earns the next ones, so they compound. Tips
 * are not delegated and do not compound.
 */
export const annualYield = (
  rates: { readonly inflationPerEpoch: number | null; readonly tipsPerEpoch: number | null },
  secondsPerEpoch: number,
): Apy => {
  const { inflationPerEpoch, tipsPerEpoch } = rates;
  const epochs = epochsPerYear(secondsPerEpoch);
  const stakingApy =
    inflationPerEpoch === null ? null : percent(Math.expm1(epochs * Math.log1p(inflationPerEpoch)));
  const jitoMevApy = tipsPerEpoch === null ? null : percent(epochs * tipsPerEpoch);
  return { stakingApy, jitoMevApy, totalApy: totalApy(stakingApy, jitoMevApy) };
};

/** Adds both parts, in percent with four decimals; null if either part is null. */
export const totalApy = (stakingApy: number | null, jitoMevApy: number | null): number | null =>
  stakingApy === null || jitoMevApy === null ? null : percent((stakingApy + jitoMevApy) / 100);

/**
 * Computes a lower bound of the yield in percent: the total or, if tips are unknown, the staking part. Null
 * if that is unknown too.
 */
export const atLeastApy = ({ stakingApy, totalApy: total }: Apy): number | null => total ?? stakingApy;

/**
 * Computes the rate per epoch that compounds to `stakingApy` percent a year: the inverse of `annualYield`.
 */
export const inflationPerEpochOf = (stakingApy: number, secondsPerEpoch: number): number =>
  Math.expm1(Math.log1p(stakingApy / 100) / epochsPerYear(secondsPerEpoch));

/**
 * Computes the rate per epoch that adds up to `jitoMevApy` percent a year, for rates reported by a provider.
 */
export const tipsPerEpochOf = (jitoMevApy: number, secondsPerEpoch: number): number =>
  jitoMevApy / 100 / epochsPerYear(secondsPerEpoch);
