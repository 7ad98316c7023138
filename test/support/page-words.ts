// Finds English messages of the page's catalog on a German page.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { german } from '../../web/src/words/de/german.ts';

const folder = join(import.meta.dirname, '../../web/src/words/en');
const areas = await Promise.all(
  globSync('**/*.ts', { cwd: folder }).map(
    async (file) =>
      (await import(join(folder, file))) as Readonly<Record<string, Readonly<Record<string, string>>>>,
  ),
);

/** Texts that are the same in both languages, such as `SOL` and `Portfolio`. */
const germanTexts = new Set(Object.values(german).flatMap((area) => Object.values(area as object)));

/** Returns a pattern of the fixed words in a message, or null if it has too few words to be recognized. */
const patternOf = (message: string): RegExp | null => {
  const fixed = message.replaceAll(/\{[^{}]*\}/g, '\u0000').split('\u0000');
  if (message.includes('{') && fixed.join('').replaceAll(/[^\p{L}]/gu, '').length < 6) return null;
  return new RegExp(`^${fixed.map((text) => RegExp.escape(text)).join('.+')}$`, 'u');
};

const patterns = areas
  .flatMap((area) => Object.values(area))
  .flatMap((messages) => Object.values(messages))
  .filter(
    (message) =>
      /\p{L}{3}/u.test(message) && !germanTexts.has(message) && !/, (?:plural|select),/.test(message),
  )
  .flatMap((message) => patternOf(message) ?? []);

/** Returns the lines, labels and titles of the page that are English messages of the catalog. */
export const englishLeft = async (page: Page): Promise<readonly string[]> => {
  const shown = await page.evaluate<readonly string[]>(`[
    ...document.body.innerText.split('\\n'),
    ...[...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? '')),
  ]`);
  return [...new Set(shown.map((line) => line.trim()))].filter((line) =>
    patterns.some((pattern) => pattern.test(line)),
  );
};
