// The timeline in words: names of the phases, their times, and how certain they are.
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import { duration, type EpochBoundary, timeText } from '../../../text/format-figures.ts';
import type { Period, Phase } from './timeline-facts.ts';

/** Display names of the phases. */
export const PHASE_NAMES: Readonly<Record<Phase, string>> = {
  undelegated: 'Not delegated',
  activating: 'Activating',
  active: 'Active',
  cooling: 'Deactivating',
  locked: 'Locked',
  withdrawable: 'Withdrawable',
};

/** The end of the current epoch: in how long, at what time, and with which bounds. */
export const boundaryWords = (timing: EpochBoundary, nowMs: number): string => {
  const text = (iso: string): string => timeText(iso, nowMs);
  const seconds = (Date.parse(timing.estimatedEpochEnd) - nowMs) / 1000;
  const [earliest, latest] = [text(timing.earliestEpochEnd), text(timing.latestEpochEnd)];
  const soon = seconds <= 0 ? 'any moment now' : `in about ${duration(seconds)}`;
  const between = earliest === latest ? '' : ` (between ${earliest} and ${latest})`;
  return `${soon}, at ${text(timing.estimatedEpochEnd)}${between}`;
};

const pastText = ({ fromEpoch, untilEpoch }: Period): string => {
  const last = untilEpoch! - 1;
  if (fromEpoch === null) return `until epoch ${last}`;
  return fromEpoch === last ? `epoch ${last}` : `epochs ${fromEpoch} to ${last}`;
};

const epochStart = (epoch: number, timing: EpochTiming, nowMs: number): string =>
  epoch === timing.currentEpoch + 1
    ? `epoch ${epoch} at the earliest, ${boundaryWords(timing, nowMs)}`
    : `epoch ${epoch} at the earliest, ${epoch - timing.currentEpoch} epoch ends from now`;

/** Time of a phase in words. */
export const periodWords = (period: Period, timing: EpochTiming, nowMs: number): string => {
  const { phase, fromEpoch, untilEpoch, when } = period;
  if (when === 'past') return pastText(period);
  if (when === 'next') return `from ${epochStart(fromEpoch!, timing, nowMs)}`;
  const since =
    fromEpoch === null
      ? ''
      : fromEpoch === timing.currentEpoch
        ? `in epoch ${fromEpoch}`
        : `since epoch ${fromEpoch}`;
  if (phase === 'locked' && untilEpoch === null) return `${since}, until its lockup ends`;
  return since;
};
