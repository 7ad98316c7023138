// Suggests the closest known name by edit distance.

/** Computes the edit distance: insertions, deletions, replacements and swaps of neighboring characters. */
const editDistance = (a: string, b: string): number => {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (beforePrevious[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
};

/**
 * Returns the known name with the smallest edit distance, ignoring case, if that is at most a third of
 * `name`'s length. On a tie, the first name wins.
 */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const ranked = known.map((candidate) => ({
    candidate,
    distance: editDistance(name.toUpperCase(), candidate.toUpperCase()),
  }));
  const best = ranked.reduce((left, right) => (right.distance < left.distance ? right : left), {
    candidate: '',
    distance: Number.POSITIVE_INFINITY,
  });
  return best.distance <= name.length / 3 ? best.candidate : undefined;
};
