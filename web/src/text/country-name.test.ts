// Country names of providers appear in the page's language.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countryName, placeName } from './country-name.ts';

it('English country names are translated, with and without article, and other texts stay', () => {
  assert.deepEqual(
    ['Germany', 'The Netherlands', 'United States', 'Atlantis', ''].map((name) => countryName(name, 'de')),
    ['Deutschland', 'Niederlande', 'Vereinigte Staaten', 'Atlantis', ''],
  );
  assert.equal(countryName('Germany', 'en'), 'Germany');
  assert.deepEqual(
    ['Frankfurt, Germany', 'Germany', 'Frankfurt', 'Paris, Ile-de-France, France'].map((place) =>
      placeName(place, 'de'),
    ),
    ['Frankfurt, Deutschland', 'Deutschland', 'Frankfurt', 'Paris, Ile-de-France, Frankreich'],
  );
});
