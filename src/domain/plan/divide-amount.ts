// Lists the amounts that groups of stake can provide, and divides one of them exactly among the groups, with
// few instructions.

import { ascending } from '../../kernel/order.ts';
import {
  type AmountRange,
  isReachable,
  joinedRanges,
  MAX_SUMS,
  type ReachableAmounts,
  sumRanges,
} from './amount-ranges.ts';
import type { MergeGroup } from './divide-group.ts';

export interface Part {
  readonly group: MergeGroup;
  readonly lamports: bigint;
}

/**
 * Maximum number of parts that the search follows, for few and for many accounts. Beyond it, the best plan
 * found so far is used.
 */
const MAX_PARTS_FOLLOWED = { few: 3_000, many: 150 } as const;
const FEW_ACCOUNTS = 12;
/**
 * Maximum number of choices and remainders that the search compares, because listing parts takes time even if
 * only a few are followed.
 */
const MAX_COMPARISONS = 200_000;
/**
 * Limits on the sums of whole accounts that are formed before the search: sums kept and sums formed. They
 * suffice for about the 20 largest groups.
 */
const MAX_WHOLE_SUMS = 2_000;
const MAX_WHOLE_FORMED = 20_000;
/** Lower bound for the limit on sums per group, for wallets with very many groups. */
const MIN_SUMS = 64;

const NOTHING = joinedRanges([{ low: 0n, high: 0n }]);

/**
 * Lists the known amounts that the group can provide, including 0, in ascending order. `isComplete` is false if
 * some are missing.
 */
const amountsOf = ({ choices, range, hasAllChoices }: MergeGroup): ReachableAmounts =>
  joinedRanges(
    [...[...choices.keys()].map((sum) => ({ low: sum, high: sum })), ...(range === null ? [] : [range])],
    hasAllChoices,
  );

/**
 * Returns, for each index, the amounts that the group at that index and the following groups can provide
 * together. The first entry covers all groups.
 */
const amountsFrom = (groups: readonly MergeGroup[]): readonly ReachableAmounts[] => {
  const mostSums = Math.max(MIN_SUMS, Math.floor(MAX_SUMS / Math.max(1, groups.length)));
  const from: ReachableAmounts[] = [NOTHING];
  for (const group of [...groups].reverse()) from.push(sumRanges(amountsOf(group), from.at(-1)!, mostSums));
  return from.reverse();
};

/**
 * Sorts groups so that the widest ranges come last. Summing starts with the last group, so ranges join before
 * there are too many.
 */
const widestLast = (groups: readonly MergeGroup[]): readonly MergeGroup[] => {
  const width = ({ range }: MergeGroup): bigint => (range === null ? -1n : range.high - range.low);
  return [...groups].sort((one, other) => ascending(width(one), width(other)));
};

/** Lists the amounts that all groups can provide together, including 0. */
export const reachableAmounts = (groups: readonly MergeGroup[]): ReachableAmounts =>
  amountsFrom(widestLast(groups))[0]!;

/** Parts as a linked list with shared tails, because thousands of sums are kept. */
interface Whole {
  readonly accounts: number;
  readonly part: Part;
  readonly before: Whole | null;
}

const partsUntil = (last: Whole | null): readonly Part[] => {
  const parts: Part[] = [];
  for (let one = last; one !== null; one = one.before) parts.unshift(one.part);
  return parts;
};

const largestChoice = ({ choices }: MergeGroup): bigint => {
  let largest = 0n;
  for (const lamports of choices.keys()) if (lamports > largest) largest = lamports;
  return largest;
};

/**
 * Returns the smallest set found of whole accounts that together hold exactly `lamports`, or null if none of
 * the sums formed matches. Each account takes at least one instruction, so only sets of fewer accounts than
 * `instructionsToBeat` are useful.
 */
const wholeParts = (
  groups: readonly MergeGroup[],
  lamports: bigint,
  instructionsToBeat: number,
): readonly Part[] | null => {
  const found = new Map<bigint, Whole | null>([[0n, null]]);
  const parts = (): readonly Part[] | null => {
    const last = found.get(lamports);
    return last === undefined ? null : partsUntil(last);
  };
  let formed = 0;
  let left = groups.reduce((sum, group) => sum + largestChoice(group), 0n);
  for (const group of groups) {
    left -= largestChoice(group);
    const choices = [...group.choices].filter(([, chosen]) => chosen.length > 0);
    for (const [sum, before] of [...found]) {
      const missing = lamports - sum;
      // With a part below this amount, the remaining groups together cannot provide the rest.
      const leastPart = missing - left;
      // Without a part from this group, the sum can no longer reach `lamports`.
      if (leastPart > 0n) found.delete(sum);
      for (const [part, chosen] of choices) {
        formed += 1;
        if (formed > MAX_WHOLE_FORMED) return parts();
        if (part < leastPart || part > missing) continue;
        const whole = sum + part;
        const known = found.get(whole);
        const accounts = (before?.accounts ?? 0) + chosen.length;
        if (accounts >= instructionsToBeat) continue;
        if (known ? accounts < known.accounts : found.size < MAX_WHOLE_SUMS || whole === lamports)
          found.set(whole, { accounts, part: { group, lamports: part }, before });
      }
    }
  }
  return parts();
};

/**
 * Chooses the amount to take from each group. Returns null if `lamports` is not among the computed
 * amounts. `costOf` counts the instructions that a part takes.
 */
export const divideAmount = (
  unordered: readonly MergeGroup[],
  lamports: bigint,
  costOf: (part: Part) => number,
): readonly Part[] | null => {
  const groups = widestLast(unordered);
  const from = amountsFrom(groups);
  if (!isReachable(from[0]!.ranges, lamports)) return null;
  const accounts = groups.reduce((sum, group) => sum + group.accounts.length, 0);
  const maxParts = accounts > FEW_ACCOUNTS ? MAX_PARTS_FOLLOWED.many : MAX_PARTS_FOLLOWED.few;
  const costs = new Map<MergeGroup, Map<bigint, number>>(groups.map((group) => [group, new Map()]));
  const cost = (part: Part): number => {
    const known = costs.get(part.group)!.get(part.lamports);
    const counted = known ?? costOf(part);
    if (known === undefined) costs.get(part.group)!.set(part.lamports, counted);
    return counted;
  };
  let bestCost = Number.POSITIVE_INFINITY;
  let bestParts: readonly Part[] = [];
  const offer = (parts: readonly Part[], sum: number): void => {
    if (sum < bestCost) [bestCost, bestParts] = [sum, parts];
  };
  for (const group of groups)
    if (group.choices.has(lamports) || (group.range !== null && isReachable([group.range], lamports)))
      offer([{ group, lamports }], cost({ group, lamports }));
  // The search begins with the groups with the narrowest ranges. With many accounts, it reaches its limit
  // before it finds a combination of three large accounts, so sums of whole accounts are tried first.
  const whole = wholeParts(groups.toReversed(), lamports, bestCost);
  if (whole !== null)
    offer(
      whole,
      whole.reduce((sum, part) => sum + cost(part), 0),
    );
  let partsFollowed = 0;
  let comparisons = 0;
  const search = (index: number, left: bigint, parts: readonly Part[], sum: number): void => {
    if (left === 0n) offer(parts, sum);
    const group = groups[index];
    if (left === 0n || group === undefined) return;
    const rests = from[index + 1]!.ranges;
    comparisons += group.choices.size + rests.length;
    // Each part leaves a remainder that the following groups can provide, so the first descent of the search
    // already finds a plan.
    for (const part of partsOf(group, left, rests)) {
      // A remainder takes at least one more instruction.
      if (
        bestCost < Number.POSITIVE_INFINITY &&
        (sum + 1 >= bestCost || partsFollowed > maxParts || comparisons > MAX_COMPARISONS)
      )
        return;
      partsFollowed += 1;
      if (part === 0n) search(index + 1, left, parts, sum);
      else {
        const next = { group, lamports: part };
        search(index + 1, left - part, [...parts, next], sum + cost(next));
      }
    }
  };
  search(0, lamports, [], 0);
  if (bestCost === Number.POSITIVE_INFINITY) throw new Error('A reachable amount was not allocated.');
  return bestParts;
};

/**
 * Lists amounts of a group that leave a remainder which the following groups can provide, largest first:
 * every choice, but only the two ends of each possible range.
 */
const partsOf = (
  { choices, range }: MergeGroup,
  lamports: bigint,
  rests: readonly AmountRange[],
): readonly bigint[] => {
  const isPossible = (part: bigint): boolean => part <= lamports && isReachable(rests, lamports - part);
  const parts = new Set([...choices.keys()].filter(isPossible));
  if (range !== null)
    for (const { low, high } of rests) {
      if (low > lamports) break;
      const lowest = lamports - high > range.low ? lamports - high : range.low;
      const highest = lamports - low < range.high ? lamports - low : range.high;
      if (lowest <= highest) parts.add(lowest).add(highest);
    }
  return [...parts].sort((one, other) => (one > other ? -1 : one < other ? 1 : 0));
};
