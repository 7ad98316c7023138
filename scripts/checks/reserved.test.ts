// Shows that a planted use of what only one place may do is found, that a folder without import bans is found, and that Biome refuses upward imports and circles.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writtenTree } from '../../test/support/written-tree.ts';
import { checkReserved } from './reserved.ts';

const project = join(import.meta.dirname, '..', '..');
const clean: Readonly<Record<string, string>> = {
  'biome.json': JSON.stringify({
    overrides: ['kernel', 'domain', 'config', 'http'].map((name) => ({ includes: [`src/${name}/**`] })),
  }),
  'src/kernel/a.ts': "// process.env.X\nexport const a = 'https://x'.length;\n",
  'src/kernel/a.test.ts': 'export const x = process.env;\n',
  'src/domain/b.ts': "import { a } from '../kernel/a.ts';\nexport const b = a;\n",
  'src/config/env.ts': 'export const env = process.env;\n',
  'src/http/h.ts': "import { b } from '../domain/b.ts';\nexport const h = b;\n",
  'src/app.ts': "import { h } from './http/h.ts';\nexport const app = [h];\n",
  'src/main.ts': "const { app } = await import('./app.ts');\nprocess.exit(app.length);\n",
};

test('a tree in which everything is done in its one place passes', (t) => {
  assert.deepEqual(checkReserved(writtenTree(t, clean)).problems, []);
});

const planted: Readonly<Record<string, readonly [file: string, source: string, problem: RegExp]>> = {
  'reading the environment elsewhere': [
    'src/http/x.ts',
    'export const x = process.env.HOME;\n',
    /reads process\.env/,
  ],
  'ending the process elsewhere': [
    'src/http/x.ts',
    'export const x = () => process.exit(1);\n',
    /ends the process/,
  ],
  'a clock in the domain': [
    'src/domain/x.ts',
    'export const x = () => Date.now();\n',
    /src\/domain\/ is pure/,
  ],
  'input and output in the domain': [
    'src/domain/x.ts',
    "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;\n",
    /src\/domain\/ is pure/,
  ],
  'a folder without import bans': [
    'src/helpers/x.ts',
    'export const x = 1;\n',
    /no import bans for src\/helpers/,
  ],
  'a file beside main.ts and app.ts': ['src/start.ts', 'export const x = 1;\n', /main\.ts and app\.ts only/],
};
for (const [what, [file, source, problem]] of Object.entries(planted)) {
  test(`${what} is found`, (t) => {
    assert.match(checkReserved(writtenTree(t, { ...clean, [file]: source })).problems.join('\n'), problem);
  });
}

test("the project's Biome rules refuse imports upwards, sideways and of the folders around src/, and circles of types", (t) => {
  const root = writtenTree(t, {
    'src/kernel/a.ts': "// A file of the test.\nimport type { B } from './b.ts';\n\nexport type A = B | 1;\n",
    'src/kernel/b.ts': "// A file of the test.\nimport type { A } from './a.ts';\n\nexport type B = A | 2;\n",
    'src/kernel/up.ts': "export { c } from '../chain/c.ts';\n",
    'src/chain/c.ts': 'export const c = 1;\n',
    'src/store/s.ts': "import type { c } from '../chain/c.ts';\n\nexport type S = typeof c;\n",
    'src/http/l.ts': "export const l = () => import('../app.ts');\n",
    'src/http/t.ts': "export { x } from '../../test/x.ts';\n",
    'src/app.ts': 'export const app = 1;\n',
    'test/x.ts': 'export const x = 1;\n',
  });
  copyFileSync(join(project, 'biome.json'), join(root, 'biome.json'));
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(project, 'node_modules/@biomejs/biome/bin/biome'),
      'lint',
      '--reporter=json',
      '--vcs-enabled=false',
      '.',
    ],
    { cwd: root, encoding: 'utf8' },
  );
  const found = (
    JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] }
  ).diagnostics
    .filter(({ category }) => /noRestrictedImports|noImportCycles/.test(category))
    .map(({ category, location }) => `${location.path} ${category.split('/').at(-1)}`);
  assert.deepEqual([...new Set(found)].sort(), [
    'src/http/l.ts noRestrictedImports',
    'src/http/t.ts noRestrictedImports',
    'src/kernel/a.ts noImportCycles',
    'src/kernel/b.ts noImportCycles',
    'src/kernel/up.ts noRestrictedImports',
    'src/store/s.ts noRestrictedImports',
  ]);
});
