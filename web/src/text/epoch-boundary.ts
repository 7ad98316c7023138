// Formats the end of an epoch with its bounds. Separate from the other formats, so the stake page loads it later.
import type { EpochTiming } from '../../../client/generated/shared-types.ts';
import { clockTime, HOUR_MS, timeText } from './format-figures.ts';

/**
 * Rounds bounds that are more than an hour apart to the hours around them, because the minutes of such an estimate
 * mean nothing. The first bound is never before `nowMs`.
 */
export const roundedBounds = (
  bounds: readonly [from: string, to: string],
  nowMs: number,
): readonly [from: string, to: string] => {
  const [fromMs, toMs] = bounds.map(Date.parse) as [number, number];
  if (toMs - fromMs <= HOUR_MS) return bounds;
  const hourOf = (ms: number): string =>
    new Date(Math.max(nowMs, new Date(ms).setMinutes(0, 0, 0))).toISOString();
  return [hourOf(fromMs), hourOf(toMs + HOUR_MS - 1)];
};

/**
 * Formats a time with its bounds, `14:10 (13:55–14:30)`. Bounds less than two minutes apart are omitted, and bounds
 * on the same day have no date.
 */
export const boundedTime = (
  iso: string,
  bounds: readonly [from: string, to: string],
  nowMs: number = Date.now(),
): string => {
  const [fromIso, toIso] = roundedBounds(bounds, nowMs);
  const isExact = Date.parse(toIso) - Date.parse(fromIso) < 120_000;
  const days = [iso, fromIso, toIso].map((one) => new Date(one).toDateString());
  const bound = (one: string): string =>
    new Set(days).size === 1 ? clockTime.format(Date.parse(one)) : timeText(one, nowMs);
  return `${timeText(iso, nowMs)}${isExact ? '' : ` (${bound(fromIso)}–${bound(toIso)})`}`;
};

/** End of the current epoch and its bounds, as estimated by the service. */
export type EpochBoundary = Pick<EpochTiming, 'estimatedEpochEnd' | 'earliestEpochEnd' | 'latestEpochEnd'>;

/** The current epoch and its end. */
export type CurrentEpoch = EpochBoundary & Pick<EpochTiming, 'currentEpoch'>;

/** Formats the end of the current epoch with its bounds. */
export const boundaryTime = (
  { estimatedEpochEnd, earliestEpochEnd, latestEpochEnd }: EpochBoundary,
  nowMs: number,
): string => boundedTime(estimatedEpochEnd, [earliestEpochEnd, latestEpochEnd], nowMs);
