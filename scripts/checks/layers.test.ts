// Tests that the layers check finds imports of a higher layer, of the same layer or from outside src/, and
// cycles of type imports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenTree } from '../../test/support/written-tree.ts';
import { checkLayers } from './layers.ts';

const clean: Readonly<Record<string, string>> = {
  'src/kernel/a.ts': "export const a = 'https://x'; // import '../chain/c.ts'\n",
  'src/kernel/a.test.ts': "import '../http/h.ts';\n",
  'src/chain/c.ts': "import { a } from '../kernel/a.ts';\nexport const c = a;\n",
  'src/store/s.ts': "import type { a } from '../kernel/a.ts';\nexport type S = typeof a;\n",
  'src/http/h.ts': "import { c } from '../chain/c.ts';\nexport const h = c;\n",
  'src/app.ts': "export { h } from './http/h.ts';\n",
  'src/main.ts': "const { h } = await import('./app.ts');\nexport { h };\n",
  'web/src/ui/button.tsx': "export { a } from '../../../src/kernel/a.ts';\n",
  'test/x.ts': "import '../src/main.ts';\n",
  'scripts/y.ts': "import '../test/x.ts';\n",
};

test('the layers check accepts a tree whose imports point downwards', (t) => {
  assert.deepEqual(checkLayers(writtenTree(t, clean)).problems, []);
});

const planted: readonly (readonly [file: string, source: string, problem: string])[] = [
  ['src/kernel/x.ts', "export { c } from '../chain/c.ts';\n", 'src/kernel/ may not import src/chain/c.ts'],
  ['src/store/x.ts', "import type { c } from '../chain/c.ts';\n", 'src/store/ may not import src/chain/c.ts'],
  ['src/http/x.ts', "export const x = () => import('../app.ts');\n", 'src/http/ may not import src/app.ts'],
  ['src/http/x.ts', "import '../../test/x.ts';\n", 'src/http/ may not import test/x.ts'],
  ['src/app.ts', "import '../scripts/y.ts';\n", 'src/app.ts may not import scripts/y.ts'],
  ['web/src/ui/x.tsx', "import '../views/v.tsx';\n", 'web/src/ui/ may not import web/src/views/v.tsx'],
  ['src/helpers/x.ts', 'export const x = 1;\n', 'belongs to no layer'],
  ['src/start.ts', 'export const x = 1;\n', 'belongs to no layer'],
  [
    'src/kernel/a.ts',
    "export type { X } from './x.ts';\nexport { b } from './a.ts';\n",
    'cycle: src/kernel/a.ts',
  ],
];
for (const [file, source, problem] of planted)
  test(`${file} with ${source.trim()} is refused`, (t) => {
    const { problems } = checkLayers(writtenTree(t, { ...clean, [file]: source }));
    assert.equal(problems.length, 1);
    assert.ok(problems.join().includes(problem), problems.join());
  });

test('a cycle across several files is reported once, even if it consists of type imports', (t) => {
  const cycle = {
    'src/kernel/a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;\n",
    'src/kernel/b.ts': "import type { C } from './c.ts';\nexport type B = C | 2;\n",
    'src/kernel/c.ts': "import type { A } from './a.ts';\nexport type C = A | 3;\n",
  };
  assert.deepEqual(checkLayers(writtenTree(t, cycle)).problems, [
    'cycle: src/kernel/a.ts → src/kernel/b.ts → src/kernel/c.ts → src/kernel/a.ts',
  ]);
});
