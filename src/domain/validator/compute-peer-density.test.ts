import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  computePeerDensity,
  MAX_CITIES,
  MIN_SCORED_FOR_MEDIAN,
  type PeerValidator,
} from './compute-peer-density.ts';

let counter = 0;
const peer = (city: string | null, changes: Partial<PeerValidator> = {}): PeerValidator => {
  counter += 1;
  const country = city === null ? null : 'Germany';
  return { voteAccount: `vote ${counter}`, city, country, delinquent: false, apyPct: 7, ...changes };
};

const peersArbitrary = fc
  .array(
    fc.record({
      city: fc.option(fc.constantFrom(...Array.from({ length: 40 }, (_, i) => `City ${i}`)), { nil: null }),
      country: fc.option(fc.constantFrom('Germany', 'United States', 'Japan'), { nil: null }),
      delinquent: fc.option(fc.boolean(), { nil: null }),
      apyPct: fc.option(fc.double({ min: 0, max: 20, noNaN: true }), { nil: null }),
    }),
    { maxLength: 200 },
  )
  .map((rows): PeerValidator[] => rows.map((row, index) => ({ ...row, voteAccount: `vote ${index}` })));

const property = (check: (peers: PeerValidator[]) => void): void => {
  fc.assert(fc.property(peersArbitrary, check), { seed: 20_261_121, numRuns: 300 });
};

const naiveMedian = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  const upper = sorted[Math.ceil((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
};

test('cities are sorted by number of validators and have their share of all validators, including those in unknown cities', () => {
  const peers = [peer('Berlin'), peer('Frankfurt'), peer('Frankfurt'), peer(null)];
  const { cities, totalValidators } = computePeerDensity(peers, 'nobody');
  assert.equal(totalValidators, 4);
  assert.deepEqual(
    cities.map(({ city, validatorCount, sharePct }) => [city, validatorCount, sharePct]),
    [
      ['Frankfurt', 2, 50],
      ['Berlin', 1, 25],
    ],
  );
});

test('a median requires three scored validators, and only active validators with a known APY are scored', () => {
  const two = [peer('Berlin', { apyPct: 6 }), peer('Berlin', { apyPct: 8 })];
  const unscored = [
    peer('Berlin', { delinquent: true, apyPct: 1 }),
    peer('Berlin', { delinquent: null, apyPct: 1 }),
    peer('Berlin', { apyPct: null }),
  ];
  const before = computePeerDensity([...two, ...unscored], 'nobody').cities[0];
  assert.equal(before?.validatorCount, 5);
  assert.equal(before?.scored, 2);
  assert.equal(before?.medianApy, null);
  const after = computePeerDensity([...two, ...unscored, peer('Berlin', { apyPct: 7.5 })], 'nobody')
    .cities[0];
  assert.equal(after?.scored, 3);
  assert.equal(after?.medianApy, 7.5);
});

test('the global median requires neither a city nor a third validator, and is null if there are no validators', () => {
  assert.equal(computePeerDensity([peer(null, { apyPct: 6.5 })], 'nobody').globalMedianApy, 6.5);
  assert.equal(
    computePeerDensity([peer(null, { apyPct: 6 }), peer(null, { apyPct: 7 })], 'x').globalMedianApy,
    6.5,
  );
  assert.deepEqual(computePeerDensity([], 'nobody'), {
    cities: [],
    validatorCity: null,
    globalMedianApy: null,
    totalValidators: 0,
    scoredValidators: 0,
  });
});

test('our own city is reported even if it is not listed, and is null if it is unknown', () => {
  const crowd = Array.from({ length: MAX_CITIES }, (_, i) => [peer(`City ${i}`), peer(`City ${i}`)]).flat();
  const own = peer('Reykjavik', { voteAccount: 'ours' });
  const { cities, validatorCity } = computePeerDensity([...crowd, own], 'ours');
  assert.equal(cities.length, MAX_CITIES);
  assert.ok(!cities.some(({ city }) => city === 'Reykjavik'));
  assert.equal(validatorCity?.city, 'Reykjavik');
  assert.equal(validatorCity?.validatorCount, 1);
  assert.equal(computePeerDensity(crowd, 'ours').validatorCity, null);
  assert.equal(computePeerDensity([peer(null, { voteAccount: 'ours' })], 'ours').validatorCity, null);
});

test('spellings that differ only in case count as one city, but the same name in two countries counts as two cities', () => {
  const { cities } = computePeerDensity(
    [peer('Frankfurt'), peer('FRANKFURT'), peer('Frankfurt', { country: 'United States' })],
    'nobody',
  );
  assert.deepEqual(
    cities.map(({ city, country, validatorCount }) => [city, country, validatorCount]),
    [
      ['FRANKFURT', 'Germany', 2],
      ['Frankfurt', 'United States', 1],
    ],
  );
});

test('the result does not depend on the order of the validators', () => {
  property((peers) => {
    const own = peers[0]?.voteAccount ?? 'nobody';
    assert.deepEqual(computePeerDensity(peers.toReversed(), own), computePeerDensity(peers, own));
  });
});

test('every validator is counted once, in a listed, unlisted or unknown city', () => {
  property((peers) => {
    const result = computePeerDensity(peers, 'nobody');
    assert.equal(result.totalValidators, peers.length);
    const groups = new Set(
      peers.flatMap(({ city, country }) => (city === null ? [] : [`${city}|${country}`])),
    );
    assert.equal(result.cities.length, Math.min(MAX_CITIES, groups.size));
    const placed = peers.filter(({ city }) => city !== null).length;
    const listed = result.cities.reduce((sum, { validatorCount }) => sum + validatorCount, 0);
    if (groups.size <= MAX_CITIES) assert.equal(listed, placed);
    else assert.ok(listed < placed);
    for (let i = 1; i < result.cities.length; i += 1) {
      assert.ok((result.cities[i - 1]?.validatorCount ?? 0) >= (result.cities[i]?.validatorCount ?? 0));
    }
  });
});

test('every median is computed from exactly the scored validators of its city', () => {
  property((peers) => {
    const { cities, globalMedianApy, scoredValidators } = computePeerDensity(peers, 'nobody');
    const scored = peers.filter(({ delinquent, apyPct }) => delinquent === false && apyPct !== null);
    assert.equal(scoredValidators, scored.length);
    if (scored.length === 0) assert.equal(globalMedianApy, null);
    else
      assert.ok(Math.abs((globalMedianApy ?? -1) - naiveMedian(scored.map((p) => p.apyPct ?? 0))) <= 0.0051);
    for (const { city, country, medianApy, scored: count } of cities) {
      const apys = scored.filter((p) => p.city === city && p.country === country).map((p) => p.apyPct ?? 0);
      assert.equal(count, apys.length);
      if (count < MIN_SCORED_FOR_MEDIAN) assert.equal(medianApy, null);
      else assert.ok(Math.abs((medianApy ?? -1) - naiveMedian(apys)) <= 0.0051);
    }
  });
});
