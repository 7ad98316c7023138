// Arithmetic with the amounts that can be taken out of stakes: single amounts for whole accounts, and ranges
// for stake that can be divided. Refusals of any other amount state its nearest neighbors.

import { ascending } from '../../kernel/order.ts';
import type { DraftOrRefusal, PlanDraft, PlanRefusal } from './plan.ts';

/** Amounts from `low` to `high`, both included. */
export interface AmountRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** Possible amounts, in ascending order. */
export interface ReachableAmounts {
  readonly ranges: readonly AmountRange[];
  /**
   * False if there were too many sums to compute all of them, so some possible amounts are missing. Every
   * listed amount is possible.
   */
  readonly isComplete: boolean;
}

/** Maximum number of ranges in a response: about 30 kB of JSON. */
const MAX_RANGES = 500;

/**
 * Maximum number of sums of two ranges per request. Every distinct stake size doubles the number of sums, so
 * without this limit one wallet could keep the service busy for any length of time. Computing 20,000 takes 10
 * ms.
 */
export const MAX_SUMS = 20_000;

/** Builds the refusal of an amount that is not possible, with the nearest possible ones. */
export const amountNotReachable = (
  lamports: bigint,
  { ranges, isComplete }: ReachableAmounts,
): { readonly refusal: PlanRefusal } => {
  const { below, above } = nearestAmounts(ranges, lamports);
  return {
    refusal: {
      why: 'AMOUNT_NOT_REACHABLE',
      nearestBelowLamports: below,
      nearestAboveLamports: above,
      isComplete,
    },
  };
};

/**
 * Returns the plan of `planFor` for the next larger possible amount if the goal may be rounded up; otherwise
 * the refusal with the nearest amounts.
 */
export const planNextLarger = (
  { lamports, rounding }: { readonly lamports: bigint; readonly rounding: 'exact' | 'atLeast' },
  amounts: ReachableAmounts,
  planFor: (lamports: bigint) => PlanDraft | null,
): DraftOrRefusal => {
  const { above } = nearestAmounts(amounts.ranges, lamports);
  const larger = rounding === 'atLeast' && above !== null ? planFor(above) : null;
  return larger ?? amountNotReachable(lamports, amounts);
};

const byLow = (one: AmountRange, other: AmountRange): number => ascending(one.low, other.low);

const byWidth = (one: AmountRange, other: AmountRange): number =>
  ascending(other.high - other.low, one.high - one.low);

/**
 * Reduces the ranges to at most `most`: the first, the last, the widest, and an even selection of the others.
 */
const thinned = (ranges: readonly AmountRange[], most: number): readonly AmountRange[] => {
  if (ranges.length <= most) return ranges;
  const kept = new Set([ranges[0]!, ranges.at(-1)!]);
  for (const range of [...ranges].sort(byWidth).slice(0, most / 2))
    if (range.low < range.high) kept.add(range);
  const others = ranges.filter((range) => !kept.has(range));
  const left = Math.max(0, most - kept.size);
  for (let index = 0; index < left; index += 1) kept.add(others[Math.floor((index * others.length) / left)]!);
  return ranges.filter((range) => kept.has(range));
};

/** Sorts the amounts and joins adjacent ranges. Returns at most `MAX_RANGES` ranges. */
export const joinedRanges = (ranges: readonly AmountRange[], isComplete = true): ReachableAmounts => {
  const result: AmountRange[] = [];
  for (const range of [...ranges].sort(byLow)) {
    const last = result.at(-1);
    if (last === undefined || range.low > last.high + 1n) result.push(range);
    else if (range.high > last.high) result[result.length - 1] = { low: last.low, high: range.high };
  }
  const kept = thinned(result, MAX_RANGES);
  return { ranges: kept, isComplete: isComplete && kept.length === result.length };
};

/**
 * Adds every amount of one list to every amount of the other. If that requires more than `mostSums` sums,
 * uses only a selection of the ranges.
 */
export const sumRanges = (
  some: ReachableAmounts,
  others: ReachableAmounts,
  mostSums: number,
): ReachableAmounts => {
  const mostOthers = Math.max(Math.sqrt(mostSums), mostSums / some.ranges.length);
  const them = thinned(others.ranges, Math.floor(mostOthers));
  const us = thinned(some.ranges, Math.floor(mostSums / them.length));
  return joinedRanges(
    us.flatMap((one) => them.map((other) => ({ low: one.low + other.low, high: one.high + other.high }))),
    some.isComplete && others.isComplete && us === some.ranges && them === others.ranges,
  );
};

/** Returns the index of the first range that does not end below `lamports`. */
const firstNotBelow = (ranges: readonly AmountRange[], lamports: bigint): number => {
  let from = 0;
  let until = ranges.length;
  while (from < until) {
    const middle = (from + until) >> 1;
    if (ranges[middle]!.high < lamports) from = middle + 1;
    else until = middle;
  }
  return from;
};

/** Returns true if the amount is in one of the ranges. */
export const isReachable = (ranges: readonly AmountRange[], lamports: bigint): boolean => {
  const next = ranges[firstNotBelow(ranges, lamports)];
  return next !== undefined && next.low <= lamports;
};

/**
 * Returns the amount itself if it is reachable, otherwise its nearest reachable neighbors. 0 does not count
 * as a neighbor.
 */
export const nearestAmounts = (
  ranges: readonly AmountRange[],
  lamports: bigint,
): { readonly isReachable: boolean; readonly below: bigint | null; readonly above: bigint | null } => {
  const index = firstNotBelow(ranges, lamports);
  const next = ranges[index];
  if (next !== undefined && next.low <= lamports)
    return { isReachable: true, below: lamports, above: lamports };
  const below = ranges[index - 1]?.high ?? 0n;
  return { isReachable: false, below: below > 0n ? below : null, above: next?.low ?? null };
};
