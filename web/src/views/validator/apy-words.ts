// Says in words how a part of the APY was made, from the answer's own account of it.
import type { Apy } from '../../../../client/generated/validator-operations.ts';

/** How one part was made; null while that is not known. */
export type ApyPart = Apy['method']['staking'];

const SOURCES = {
  realised: 'Measured',
  expected: 'Expected',
  provider: 'A provider’s figure',
  none: 'No tips',
} as const;

/** A word or two: whether it was measured, expected or taken over. */
export const sourceWord = (part: ApyPart): string => (part === null ? 'Not known' : SOURCES[part.source]);

/** One sentence. */
export const sourceSentence = (part: ApyPart): string => {
  if (part === null) return 'No data yet.';
  if (part.source === 'none') return 'This validator does not share tips.';
  if (part.source === 'provider') return 'Reported by a statistics provider, not measured here.';
  if (part.source === 'expected')
    return 'Expected from the cluster’s issuance. No paid reward has been measured yet.';
  const { fromEpoch, toEpoch, epochCount, sampleCount } = part;
  const epochs = fromEpoch === toEpoch ? `epoch ${toEpoch}` : `epochs ${fromEpoch} to ${toEpoch}`;
  const payments = `${sampleCount} ${sampleCount === 1 ? 'payment' : 'payments'}`;
  return `From ${payments} in ${epochs} (${epochCount} with payments).`;
};
