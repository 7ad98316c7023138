// Tests that an external name or memo cannot reverse or break the sentence that contains it.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { foreignText } from './foreign-text.ts';

it('characters that reverse, hide or break text are replaced, wherever they occur', () => {
  for (const letter of [
    ...'\u0000\u0007\n\u001b\u009f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff',
  ])
    assert.equal(foreignText(`a${letter}b${letter}`), 'a\ufffdb\ufffd', letter.codePointAt(0)!.toString(16));
});

it('ordinary text stays unchanged: accents, other scripts, joined emoji', () => {
  for (const text of ['Café Zürich', '株式会社', 'нода', '👩\u200d🚀 team', '', 'a  b'])
    assert.equal(foreignText(text), text);
});

it('right-to-left text is isolated from the sentence and cannot end the isolation', () => {
  assert.equal(foreignText('שלום 1'), '\u2068שלום 1\u2069');
  assert.equal(foreignText('سلام\u2069 2'), '\u2068سلام\ufffd 2\u2069');
});
