// Describes the timeline in words: names of the phases, their times, and how certain they are.
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import { type EpochBoundary, roundedBounds } from '../../../text/epoch-boundary.ts';
import { atTimeText, durationText, epochRange, timeText } from '../../../text/format-figures.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import type { Period, Phase } from './timeline-facts.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

const PHASES = {
  undelegated: 'phaseUndelegated',
  activating: 'phaseActivating',
  active: 'phaseActive',
  cooling: 'phaseCooling',
  locked: 'phaseLocked',
  withdrawable: 'phaseWithdrawable',
} as const satisfies Record<Phase, keyof typeof portfolioAccountsEnglish>;

const TIMES = {
  past: 'phasePast',
  now: 'phaseNow',
  next: 'phaseNext',
} as const satisfies Record<Period['when'], keyof typeof portfolioAccountsEnglish>;

/** Returns the display name of the phase and, for screen readers, whether it is over. */
export const phaseNames = ({ phase, when }: Period): { readonly name: string; readonly spoken: string } => ({
  name: say(PHASES[phase]),
  spoken: say(TIMES[when]),
});

/** Describes the end of the current epoch: the remaining time, the time of day, and the bounds. */
export const boundaryWords = (timing: EpochBoundary, nowMs: number): string => {
  const seconds = (Date.parse(timing.estimatedEpochEnd) - nowMs) / 1000;
  const bounds = roundedBounds([timing.earliestEpochEnd, timing.latestEpochEnd], nowMs);
  const [earliest, latest] = bounds.map((iso) => timeText(iso, nowMs)) as [string, string];
  const time = atTimeText(timing.estimatedEpochEnd, nowMs);
  const isSharp = earliest === latest;
  if (seconds <= 0)
    return isSharp ? say('anyMoment', { time }) : say('anyMomentBetween', { time, earliest, latest });
  const about = { duration: durationText(seconds), time };
  return isSharp ? say('inAbout', about) : say('inAboutBetween', { ...about, earliest, latest });
};

const pastText = ({ fromEpoch, untilEpoch }: Period): string => {
  const last = untilEpoch! - 1;
  if (fromEpoch === null) return say('untilEpoch', { epoch: last });
  return epochRange(fromEpoch, last);
};

const nextText = (epoch: number, timing: EpochTiming, nowMs: number): string =>
  epoch === timing.currentEpoch + 1
    ? say('fromEpoch', { epoch, when: boundaryWords(timing, nowMs) })
    : say('fromLaterEpoch', { epoch, count: epoch - timing.currentEpoch });

/** Describes the time of a phase. */
export const periodWords = (period: Period, timing: EpochTiming, nowMs: number): string => {
  const { phase, fromEpoch, untilEpoch, when } = period;
  if (when === 'past') return pastText(period);
  if (when === 'next') return nextText(fromEpoch!, timing, nowMs);
  const since =
    fromEpoch === null
      ? ''
      : fromEpoch === timing.currentEpoch
        ? say('inEpoch', { epoch: fromEpoch })
        : say('sinceEpoch', { epoch: fromEpoch });
  return phase === 'locked' && untilEpoch === null ? say('untilUnlocked', { since }) : since;
};
