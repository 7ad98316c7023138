// Which amounts can be taken out of stakes: sums of whole accounts, and where stake can be divided everything between two bounds.

/** Amounts from `low` to `high`, both included. */
export interface AmountRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** More ranges are never kept apart: of so many single sums some are left out, so that an amount may be missed and none is made up. */
const MOST_RANGES = 500;

const byLow = (one: AmountRange, other: AmountRange): number =>
  one.low < other.low ? -1 : one.low > other.low ? 1 : 0;

const thinned = (ranges: readonly AmountRange[]): readonly AmountRange[] => {
  const every = Math.ceil(ranges.length / MOST_RANGES);
  if (every === 1) return ranges;
  return ranges.filter(
    ({ low, high }, index) => low < high || index % every === 0 || index === ranges.length - 1,
  );
};

/** The same amounts in ascending order, ranges that touch as one. */
export const joinedRanges = (ranges: readonly AmountRange[]): readonly AmountRange[] => {
  const result: AmountRange[] = [];
  for (const range of [...ranges].sort(byLow)) {
    const last = result.at(-1);
    if (last === undefined || range.low > last.high + 1n) result.push(range);
    else if (range.high > last.high) result[result.length - 1] = { low: last.low, high: range.high };
  }
  return thinned(result);
};

/** Every sum of an amount of one and an amount of the other. */
export const summedRanges = (
  some: readonly AmountRange[],
  others: readonly AmountRange[],
): readonly AmountRange[] =>
  joinedRanges(
    some.flatMap((one) => others.map((other) => ({ low: one.low + other.low, high: one.high + other.high }))),
  );

/** The amount itself where it is reachable, and its nearest reachable neighbours; 0 counts as none. */
export const nearestAmounts = (
  ranges: readonly AmountRange[],
  lamports: bigint,
): { readonly isReachable: boolean; readonly below: bigint | null; readonly above: bigint | null } => {
  let from = 0;
  let until = ranges.length;
  while (from < until) {
    const middle = (from + until) >> 1;
    if (ranges[middle]!.high < lamports) from = middle + 1;
    else until = middle;
  }
  const next = ranges[from];
  if (next !== undefined && next.low <= lamports)
    return { isReachable: true, below: lamports, above: lamports };
  const below = ranges[from - 1]?.high ?? 0n;
  return { isReachable: false, below: below > 0n ? below : null, above: next?.low ?? null };
};
