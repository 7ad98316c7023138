// Tests that a shared link fills in the same amount, and that all other content of a link is ignored.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { amountOfQuery, buttonSnippet, stakeLink } from './share-links.ts';

it('the amount of a link fills the field', () => {
  assert.equal(amountOfQuery('?amount=5'), '5');
  assert.equal(amountOfQuery('?x=1&amount=2.50'), '2.5');
  assert.equal(
    amountOfQuery(new URL(stakeLink('https://stake.example', '0.000000001')).search),
    '0.000000001',
  );
  assert.equal(stakeLink('https://stake.example', null), 'https://stake.example/');
});

it('an amount in a link is ignored unless it is a plain positive number', () => {
  for (const amount of [
    '',
    '0',
    '0.0',
    '-5',
    '+5',
    '1e3',
    '2,500',
    '2 500',
    '0x10',
    'Infinity',
    'NaN',
    '5SOL',
    '1.0000000001',
    '12345678901',
    '%3Cscript%3E',
  ])
    assert.equal(amountOfQuery(`?amount=${amount}`), null, amount);
  assert.equal(amountOfQuery(''), null);
});

it('a name in the snippet remains the text of its attribute', () => {
  const snippet = buttonSnippet('A"><script>', 'https://stake.example', 'https://stake.example/?amount=5');
  assert.equal(snippet.split('\n').length, 3);
  assert.doesNotMatch(snippet, /<script|A">/);
});
