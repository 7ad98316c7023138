// What tips have brought per epoch: the MEV provider's exact lamports over the stake that earned them.
import { type EpochReturn, type MeasuredRate, measureTips } from '../domain/validator/apy.ts';
import { stakersMevLamports } from '../upstream/mev-statistics.ts';
import { type Part, part, providerPart, warningsOf } from './answer-part.ts';
import { MEASURED_EPOCHS } from './realised-inflation.ts';
import type { ValidatorSources } from './validator-sources.ts';

/** Said where the operator has configured no provider of the kind. */
export const NO_MEV_PROVIDER = 'The operator has not configured a provider of MEV statistics.';
export const NO_NETWORK_PROVIDER = 'The operator has not configured a provider of validator statistics.';

/** How many epochs providers and our own record are asked for. */
export const HISTORY_EPOCHS = 200;

/** The validator's stake by epoch, SOL: our own record, else the statistics provider's. Rounded, for shares and display only. */
const stakeByEpoch = async (
  { samples, network }: ValidatorSources,
  signal: AbortSignal,
): Promise<Part<ReadonlyMap<bigint, number>>> => {
  const [recorded, provider] = await Promise.all([
    part(samples.epochs(HISTORY_EPOCHS), 'This service’s record of epochs is currently unavailable.'),
    providerPart(network?.stakeHistory(signal), NO_NETWORK_PROVIDER),
  ]);
  const stakes = new Map<bigint, number>();
  for (const { epoch, activeStakeSol } of provider.value ?? [])
    if (activeStakeSol !== null) stakes.set(BigInt(epoch), activeStakeSol);
  for (const { epoch, activeStakeLamports } of recorded.value ?? [])
    if (activeStakeLamports !== null) stakes.set(epoch, Number(activeStakeLamports) / 1e9);
  return { value: stakes, warnings: warningsOf(recorded, provider) };
};

/** What the stakers got in tips. */
interface RealisedTips {
  /** Null where no ended epoch has both tips and stake. */
  readonly rate: MeasuredRate | null;
  readonly byEpoch: ReadonlyMap<bigint, number>;
}

/** Tips of the ended epochs before `currentEpoch`. The rate is made of the last ones, `byEpoch` of all that are known. */
export const realisedTips = async (
  sources: ValidatorSources,
  currentEpoch: bigint,
  signal: AbortSignal,
): Promise<Part<RealisedTips>> => {
  const [paid, stakes] = await Promise.all([
    providerPart(sources.mev?.rewards(signal), NO_MEV_PROVIDER),
    stakeByEpoch(sources, signal),
  ]);
  if (paid.value === null) return { value: null, warnings: paid.warnings };
  const returns = paid.value.flatMap((entry): EpochReturn[] => {
    const epoch = BigInt(entry.epoch);
    const lamports = stakersMevLamports(entry);
    const stakeSol = stakes.value?.get(epoch);
    // Rounded to what a double holds, which moves a rate in its sixteenth digit.
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
  const rate = measureTips(recent);
  // The stake matters only where there are tips to divide by it.
  const needsStake = rate === null && paid.value.length > 0;
  return {
    value: { rate, byEpoch },
    warnings: needsStake ? warningsOf(paid, stakes) : [...paid.warnings],
  };
};
