// Shares an amount out over pools of stake so that it comes out exactly and takes few instructions.
import type { Pool } from './divide-pool.ts';
import {
  type AmountRange,
  joinedRanges,
  MOST_SUMS,
  nearestAmounts,
  type ReachableAmounts,
  summedRanges,
} from './reachable-amounts.ts';

/** What a pool gives, lamports. */
export interface Part {
  readonly pool: Pool;
  readonly lamports: bigint;
}

/** Parts that are tried for few accounts and for many; then the best plan that was found is taken. */
const MOST_TRIED = { few: 3_000, many: 150 } as const;
const FEW_ACCOUNTS = 12;
/** Choices and ranges that the search looks at before it takes the best plan that was found. */
const MOST_LOOKED_AT = 200_000;
/** Sums of whole accounts that are kept, and sums that are formed, before the search: of the 20 largest pools about all. */
const MOST_WHOLE_SUMS = 2_000;
const MOST_WHOLE_FORMED = 20_000;
/** Sums of one pool with the others in a wallet of very many pools. */
const LEAST_SUMS = 64;

const NOTHING = joinedRanges([{ low: 0n, high: 0n }]);

/** Every amount that comes out of the pool, 0 included, in ascending order. */
const amountsOf = ({ choices, range, hasAllChoices }: Pool): ReachableAmounts =>
  joinedRanges(
    [...[...choices.keys()].map((sum) => ({ low: sum, high: sum })), ...(range === null ? [] : [range])],
    hasAllChoices,
  );

/** What the pools from each index on give together; the first entry is what all of them give. */
const amountsFrom = (pools: readonly Pool[]): readonly ReachableAmounts[] => {
  const mostSums = Math.max(LEAST_SUMS, Math.floor(MOST_SUMS / Math.max(1, pools.length)));
  const from: ReachableAmounts[] = [NOTHING];
  for (const pool of [...pools].reverse()) from.push(summedRanges(amountsOf(pool), from.at(-1)!, mostSums));
  return from.reverse();
};

/** Those that give the widest range last: sums begin with them, so that ranges join before there are too many. */
const widestLast = (pools: readonly Pool[]): readonly Pool[] => {
  const width = ({ range }: Pool): bigint => (range === null ? -1n : range.high - range.low);
  return [...pools].sort((one, other) => {
    const difference = width(one) - width(other);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  });
};

/** The amounts that come out of all pools together, 0 included. */
export const reachableAmounts = (pools: readonly Pool[]): ReachableAmounts =>
  amountsFrom(widestLast(pools))[0]!;

/** Parts in a list that shares its beginning with others: thousands of sums are kept. */
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

/** The fewest whole accounts that hold exactly `lamports` together; null if none were found among the sums that are formed. */
const wholeParts = (pools: readonly Pool[], lamports: bigint): readonly Part[] | null => {
  const found = new Map<bigint, Whole | null>([[0n, null]]);
  const parts = (): readonly Part[] | null => {
    const last = found.get(lamports);
    return last === undefined ? null : partsUntil(last);
  };
  let formed = 0;
  for (const pool of pools) {
    const choices = [...pool.choices].filter(([, chosen]) => chosen.length > 0);
    for (const [sum, before] of [...found])
      for (const [part, chosen] of choices) {
        formed += 1;
        if (formed > MOST_WHOLE_FORMED) return parts();
        const whole = sum + part;
        if (whole > lamports) continue;
        const known = found.get(whole);
        const accounts = (before?.accounts ?? 0) + chosen.length;
        if (known ? accounts < known.accounts : found.size < MOST_WHOLE_SUMS || whole === lamports)
          found.set(whole, { accounts, part: { pool, lamports: part }, before });
      }
  }
  return parts();
};

/** How much comes from which pool; null if `lamports` are not reachable. `costOf` counts the instructions of a part. */
export const allocate = (
  unordered: readonly Pool[],
  lamports: bigint,
  costOf: (part: Part) => number,
): readonly Part[] | null => {
  const pools = widestLast(unordered);
  const from = amountsFrom(pools);
  if (!nearestAmounts(from[0]!.ranges, lamports).isReachable) return null;
  const accounts = pools.reduce((sum, pool) => sum + pool.accounts.length, 0);
  const most = accounts > FEW_ACCOUNTS ? MOST_TRIED.many : MOST_TRIED.few;
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
  for (const pool of pools)
    if (nearestAmounts(amountsOf(pool).ranges, lamports).isReachable)
      offer([{ pool, lamports }], cost({ pool, lamports }));
  // The search goes through the small accounts first, and of many accounts it tries too little to find three large ones.
  const whole = wholeParts(pools.toReversed(), lamports);
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
    // Every part leaves a rest that the later pools can give, so that the first descent finds a plan.
    for (const part of partsOf(pool, left, rests)) {
      // Something that is left takes an instruction at least.
      if (best !== null && (sum + 1 >= best.cost || tried > most || lookedAt > MOST_LOOKED_AT)) return;
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

/** What a pool may give so that the later ones can give the rest, the largest first. */
const partsOf = (
  { choices, range }: Pool,
  lamports: bigint,
  rests: readonly AmountRange[],
): readonly bigint[] => {
  const isPossible = (part: bigint): boolean =>
    part <= lamports && nearestAmounts(rests, lamports - part).isReachable;
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
