// Counts random cases, for a guarantee's minimum counts and its line in docs/full-runs.md.

/** Creates a counter: `count(what)` adds one to `counts[what]`. */
export const createTally = () => {
  const counts: Record<string, number> = {};
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  return { counts, count };
};
