// Divides an amount over pools of stake exactly and with few instructions.
import type { Pool } from './divide-pool.ts';
import {
  type AmountRange,
  isReachable,
  joinedRanges,
  MAX_SUMS,
  type ReachableAmounts,
  summedRanges,
} from './reachable-amounts.ts';

/** An amount to take from a pool. */
export interface Part {
  readonly pool: Pool;
  readonly lamports: bigint;
}

/** Maximum number of parts tried, for few and for many accounts. After that, the best plan found is used. */
const MAX_TRIED = { few: 3_000, many: 150 } as const;
const FEW_ACCOUNTS = 12;
/** Number of choices and ranges that the search tries before it uses the best plan found. */
const MAX_NODES_VISITED = 200_000;
/**
 * Limits of the sums of whole accounts formed before the search: sums kept, and sums formed. Sufficient for
 * about the 20 largest pools.
 */
const MAX_WHOLE_SUMS = 2_000;
const MAX_WHOLE_FORMED = 20_000;
/** Minimum number of sums of one pool with the others, for wallets with very many pools. */
const MIN_SUMS = 64;

const NOTHING = joinedRanges([{ low: 0n, high: 0n }]);

/** Lists every amount that the pool can provide, including 0, in ascending order. */
const amountsOf = ({ choices, range, hasAllChoices }: Pool): ReachableAmounts =>
  joinedRanges(
    [...[...choices.keys()].map((sum) => ({ low: sum, high: sum })), ...(range === null ? [] : [range])],
    hasAllChoices,
  );

/**
 * For each index, the amounts that this pool and the following ones can provide together. The first entry
 * covers all pools.
 */
const amountsFrom = (pools: readonly Pool[]): readonly ReachableAmounts[] => {
  const mostSums = Math.max(MIN_SUMS, Math.floor(MAX_SUMS / Math.max(1, pools.length)));
  const from: ReachableAmounts[] = [NOTHING];
  for (const pool of [...pools].reverse()) from.push(summedRanges(amountsOf(pool), from.at(-1)!, mostSums));
  return from.reverse();
};

/**
 * Sorts pools so that the widest ranges come last. Sums start with the last pool, so that ranges join before
 * there are too many.
 */
const widestLast = (pools: readonly Pool[]): readonly Pool[] => {
  const width = ({ range }: Pool): bigint => (range === null ? -1n : range.high - range.low);
  return [...pools].sort((one, other) => {
    const difference = width(one) - width(other);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  });
};

/** Lists the amounts that all pools can provide together, including 0. */
export const reachableAmounts = (pools: readonly Pool[]): ReachableAmounts =>
  amountsFrom(widestLast(pools))[0]!;

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

const largestChoice = ({ choices }: Pool): bigint => {
  let largest = 0n;
  for (const lamports of choices.keys()) if (lamports > largest) largest = lamports;
  return largest;
};

/**
 * Returns the fewest whole accounts, fewer than `fewerThan`, that hold exactly `lamports` together; null if no
 * formed sum matches.
 */
const wholeParts = (pools: readonly Pool[], lamports: bigint, fewerThan: number): readonly Part[] | null => {
  const found = new Map<bigint, Whole | null>([[0n, null]]);
  const parts = (): readonly Part[] | null => {
    const last = found.get(lamports);
    return last === undefined ? null : partsUntil(last);
  };
  let formed = 0;
  let left = pools.reduce((sum, pool) => sum + largestChoice(pool), 0n);
  for (const pool of pools) {
    left -= largestChoice(pool);
    const choices = [...pool.choices].filter(([, chosen]) => chosen.length > 0);
    for (const [sum, before] of [...found]) {
      const most = lamports - sum;
      // With less, all pools that are left could not make up the rest.
      const least = most - left;
      if (least > 0n) found.delete(sum);
      for (const [part, chosen] of choices) {
        formed += 1;
        if (formed > MAX_WHOLE_FORMED) return parts();
        if (part < least || part > most) continue;
        const whole = sum + part;
        const known = found.get(whole);
        const accounts = (before?.accounts ?? 0) + chosen.length;
        if (accounts >= fewerThan) continue;
        if (known ? accounts < known.accounts : found.size < MAX_WHOLE_SUMS || whole === lamports)
          found.set(whole, { accounts, part: { pool, lamports: part }, before });
      }
    }
  }
  return parts();
};

/**
 * Chooses the amount to take from each pool. Returns null if `lamports` cannot be reached. `costOf` counts
 * the instructions of a part.
 */
export const chooseAccounts = (
  unordered: readonly Pool[],
  lamports: bigint,
  costOf: (part: Part) => number,
): readonly Part[] | null => {
  const pools = widestLast(unordered);
  const from = amountsFrom(pools);
  if (!isReachable(from[0]!.ranges, lamports)) return null;
  const accounts = pools.reduce((sum, pool) => sum + pool.accounts.length, 0);
  const most = accounts > FEW_ACCOUNTS ? MAX_TRIED.many : MAX_TRIED.few;
  const costs = new Map<Pool, Map<bigint, number>>(pools.map((pool) => [pool, new Map()]));
  const cost = (part: Part): number => {
    const known = costs.get(part.pool)!.get(part.lamports);
    const counted = known ?? costOf(part);
    if (known === undefined) costs.get(part.pool)!.set(part.lamports, counted);
    return counted;
  };
  let best: { readonly parts: readonly Part[]; readonly cost: number } | null = null;
  const offer = (parts: readonly Part[], sum: number): void => {
    if (best === null || sum < best.cost) best = { parts, cost: sum };
  };
  const leastCost = (): number => best?.cost ?? Number.POSITIVE_INFINITY;
  for (const pool of pools)
    if (pool.choices.has(lamports) || (pool.range !== null && isReachable([pool.range], lamports)))
      offer([{ pool, lamports }], cost({ pool, lamports }));
  // The search tries small accounts first. With many accounts it ends before it finds a combination of three
  // large accounts. Every account takes an instruction.
  const whole = wholeParts(pools.toReversed(), lamports, leastCost());
  if (whole !== null)
    offer(
      whole,
      whole.reduce((sum, part) => sum + cost(part), 0),
    );
  let tried = 0;
  let lookedAt = 0;
  const search = (index: number, left: bigint, parts: readonly Part[], sum: number): void => {
    if (left === 0n) offer(parts, sum);
    const pool = pools[index];
    if (left === 0n || pool === undefined) return;
    const rests = from[index + 1]!.ranges;
    lookedAt += pool.choices.size + rests.length;
    // Each part leaves a remainder that the following pools can provide, so the first descent finds a plan.
    for (const part of partsOf(pool, left, rests)) {
      // A remainder needs at least one instruction.
      if (best !== null && (sum + 1 >= best.cost || tried > most || lookedAt > MAX_NODES_VISITED)) return;
      tried += 1;
      if (part === 0n) search(index + 1, left, parts, sum);
      else {
        const next = { pool, lamports: part };
        search(index + 1, left - part, [...parts, next], sum + cost(next));
      }
    }
  };
  search(0, lamports, [], 0);
  if (best === null) throw new Error('A reachable amount was not allocated.');
  return (best as { readonly parts: readonly Part[] }).parts;
};

/** Lists the amounts from a pool that leave a remainder for the following pools, largest first. */
const partsOf = (
  { choices, range }: Pool,
  lamports: bigint,
  rests: readonly AmountRange[],
): readonly bigint[] => {
  const isPossible = (part: bigint): boolean => part <= lamports && isReachable(rests, lamports - part);
  const parts = new Set([...choices.keys()].filter(isPossible));
  if (range !== null)
    for (const { low, high } of rests) {
      if (low > lamports) break;
      const least = lamports - high > range.low ? lamports - high : range.low;
      const most = lamports - low < range.high ? lamports - low : range.high;
      if (least <= most) parts.add(least).add(most);
    }
  return [...parts].sort((one, other) => (one > other ? -1 : one < other ? 1 : 0));
};
