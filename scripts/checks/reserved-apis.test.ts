// Tests that the check finds calls outside the only file that may make them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenTree } from '../../test/support/written-tree.ts';
import { checkReserved } from './reserved-apis.ts';

const clean: Readonly<Record<string, string>> = {
  'src/kernel/a.ts': "// process.env.X\nexport const a = 'https://x'.length;\n",
  'src/kernel/a.test.ts': 'export const x = process.env;\n',
  'src/domain/b.ts': "import { a } from '../kernel/a.ts';\nexport const b = a;\n",
  'src/config/read-settings.ts': 'export const env = process.env;\n',
  'src/http/h.ts': "import { b } from '../domain/b.ts';\nexport const h = b;\n",
  'src/app.ts': "import { h } from './http/h.ts';\nexport const app = [h];\n",
  'src/main.ts': "const { app } = await import('./app.ts');\nprocess.exit(app.length);\n",
};

test('a tree passes if it makes reserved calls only in the permitted files', (t) => {
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
    /src\/domain\/ must be pure/,
  ],
  'I/O in the domain': [
    'src/domain/x.ts',
    "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;\n",
    /src\/domain\/ must be pure/,
  ],
};
for (const [what, [file, source, problem]] of Object.entries(planted)) {
  test(`${what} is reported`, (t) => {
    assert.match(checkReserved(writtenTree(t, { ...clean, [file]: source })).problems.join('\n'), problem);
  });
}
