// Chooses the labeled epochs of a chart's axis: evenly spaced, and always including the newest.

const MAX_TICKS = 6;

/** Returns the ticks. `epochs` must be ascending. */
export const epochTicks = (epochs: readonly number[]): readonly number[] => {
  const step = Math.ceil(epochs.length / MAX_TICKS);
  return epochs.filter((_, index) => (epochs.length - 1 - index) % step === 0);
};
