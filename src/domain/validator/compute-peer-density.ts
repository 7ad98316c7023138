// Counts validators by city. The same validators yield the same ranking and medians, whatever the input
// order.

import { ascending } from '../../kernel/order.ts';
/** A validator. Everything except its address may be unknown. */
export interface PeerValidator {
  readonly voteAccount: string;
  readonly city: string | null;
  readonly country: string | null;
  /** Only `false` means that the validator is inactive. */
  readonly delinquent: boolean | null;
  /** Percent per year, staking plus MEV. */
  readonly apyPct: number | null;
}

interface CityDensity {
  readonly city: string;
  readonly country: string | null;
  readonly validatorCount: number;
  /** Percent of all validators, including those without a known city; two decimals. */
  readonly sharePct: number;
  /** Number of active validators with a known APY, on which the median is based. */
  readonly scored: number;
  /**
   * Percent, two decimals. Null for fewer than 3 scored validators, because it would reveal individual
   * values.
   */
  readonly medianApy: number | null;
}

/** The cluster's validators by city. */
interface PeerDensity {
  /** At most 25, sorted by number of validators, then city, then country. */
  readonly cities: readonly CityDensity[];
  /** City of our own validator, even if it is not among the 25; null if unknown. */
  readonly validatorCity: CityDensity | null;
  /** Median across all scored validators; null if there are none. */
  readonly globalMedianApy: number | null;
  readonly totalValidators: number;
  readonly scoredValidators: number;
}

/** Maximum number of listed cities. */
export const MAX_CITIES = 25;
/** Minimum number of scored validators for a city's median. */
export const MIN_SCORED_FOR_MEDIAN = 3;

const round2 = (value: number): number => Math.round(value * 100) / 100;

const medianOf = (values: readonly number[]): number | null => {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle]!;
  return round2(sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2);
};

// Providers spell city names in different cases. The country distinguishes San Jose (US) from San José
// elsewhere.
const keyOf = (city: string, country: string | null): string =>
  `${city.toLowerCase()}\u0000${country?.toLowerCase() ?? ''}`;

const scoredApys = (peers: readonly PeerValidator[]): number[] =>
  peers.flatMap(({ delinquent, apyPct }) => (delinquent === false && apyPct !== null ? [apyPct] : []));

// The displayed spelling must not depend on the order of the input.
const spelling = (texts: readonly string[]): string => texts.toSorted(ascending)[0]!;

const describeCity = (peers: readonly PeerValidator[], totalValidators: number): CityDensity => {
  const apys = scoredApys(peers);
  const countries = peers.flatMap(({ country }) => country ?? []);
  return {
    city: spelling(peers.flatMap(({ city }) => city ?? [])),
    country: countries.length === 0 ? null : spelling(countries),
    validatorCount: peers.length,
    sharePct: round2((peers.length / totalValidators) * 100),
    scored: apys.length,
    medianApy: apys.length < MIN_SCORED_FOR_MEDIAN ? null : medianOf(apys),
  };
};

/** Counts validators by city. `peers` contains each vote account once and may omit `ownVoteAccount`. */
export const computePeerDensity = (peers: readonly PeerValidator[], ownVoteAccount: string): PeerDensity => {
  const byCity = new Map<string, PeerValidator[]>();
  for (const peer of peers) {
    if (peer.city === null) continue;
    const key = keyOf(peer.city, peer.country);
    const group = byCity.get(key);
    if (group) group.push(peer);
    else byCity.set(key, [peer]);
  }
  const described = new Map<string, CityDensity>();
  for (const [key, group] of byCity) described.set(key, describeCity(group, peers.length));
  const own = peers.find(({ voteAccount }) => voteAccount === ownVoteAccount);
  const apys = scoredApys(peers);
  return {
    cities: [...described.values()]
      .sort(
        (a, b) =>
          b.validatorCount - a.validatorCount ||
          ascending(a.city, b.city) ||
          ascending(a.country ?? '', b.country ?? ''),
      )
      .slice(0, MAX_CITIES),
    validatorCity: own?.city == null ? null : (described.get(keyOf(own.city, own.country)) ?? null),
    globalMedianApy: medianOf(apys),
    totalValidators: peers.length,
    scoredValidators: apys.length,
  };
};
