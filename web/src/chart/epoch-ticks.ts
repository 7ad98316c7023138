// Chooses the epochs of a chart: every epoch from the first to the last, so unknown ones are gaps, and which of
// them have labels.

const MAX_TICKS = 6;

/** Returns the ticks: evenly spaced, always including the newest epoch. `epochs` must be ascending. */
export const epochTicks = (epochs: readonly number[]): readonly number[] => {
  const [first = 0, last = -1] = [epochs[0], epochs.at(-1)];
  const step = Math.ceil((last - first + 1) / MAX_TICKS);
  return everyEpoch(epochs).filter((epoch) => (last - epoch) % step === 0);
};

/** Returns every epoch from the first to the last. `epochs` must be ascending. */
const everyEpoch = (epochs: readonly number[]): readonly number[] =>
  epochs.length === 0
    ? []
    : Array.from({ length: epochs.at(-1)! - epochs[0]! + 1 }, (_, at) => epochs[0]! + at);

/** Returns the rows of every epoch from the first to the last, oldest first; undefined for missing ones. */
export const rowsByEpoch = <Row extends { readonly epoch: number }>(
  rows: readonly Row[],
): { readonly xs: readonly number[]; readonly rows: readonly (Row | undefined)[] } => {
  const known = new Map(rows.map((row) => [row.epoch, row]));
  const xs = everyEpoch([...known.keys()].sort((one, other) => one - other));
  return { xs, rows: xs.map((epoch) => known.get(epoch)) };
};
