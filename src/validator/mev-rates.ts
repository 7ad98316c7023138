// Tips per epoch: the MEV provider's exact lamports divided by the stake that earned them.

import { notice } from '../domain/notice.ts';
import { type EpochReturn, type MeasuredRate, measureTips } from '../domain/validator/realized-apy.ts';
import { stakersMevLamports } from '../upstream/mev-statistics.ts';
import { MEASURED_EPOCHS } from './measured-inflation.ts';
import { type Part, part, providerPart, warningsOf } from './response-part.ts';
import type { ValidatorSources } from './validator-sources.ts';

/** Warnings that the operator has not configured a provider. */
export const NO_MEV_PROVIDER = notice(
  'NO_MEV_PROVIDER',
  'The operator has not configured a provider of MEV statistics.',
);
export const NO_NETWORK_PROVIDER = notice(
  'NO_NETWORK_PROVIDER',
  'The operator has not configured a provider of validator statistics.',
);

/** Number of epochs requested from providers and from our own record. */
export const HISTORY_EPOCHS = 200;

/**
 * Returns the validator's stake by epoch in SOL, from our own record or, failing that, from the statistics
 * provider. Rounded, so only for shares and display.
 */
const stakeByEpoch = async (
  { samples, network }: ValidatorSources,
  signal: AbortSignal,
): Promise<Part<ReadonlyMap<bigint, number>>> => {
  const [recorded, provider] = await Promise.all([
    part(
      samples.epochs(HISTORY_EPOCHS),
      notice('EPOCH_RECORD_UNAVAILABLE', 'This service’s record of epochs is currently unavailable.'),
    ),
    providerPart(network?.stakeHistory(signal), NO_NETWORK_PROVIDER),
  ]);
  const stakes = new Map<bigint, number>();
  for (const { epoch, activeStakeSol } of provider.value ?? [])
    if (activeStakeSol !== null) stakes.set(BigInt(epoch), activeStakeSol);
  for (const { epoch, activeStakeLamports } of recorded.value ?? [])
    if (activeStakeLamports !== null) stakes.set(epoch, Number(activeStakeLamports) / 1e9);
  return { value: stakes, warnings: warningsOf(recorded, provider) };
};

/** Tips paid to stakers. */
export interface RealisedTips {
  /** Null if no ended epoch has both tips and stake. */
  readonly rate: MeasuredRate | null;
  /** Returns the tips of an ended epoch; null if unknown. */
  readonly perEpoch: (epoch: bigint) => number | null;
  /** False if the validator does not currently share in tips; null if unknown. */
  readonly sharesTips: boolean | null;
}

/**
 * Computes the tips of the epochs before `currentEpoch`. The rate covers the last `MEASURED_EPOCHS`,
 * `perEpoch` all known ones.
 */
export const realisedTips = async (
  sources: ValidatorSources,
  currentEpoch: bigint,
  signal: AbortSignal,
): Promise<Part<RealisedTips>> => {
  const [paid, commission, stakes] = await Promise.all([
    providerPart(sources.mev?.rewards(signal), NO_MEV_PROVIDER),
    providerPart(sources.mev?.commission(Number(currentEpoch), signal), NO_MEV_PROVIDER),
    stakeByEpoch(sources, signal),
  ]);
  const sharesTips = commission.value?.runsJito ?? null;
  if (paid.value === null && sharesTips !== false)
    return { value: null, warnings: warningsOf(paid, commission) };
  const returns = (paid.value ?? []).flatMap((entry): EpochReturn[] => {
    const epoch = BigInt(entry.epoch);
    const lamports = stakersMevLamports(entry);
    const stakeSol = stakes.value?.get(epoch);
    // Rounded to a double, which changes a rate in its sixteenth digit.
    return lamports === null || stakeSol === undefined || epoch >= currentEpoch
      ? []
      : [{ epoch, lamports, effectiveLamports: BigInt(Math.round(stakeSol * 1e9)) }];
  });
  const recent = returns.filter(({ epoch }) => epoch >= currentEpoch - BigInt(MEASURED_EPOCHS));
  const byEpoch = new Map(
    returns.flatMap((one): [bigint, number][] => {
      const rate = measureTips([one]);
      return rate === null ? [] : [[one.epoch, rate.perEpoch]];
    }),
  );
  // A missing epoch is unknown, unless the validator has never shared in tips.
  const missing = paid.value?.length === 0 && sharesTips === false ? 0 : null;
  const rate = measureTips(recent);
  // Without tips, a missing stake triggers no warning.
  const needsStake = rate === null && (paid.value ?? []).length > 0;
  return {
    value: { rate, perEpoch: (epoch) => byEpoch.get(epoch) ?? missing, sharesTips },
    warnings: warningsOf(paid, ...(rate === null ? [commission] : []), ...(needsStake ? [stakes] : [])),
  };
};
