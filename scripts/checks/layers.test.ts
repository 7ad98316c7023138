// Shows that the floors hold: each kind of forbidden import is found when planted, and clean trees pass.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenTree } from '../../test/support/written-tree.ts';
import { checkLayers } from './layers.ts';

const clean: Readonly<Record<string, string>> = {
  'src/kernel/a.ts': 'export const a = 1;\n',
  'src/domain/b.ts': "import { a } from '../kernel/a.ts';\nexport const b = a;\n",
  'src/config/env.ts': 'export const env = process.env;\n',
  'src/chain/c.ts':
    "import { b } from '../domain/b.ts';\nimport { z } from 'zod';\nexport const c = [b, z];\n",
  'src/store/s.ts': "import type { b } from '../domain/b.ts';\nexport type S = typeof b;\n",
  'src/operations/o.ts':
    "import { c } from '../chain/c.ts';\nimport type { S } from '../store/s.ts';\nexport const o = [c] as unknown as S;\n",
  'src/http/h.ts': "import { o } from '../operations/o.ts';\nexport const h = o;\n",
  'src/app.ts':
    "import { h } from './http/h.ts';\nimport { start } from './start.ts';\nexport const app = [h, start];\n",
  'src/start.ts': 'export const start = 1;\n',
  'src/main.ts': "const { app } = await import('./app.ts');\nprocess.exit(app.length);\n",
  'sandbox/main.ts': "import { a } from '../src/kernel/a.ts';\nexport const sandbox = a;\n",
};

test('imports that point down pass', (t) => {
  assert.deepEqual(checkLayers(writtenTree(t, clean)).problems, []);
});

const planted: Readonly<Record<string, readonly [files: Readonly<Record<string, string>>, problem: RegExp]>> =
  {
    'an import upwards': [
      {
        'src/kernel/a.ts': "import { b } from '../domain/b.ts';\nexport const a = b;\n",
        'src/domain/b.ts': 'export const b = 1;\n',
      },
      /src\/kernel\/a\.ts imports src\/domain\/b\.ts: kernel stands below domain/,
    ],
    'a type import upwards': [
      { 'src/chain/t.ts': "import type { o } from '../operations/o.ts';\nexport type T = typeof o;\n" },
      /chain stands below operations/,
    ],
    'an import sideways': [
      { 'src/store/x.ts': "import { c } from '../chain/c.ts';\nexport const x = c;\n" },
      /store stands beside chain/,
    ],
    'a re-export upwards': [
      { 'src/domain/r.ts': "export { c } from '../chain/c.ts';\n" },
      /domain stands below chain/,
    ],
    'an import over several lines': [
      { 'src/domain/r.ts': "import {\n  c,\n} from '../chain/c.ts';\nexport const r = c;\n" },
      /domain stands below chain/,
    ],
    'a side-effect import': [{ 'src/kernel/r.ts': "import '../app.ts';\n" }, /kernel stands below app/],
    'a dynamic import': [
      { 'src/kernel/r.ts': "export const r = () => import('../http/h.ts');\n" },
      /kernel stands below http/,
    ],
    'src/ knowing the sandbox': [
      { 'src/app2.ts': "import { sandbox } from '../sandbox/main.ts';\nexport const x = sandbox;\n" },
      /nothing in src\/ may know the folders around it/,
    ],
    'src/ knowing the tests': [
      {
        'test/support/x.ts': 'export const x = 1;\n',
        'src/http/x.ts': "import { x } from '../../test/support/x.ts';\nexport const y = x;\n",
      },
      /nothing in src\//,
    ],
    'a folder without a floor': [
      { 'src/helpers/x.ts': 'export const x = 1;\n' },
      /stands on no floor: name helpers/,
    ],
    'an import of nothing': [
      { 'src/http/x.ts': "import { x } from './gone.ts';\nexport const y = x;\n" },
      /imports src\/http\/gone\.ts, which does not exist/,
    ],
    'reading the environment elsewhere': [
      { 'src/http/x.ts': 'export const x = process.env.HOME;\n' },
      /reads process\.env/,
    ],
    'ending the process elsewhere': [
      { 'src/http/x.ts': 'export const x = () => process.exit(1);\n' },
      /ends the process/,
    ],
    'a clock in the domain': [
      { 'src/domain/x.ts': 'export const x = () => Date.now();\n' },
      /src\/domain\/ is pure/,
    ],
    'input and output in the domain': [
      { 'src/domain/x.ts': "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;\n" },
      /src\/domain\/ is pure/,
    ],
  };

for (const [what, [files, problem]] of Object.entries(planted)) {
  test(`${what} is found`, (t) => {
    const { problems } = checkLayers(writtenTree(t, { ...clean, ...files }));
    assert.match(problems.join('\n'), problem);
  });
}

test('a circle of imports is found and shown whole', (t) => {
  const root = writtenTree(t, {
    'src/kernel/a.ts': "import { b } from './b.ts';\nexport const a = b;\n",
    'src/kernel/b.ts': "import { c } from './deeper/c.ts';\nexport const b = c;\n",
    'src/kernel/deeper/c.ts': "import { a } from '../a.ts';\nexport const c = () => a;\n",
  });
  assert.deepEqual(checkLayers(root).problems, [
    'imports form a circle: src/kernel/a.ts → src/kernel/b.ts → src/kernel/deeper/c.ts → src/kernel/a.ts',
  ]);
});

test('type imports close no circle, because they are erased', (t) => {
  const root = writtenTree(t, {
    'src/kernel/a.ts': "import { b } from './b.ts';\nexport const a = b;\n",
    'src/kernel/b.ts': "import type { a } from './a.ts';\nexport const b = 1 as typeof a;\n",
  });
  assert.deepEqual(checkLayers(root).problems, []);
});

test('what stands in comments and strings is no import', (t) => {
  const root = writtenTree(t, {
    'src/kernel/a.ts':
      "// import { x } from '../app.ts';\n/*\nimport '../app.ts';\n*/\nexport const a = 'process.env'.length; // process.env.X\nexport const url = 'https://x'; export const b = 1;\n",
    'src/app.ts': 'export const x = 1;\n',
  });
  assert.deepEqual(
    checkLayers(root).problems.filter((problem) => !problem.includes('process.env')),
    [],
  );
});

test('tests may import whatever they need', (t) => {
  const root = writtenTree(t, {
    ...clean,
    'src/kernel/a.test.ts': "import { app } from '../app.ts';\nexport const x = [app, process.env];\n",
  });
  assert.deepEqual(checkLayers(root).problems, []);
});
