// Every text that the page shows is in the catalog: finished folders have none in their code.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { parseAst } from 'vite';

const root = join(import.meta.dirname, '..');

/** Finished files and folders below `web/src`. */
const DONE = [
  'api',
  'app.tsx',
  'chart',
  'flow',
  'main.tsx',
  'sandbox',
  'share',
  'shell',
  'state',
  'text',
  'ui',
  'views/portfolio',
  'wallet',
  'views/developers',
  'views/sign',
  'views/stake',
  'views/validator',
];

/** Names, and code that looks like text. */
const NO_TEXTS = [
  'Sandbox wallet',
  '(hover: none) and (pointer: coarse)',
  '(prefers-color-scheme: dark)',
  'color-mix(in srgb, var(--',
  '%, transparent)',
];

/** Files of code to copy. The type checker requires ids of the catalog for their titles. */
const CODE = ['views/developers/agent-instructions.ts', 'views/developers/snippets.ts'];

/** Attributes whose texts people see or hear. */
const SHOWN = ['label', 'title', 'aria-label', 'hint', 'placeholder', 'alt', 'what'];

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

// Units such as SOL are the same in every language.
const hasLetters = (text: string): boolean => /\p{L}{2}/u.test(text.replaceAll(/\bSOL\b/g, ''));
/** True for text that contains a word next to a space, which neither markup nor the paths of icons do. */
const isSentence = (text: string): boolean =>
  /(?<![^\s(])\p{L}{2,}[.,:;!?…’)]* |\s\(?\p{L}{2,}(?![^\s.,:;!?…’)])/u.test(
    text.replaceAll(/\bSOL\b/g, ''),
  ) && !NO_TEXTS.includes(text);

/** Finds strings in a syntax tree that look like texts for people. */
const textsIn = (node: Node): string[] => {
  const within = Object.entries(node).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).map((child) => [key, child] as const),
  );
  const name = (node.name as Node | undefined)?.name;
  switch (node.type) {
    case 'ImportDeclaration':
    case 'TSLiteralType':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return [];
    case 'JSXText':
      return hasLetters(node.value as string) ? [(node.value as string).trim()] : [];
    case 'JSXAttribute': {
      const value = node.value as Node | null;
      if (value?.type !== 'Literal') break;
      return SHOWN.includes(String(name)) && hasLetters(String(value.value)) ? [String(value.value)] : [];
    }
    // Messages for developers.
    case 'NewExpression':
      if (/^(?:Range|Type)?Error$/.test(String((node.callee as Node).name))) return [];
      break;
    case 'Literal':
      return typeof node.value === 'string' && isSentence(node.value) ? [node.value] : [];
    case 'TemplateLiteral': {
      const quasis = (node.quasis as readonly Node[]).map(
        ({ value }) => (value as { cooked: string }).cooked,
      );
      const own = quasis.some(isSentence) ? [quasis.join('…')] : [];
      return [...own, ...(node.expressions as readonly Node[]).flatMap(textsIn)];
    }
  }
  return within.flatMap(([, child]) => textsIn(child));
};

const textsOf = (source: string, path: string): string[] =>
  textsIn(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node);

it('the check finds texts in elements, attributes, strings and templates, and no other strings', () => {
  const source = `
    import type { A } from 'a b';
    type Kind = 'not a text';
    export const Part = ({ name, is }: { name: string; is: boolean }) => (
      <p className="large bold" title="Title" aria-label={is ? 'Is it' : 'no'} data-kind="some kind">
        Shown {name} — {\`a name: \${name}\`} {say('cluster', { name })} {is && 'it is'}
      </p>
    );
    throw new Error('for developers only');
  `;
  assert.deepEqual(textsOf(source, 'part.tsx'), ['Title', 'Is it', 'Shown', 'a name: …', 'it is']);
});

for (const path of DONE.flatMap((done) => globSync([done, `${done}/**/*.{ts,tsx}`], { cwd: root })))
  if (/\.tsx?$/.test(path) && !path.includes('.test.') && !CODE.includes(path))
    it(`${path} takes its texts from the catalog`, () => {
      assert.deepEqual(textsOf(readFileSync(join(root, path), 'utf8'), path), []);
    });
