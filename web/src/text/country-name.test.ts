// Country names of providers appear in the page's language.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countryNames } from '../words/country-names.ts';
import { addTranslations } from '../words/define-words.ts';
import { countryName, placeName } from './country-name.ts';

it('English country names are translated, with and without article, and other texts stay', () => {
  const names = ['Germany', 'The Netherlands', 'United States', 'Atlantis', ''];
  assert.deepEqual(names.map(countryName), names);
  addTranslations({}, countryNames('de'));
  assert.deepEqual(names.map(countryName), [
    'Deutschland',
    'Niederlande',
    'Vereinigte Staaten',
    'Atlantis',
    '',
  ]);
  assert.deepEqual(
    ['Frankfurt, Germany', 'Germany', 'Frankfurt', 'Paris, Ile-de-France, France'].map(placeName),
    ['Frankfurt, Deutschland', 'Deutschland', 'Frankfurt', 'Paris, Ile-de-France, Frankreich'],
  );
});
