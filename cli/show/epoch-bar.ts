// Shows the progress of the epoch in one line.
import type { EpochTiming } from '../../client/generated/shared-types.ts';
import { duration } from '../../src/domain/duration.ts';

const WIDTH = 24;

/** Returns the line for a position that the service reported `agoMs` ago. */
export const epochBar = (
  {
    currentEpoch,
    progressPct,
    estimatedSecondsRemaining,
  }: Pick<EpochTiming, 'currentEpoch' | 'progressPct' | 'estimatedSecondsRemaining'>,
  agoMs: number,
): string => {
  const leftSeconds = Math.max(0, estimatedSecondsRemaining - agoMs / 1_000);
  const leftShare = estimatedSecondsRemaining > 0 ? leftSeconds / estimatedSecondsRemaining : 0;
  const done = Math.min(1, Math.max(0, 1 - (1 - progressPct / 100) * leftShare));
  const full = Math.floor(done * WIDTH);
  const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
  return `epoch ${currentEpoch}  ${bar}  ${Math.floor(done * 100)}%, about ${duration(leftSeconds)} left`;
};
