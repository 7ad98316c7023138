// Tests that all forms of imports are recognized and comments are ignored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImports, withoutComments } from './read-imports.ts';

test('every form of import is recognized, and type imports are distinguished', () => {
  const source = [
    "import a from './a.ts';",
    "import * as b from './b.ts';",
    "import type { C } from './c.ts';",
    "import { type D, d } from './d.ts';",
    "import './e.ts';",
    "export * from './f.ts';",
    "export type { G } from './g.ts';",
    "export const h = await import('./h.ts');",
    'export const notOne = \'from "./i.ts"\';',
  ].join('\n');
  assert.deepEqual(
    readImports(source).map(({ specifier, isTypeOnly }) => `${specifier}${isTypeOnly ? ' type' : ''}`),
    ['./a.ts', './b.ts', './c.ts type', './d.ts', './e.ts', './f.ts', './g.ts type', './h.ts'],
  );
});

test('comments are blanked out while line numbers and strings are preserved', () => {
  const source = "const url = 'https://x'; // gone\n/* gone\ngone */ const y = `//kept`;\n";
  const text = withoutComments(source);
  assert.equal(text.split('\n').length, source.split('\n').length);
  assert.ok(text.includes("'https://x'") && text.includes('`//kept`') && !text.includes('gone'));
});
