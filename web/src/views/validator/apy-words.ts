// Describes how a part of the APY was determined, from the response's own data.
import type { Apy } from '../../../../client/generated/validator-operations.ts';
import { defineWords, translate } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';

const { say } = defineWords('validator', validatorEnglish);

/** Method of one part of the APY; null while unknown. */
export type ApyPart = Apy['method']['staking'];

const SOURCES = {
  realised: 'measured',
  expected: 'expected',
  provider: 'providerFigure',
  none: 'noTips',
} as const;

/** Returns a word or two: measured, expected or reported. */
export const sourceWord = (part: ApyPart): string => say(part === null ? 'notKnown' : SOURCES[part.source]);

/** Explains how both parts are calculated, in the service's words if the page is English. */
export const methodText = ({ staking, jitoMev, description }: Apy['method']): string =>
  translate('serviceMethods', 'description', {
    staking: staking?.source ?? 'unknown',
    tips: jitoMev?.source ?? 'unknown',
  }) ?? description;

/** Builds one sentence. */
export const sourceSentence = (part: ApyPart): string => {
  if (part === null) return say('noDataYet');
  if (part.source === 'none') return say('tipsNotShared');
  if (part.source === 'provider') return say('reportedByProvider');
  if (part.source === 'expected') return say('expectedFromIssuance');
  const [from, to] = [String(part.fromEpoch), String(part.toEpoch)];
  const counts = { samples: part.sampleCount, epochs: part.epochCount };
  return from === to
    ? say('measuredInEpoch', { ...counts, epoch: to })
    : say('measuredInEpochs', { ...counts, from, to });
};
