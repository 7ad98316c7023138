// The yield of each past epoch: the only source for the interval, the history and the record. The current yield
// uses the same measurements of inflation and tips (apy-facts.ts).
import { annualYield } from '../domain/validator/realized-apy.ts';
import type { MeasuredEpoch } from '../domain/validator/yield-interval.ts';
import type { EpochSample } from '../store/validator-samples.ts';
import type { ReadRealised, RealisedInflation } from './measured-inflation.ts';
import { type RealisedTips, realisedTips } from './mev-rates.ts';
import { nullIfUnavailable } from './null-if-unavailable.ts';
import type { ValidatorSources } from './validator-sources.ts';

/** Computes the yields of the epochs for which both inflation and tips are known. */
export const measuredEpochs = (
  measured: RealisedInflation | null,
  tips: RealisedTips | null,
  secondsPerEpoch: number,
): readonly MeasuredEpoch[] =>
  [...(measured?.byEpoch ?? [])].flatMap(([epoch, inflationPerEpoch]) => {
    const tipsPerEpoch = tips?.perEpoch(epoch) ?? null;
    const { totalApy: apy } = annualYield({ inflationPerEpoch, tipsPerEpoch }, secondsPerEpoch);
    return apy === null
      ? []
      : [{ epoch: Number(epoch), apy, commission: measured?.commissionByEpoch.get(epoch) ?? null }];
  });

/** Reads the yields of the epochs from which the current yield is measured. */
export const readMeasuredEpochs = async (
  sources: ValidatorSources,
  realised: ReadRealised,
  { epoch, secondsPerEpoch }: { readonly epoch: bigint; readonly secondsPerEpoch: number },
  signal: AbortSignal,
): Promise<readonly MeasuredEpoch[]> => {
  const [measured, tips] = await Promise.all([
    nullIfUnavailable(realised(signal)),
    realisedTips(sources, epoch, signal),
  ]);
  return measuredEpochs(measured, tips.value, secondsPerEpoch);
};

/** Returns each epoch with a known yield once: as measured now or, failing that, as recorded. */
export const withMeasured = (
  samples: readonly EpochSample[],
  measured: readonly MeasuredEpoch[],
): readonly MeasuredEpoch[] => {
  const recorded = samples.flatMap(({ epoch, apy, commission }) =>
    apy === null ? [] : [{ epoch: Number(epoch), apy, commission }],
  );
  return [...new Map([...recorded, ...measured].map((one) => [one.epoch, one])).values()];
};
