// Tests that the bundle records the files and bytes that it was built from, so a file written during the build
// counts as changed, and that it contains the compiled catalog.
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from '../../src/compose/open-page.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { writtenTree } from '../../test/support/written-tree.ts';
import { bundle } from './bundle.ts';

const project = join(import.meta.dirname, '..', '..');
const files = {
  'web/index.html': '<!doctype html><script type="module" src="/main.ts"></script>',
  'web/main.ts':
    "import './style.css';\nimport './icon.svg';\nimport { said } from '../client/said.ts';\nconsole.log(said);\n",
  'web/style.css': 'p { color: red; }\n',
  'web/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'web/unused.ts': 'export {};\n',
  'client/said.ts': "export const said: string = 'as it was';\n",
};

test('a bundle lists exactly the used files of this project, with the hashes of the bytes that Vite received', async (t) => {
  const root = writtenTree(t, files);
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
  const { sources, files: built } = await bundle(root, temporaryFolder(t));
  writeFileSync(join(root, 'client/said.ts'), "export const said = 'changed';\n");
  const { 'web/unused.ts': _, ...used } = files;
  assert.deepEqual(
    Object.fromEntries(sources),
    Object.fromEntries(Object.entries(used).map(([path, text]) => [path, sha256(text)])),
  );
  assert.ok([...built.values()].some((bytes) => bytes.includes('as it was')));
});

test('the messages of the catalog become functions in the bundle, which contains no message parser', async (t) => {
  const words = 'web/src/words';
  const root = writtenTree(t, {
    ...files,
    'web/main.ts': `import { area } from './src/words/en/group/area.ts';\nimport { compileMessage } from './src/words/compile-catalog-text.ts';\nconsole.log(compileMessage(area.held, 'en')({ count: 2 }));\n`,
    [`${words}/en/group/area.ts`]:
      "export const area = { held: '{count, plural, one {# stake} other {# stakes}}' };\n",
    [`${words}/compile-catalog-text.ts`]: readFileSync(
      join(project, words, 'compile-catalog-text.ts'),
      'utf8',
    ),
  });
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
  const { files: built } = await bundle(root, temporaryFolder(t));
  const script = [...built].find(([path]) => path.endsWith('.js'))![1].toString();
  assert.doesNotMatch(script, /plural, one/);
  assert.ok(script.length < 2_000, `${script.length} bytes`);
});
