// Compiles the page's catalog to functions, so the page ships without a message parser.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import messageFormat from '@messageformat/core';
import compileModuleOf from '@messageformat/core/lib/compile-module.js';
import type { Plugin } from 'vite';
import { sha256 } from '../../src/compose/open-page.ts';

// The types describe ES modules, but Node loads CommonJS, whose default exports are the values themselves.
const MessageFormat = messageFormat as unknown as typeof messageFormat.default;
const compileModule = compileModuleOf as unknown as typeof compileModuleOf.default;

const AREA = /\/web\/src\/words\/(en|de)\/(?!german\.ts$)(?:[\w-]+\/)*[\w-]+\.ts$/;
const COMPILER = /\/web\/src\/words\/compile-catalog-text\.ts$/;

type Areas = Readonly<Record<string, Readonly<Record<string, string>>>>;

const CONSTANT = /\(\) => \[("(?:[^"\\]|\\.)*")\]/g;

/** Compiles the areas that a module exports. A text without placeholders remains a string, which is shorter. */
const compileAreas = (areas: Areas, language: string): string => {
  const format = new MessageFormat(language, { returnType: 'values' });
  return Object.entries(areas)
    .map(([name, messages]) =>
      compileModule(format, messages)
        .replace('export default', `export const ${name} =`)
        .replace(CONSTANT, '$1'),
    )
    .join('\n');
};

/** Replaces each area with its compiled form, and stubs out the compiler, which is no longer needed. */
export const compileWords = (): Plugin => ({
  name: 'holdfast-words',
  enforce: 'pre',
  async transform(_code, id) {
    if (COMPILER.test(id))
      return 'export const compileMessage = (message) => (typeof message === "string" ? () => [message] : message);';
    const language = AREA.exec(id)?.[1];
    if (language === undefined) return null;
    // The hash in the URL makes Node load a changed file again.
    const url = `${pathToFileURL(id).href}?${sha256(readFileSync(id))}`;
    return compileAreas((await import(url)) as Areas, language);
  },
});
