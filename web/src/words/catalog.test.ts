// The catalog: German has every area, and each German text has the values of the English one.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { compileMessage } from './compile-catalog-text.ts';
import { german } from './de/german.ts';

type Messages = Readonly<Record<string, string>>;
/** The compiled form reads each value as a field of `d`. */
const valuesOf = (text: string): string[] =>
  [
    ...new Set([...String(compileMessage(text, 'en')).matchAll(/\bd\.(\w+)/g)].map(([, name]) => name!)),
  ].sort();

it('no unit of time ends with a full stop, because durations end sentences', () => {
  const { d, h, min, s } = german.figures;
  for (const unit of [d, h, min, s]) assert.doesNotMatch(unit, /\./);
});

it('tips have one name in each language', async () => {
  const english = await Promise.all(
    globSync('**/*.ts', { cwd: join(import.meta.dirname, 'en') }).map((file) => import(`./en/${file}`)),
  );
  assert.doesNotMatch(JSON.stringify(english), /\b(MEV|Jito) tips/i);
  const inGerman = JSON.stringify(german);
  assert.doesNotMatch(inGerman, /Trinkgeld/);
  assert.doesNotMatch(inGerman.replaceAll(/Jito-Tips|tips_?\w*|\w*Tips|\{tips/g, ''), /\bTips\b/);
});

for (const file of globSync('**/*.ts', { cwd: join(import.meta.dirname, 'en') }))
  it(`every text of ${file} has its translation, with the same values`, async () => {
    const [[name, english]] = Object.entries((await import(`./en/${file}`)) as Record<string, Messages>) as [
      [string, Messages],
    ];
    const translated = (german as Readonly<Record<string, Messages>>)[name.replace(/English$/, '')];
    assert.ok(translated, `de/german.ts lacks ${name}`);
    assert.deepEqual(Object.keys(translated), Object.keys(english));
    for (const [id, text] of Object.entries(english))
      assert.deepEqual(valuesOf(translated[id]!), valuesOf(text), id);
  });
