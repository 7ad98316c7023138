// Tests that outside text reaches an agent shortened and as plain text, and that our own text arrives
// unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatSol, solNumber } from '../../domain/lamports.ts';
import { cleanResponse, cleanText, MAX_TEXT_CHARACTERS } from './clean-text.ts';

test('control, invisible and direction characters are removed, line breaks become spaces, and other characters stay', () => {
  assert.equal(cleanText('plain'), 'plain');
  assert.equal(cleanText('a\u0000b\u0007\u001b[31mc\u007f\u0085d'), 'ab[31mcd');
  assert.equal(cleanText('one\r\n\n\ttwo'), 'one two');
  assert.equal(cleanText('\u202eevil\u2066\u200b\ufeff\u00ad'), 'evil');
  // Characters of the tag block can encode hidden instructions.
  assert.equal(cleanText('ok\u{e0069}\u{e0067}\u{e006e}'), 'ok');
  assert.equal(cleanText('Zürich ’quoted’ 日本 🙂 é'), 'Zürich ’quoted’ 日本 🙂 é');
});

test('no text exceeds the limit, and a transaction of the maximum size fits within it', () => {
  assert.equal(cleanText('x'.repeat(5_000)).length, MAX_TEXT_CHARACTERS);
  const transaction = Buffer.alloc(1_232, 7).toString('base64');
  assert.equal(cleanText(transaction), transaction);
});

test('cleaned text contains no character that should be removed, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (text) => {
      const clean = cleanText(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters.
      assert.doesNotMatch(clean, /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/);
      assert.ok(clean.length <= MAX_TEXT_CHARACTERS);
      assert.equal(cleanText(clean), clean);
    }),
    { numRuns: 500 },
  );
});

test('a response is cleaned at every depth, including names, while exact amounts, snippets and texts to sign stay unchanged', () => {
  const lamports = 8_999_999_999_999_999n;
  const response = {
    memo: 'a\nb',
    list: [{ 'na\u0000me': 'x\u202ey' }, null, true, 1.5],
    amountSol: solNumber(lamports),
    runThis: { javascript: 'line 1\nline 2', python: '#\n'.repeat(2_000) },
    textToSign: 'a\nb\nc',
    gone: undefined,
  };
  const clean = JSON.stringify(cleanResponse(response));
  assert.equal(
    clean,
    `{"memo":"a b","list":[{"name":"xy"},null,true,1.5],"amountSol":${formatSol(lamports)},"runThis":${JSON.stringify(response.runThis)},"textToSign":"a\\nb\\nc"}`,
  );
});
