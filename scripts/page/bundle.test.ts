// The bundle records which bytes of which files it was built from, so that a file written during the build
// counts as changed.
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
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

test('lists exactly the used files of this project, with the hash of the bytes that Vite got', async (t) => {
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
