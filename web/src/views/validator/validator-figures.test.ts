// Tests the Validator view's figures: unknown figures stay unknown, sorting is stable, and texts follow the
// response.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CityDensity } from '../../../../client/generated/validator-operations.ts';
import { sourceSentence, sourceWord } from './apy-words.ts';
import { knownBps, knownCount, knownPercent, webUrl } from './format-known-figures.ts';
import { seriesOf } from './history-series.ts';
import { isSameCity, sortCities } from './sort-cities.ts';

const city = (name: string, validatorCount: number, medianApy: number | null): CityDensity => ({
  city: name,
  country: null,
  validatorCount,
  sharePct: validatorCount,
  scored: validatorCount,
  medianApy,
});

describe('figures', () => {
  it('an unknown figure is shown as not known, and zero as zero', () => {
    for (const known of [knownPercent, knownBps, knownCount])
      assert.deepEqual([known(null), /^0/.test(known(0))], ['Not known', true]);
    assert.equal(knownBps(850), '8.50%');
  });

  it('only web addresses become links', () => {
    assert.equal(webUrl('https://example.org'), 'https://example.org');
    for (const text of ['javascript:alert(1)', 'data:text/html,x', 'example.org', null])
      assert.equal(webUrl(text), null);
  });
});

describe('the source of the APY', () => {
  const part = { fromEpoch: 797, toEpoch: 799, epochCount: 3, sampleCount: 5 } as const;

  it('is named: measured, expected, from a provider, without tips or unknown', () => {
    const words = (['realised', 'expected', 'provider', 'none'] as const).map((source) =>
      sourceWord({ ...part, source }),
    );
    assert.equal(new Set([...words, sourceWord(null)]).size, 5);
  });

  it('is shown with the epochs and payments of a measured yield', () => {
    const sentence = sourceSentence({ ...part, source: 'realised' });
    assert.match(sentence, /5 payments in epochs 797 to 799/);
    assert.match(
      sourceSentence({ ...part, source: 'realised', fromEpoch: 799, sampleCount: 1 }),
      /1 payment in epoch 799/,
    );
  });
});

describe('history', () => {
  const epoch = (at: number, apy: number | null) => ({
    epoch: at,
    apy,
    activeStakeSol: null,
    credits: null,
    commission: null,
    skipRate: null,
  });

  it('is ascending whatever the order of the response, and unknown values become gaps', () => {
    const { xs, values } = seriesOf(
      { epochs: [epoch(3, 6.5), epoch(2, null), epoch(1, 0)], voteSamples: [] },
      'apy',
    );
    assert.deepEqual(
      [xs, values],
      [
        [1, 2, 3],
        [0, null, 6.5],
      ],
    );
  });

  it('samples of the same second are drawn once', () => {
    const sample = (timestamp: string, voteSuccessRate: number) => ({ timestamp, slot: 1, voteSuccessRate });
    const { xs, values, time } = seriesOf(
      {
        epochs: [],
        voteSamples: [
          sample('2026-11-21T10:00:02Z', 99),
          sample('2026-11-21T10:00:01.200Z', 97),
          sample('2026-11-21T10:00:01.700Z', 98),
        ],
      },
      'votes',
    );
    assert.deepEqual([xs[1]! - xs[0]!, values, time], [1, [98, 99], true]);
  });
});

describe('cities', () => {
  const cities = [city('Berlin', 2, null), city('Aarhus', 5, 6.1), city('Cork', 2, 6.9)];
  const names = (list: readonly CityDensity[]): string => list.map((one) => one.city).join(' ');

  it('sort in both directions, with equal values in their order and unknown ones last', () => {
    assert.equal(names(sortCities(cities, 'validatorCount', true)), 'Aarhus Berlin Cork');
    assert.equal(names(sortCities(cities, 'validatorCount', false)), 'Berlin Cork Aarhus');
    assert.equal(names(sortCities(cities, 'medianApy', true)), 'Cork Aarhus Berlin');
    assert.equal(names(sortCities(cities, 'medianApy', false)), 'Aarhus Cork Berlin');
    assert.equal(names(sortCities(cities, 'city', false)), 'Aarhus Berlin Cork');
  });

  it('cities with the same name in different countries are separate', () => {
    const portland = { ...city('Portland', 1, null), country: 'United States' };
    assert.equal(isSameCity(portland, { ...portland, country: 'Australia' }), false);
    assert.equal(isSameCity(portland, { ...portland }), true);
    assert.equal(isSameCity(portland, null), false);
  });
});
