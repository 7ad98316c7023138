// Checks messages of the catalog with values and elements: in German, and in English where a translation is
// missing.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { MessageArguments } from '../../web/src/words/message-arguments.ts';

const root = { dataset: { languages: 'en de' }, lang: '' };
Object.assign(globalThis, { document: { documentElement: root } });
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['fr-FR', 'de-AT', 'en'] } });
const { addTranslations, defineWords } = await import('../../web/src/words/define-words.ts');
const { dateLocale, language, locale } = await import('../../web/src/words/language.ts');

const { say, sayWith } = defineWords('here', {
  plain: 'It’s plain.',
  held: '{name} has {count, plural, one {# account} other {# accounts}} here',
  untranslated: 'Only {count, plural, one {# is} other {# are}} in English',
});

it('the page uses the first of the browser’s languages that is available, and dates use the format of the reader’s country', () => {
  assert.deepEqual([language, locale, dateLocale, root.lang], ['de', 'de-DE', 'de-AT', 'de']);
});

it('a message is English until its translation is loaded', () => {
  assert.equal(say('held', { name: 'Ada', count: 1 }), 'Ada has 1 account here');
  addTranslations({
    here: { plain: 'Einfach.', held: 'Hier {count, plural, one {# Konto} other {# Konten}} von {name}' },
  });
  assert.equal(say('plain'), 'Einfach.');
  assert.equal(say('held', { name: 'Ada', count: 1000 }), 'Hier 1.000 Konten von Ada');
  assert.equal(say('untranslated', { count: 1000 }), 'Only 1,000 are in English');
});

it('the values of a message may be page elements', () => {
  const sentence = sayWith('held', { name: createElement('b', null, 'Ada'), count: 2 });
  assert.equal(renderToStaticMarkup(sentence), 'Hier 2 Konten von <b>Ada</b>');
});

it('a missing value is an error in tests and for the type checker', () => {
  // @ts-expect-error: `count` is missing.
  assert.throws(() => say('held', { name: 'Ada' }), /count/);
  // @ts-expect-error: all values are missing.
  assert.throws(() => say('held'), /count/);
  const names: readonly MessageArguments<'{a, plural, =0 {none} one {{b} x} other {{c, select, d {e} other {f {g}}}}} {h}'>[] =
    ['a', 'b', 'c', 'g', 'h'];
  // @ts-expect-error: `d` is a case, and `e` and `f` are texts.
  const others: typeof names = ['d', 'e', 'f'];
  assert.equal(names.length + others.length, 8);
});
