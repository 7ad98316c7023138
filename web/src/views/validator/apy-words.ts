// Describes how a part of the APY was determined, from the answer's own data.
import type { Apy } from '../../../../client/generated/validator-operations.ts';

/** Method of one part; null while unknown. */
export type ApyPart = Apy['method']['staking'];

const SOURCES = {
  realised: 'Measured',
  expected: 'Expected',
  provider: 'A provider’s figure',
  none: 'No tips',
} as const;

/** A word or two: measured, expected or reported. */
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
