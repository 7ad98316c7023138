// Describes how a part of the APY was determined, from the response's own data.
import type { Apy } from '../../../../client/generated/validator-operations.ts';
import { epochRange, percent } from '../../text/format-figures.ts';
import { noticeText } from '../../text/notice-text.ts';
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
  return say('measuredIn', {
    samples: part.sampleCount,
    epochs: part.epochCount,
    range: epochRange(part.fromEpoch, part.toEpoch),
  });
};

/** Describes the interval of the yield, or the reason why there is none. */
export const intervalSentence = ({ interval, intervalMissing }: Apy): string =>
  interval === null
    ? intervalMissing === null
      ? say('notKnown')
      : noticeText(intervalMissing)
    : say('interval', {
        low: percent(interval.lowApy),
        high: percent(interval.highApy),
        epochs: interval.horizonEpochs,
        count: interval.epochCount,
        range: epochRange(interval.fromEpoch, interval.toEpoch),
      });

/** Says how many earlier intervals held. */
export const scoreSentence = ({ pastIntervals: { said, held } }: Apy): string =>
  said === 0 ? say('noPastIntervals') : say('pastIntervals', { said, held });
