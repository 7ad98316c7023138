// Tests that the public listener serves no file of the operator console, and the console listener no file of
// the public page.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { operatorConsoleFiles, publicPageFiles } from './page-entries.ts';
import { storeText } from './send-file.ts';

const files = ['index.html', 'assets/index-1.js', 'console/index.html', 'console/assets/console-1.js'].map(
  (path) => ({ path, ...storeText(path) }),
);

it('each file belongs to one entry, and the console’s files have paths below its root', () => {
  assert.deepEqual(
    publicPageFiles(files).map(({ path }) => path),
    ['index.html', 'assets/index-1.js'],
  );
  assert.deepEqual(
    operatorConsoleFiles(files).map(({ path }) => path),
    ['index.html', 'assets/console-1.js'],
  );
});
