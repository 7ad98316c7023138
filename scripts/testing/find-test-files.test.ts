// Shows that no test file of ours is overlooked, and none that is not ours is run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenTree } from '../../test/support/written-tree.ts';
import { findCodeFiles, findTestFiles } from './find-test-files.ts';

const treeOf = (t: Parameters<typeof writtenTree>[0], ...paths: string[]): string =>
  writtenTree(t, Object.fromEntries(paths.map((path) => [path, ''])));

test('tests are found at any depth of the folders that hold code, and nowhere else', (t) => {
  const root = treeOf(
    t,
    'src/a.test.ts',
    'src/b/c/d.test.ts',
    'cli/e.test.ts',
    'src/a.ts',
    'src/test.ts',
    'src/a.test.tsx',
    'src/a.test.ts.bak',
    'a.test.ts',
    'docs/b.test.ts',
    'src-old/c.test.ts',
    'src/node_modules/x/d.test.ts',
    'web/node_modules/.bin/e.test.ts',
    'web/dist/f.test.ts',
    'web/src/dist/g.test.ts',
  );
  assert.deepEqual(findTestFiles(root), [
    'cli/e.test.ts',
    'src/a.test.ts',
    'src/b/c/d.test.ts',
    'web/src/dist/g.test.ts',
  ]);
  assert.deepEqual(findCodeFiles(root, '.tsx'), ['src/a.test.tsx']);
});

test('guarantees come first, both groups in the order of their paths, however the disk lists them', (t) => {
  const root = treeOf(
    t,
    'test/life/a.test.ts',
    'test/guarantees/z.test.ts',
    'src/z.test.ts',
    'test/guarantees/b.test.ts',
    'src/test/guarantees/c.test.ts',
    'bench/a.test.ts',
  );
  assert.deepEqual(findTestFiles(root), [
    'test/guarantees/b.test.ts',
    'test/guarantees/z.test.ts',
    'bench/a.test.ts',
    'src/test/guarantees/c.test.ts',
    'src/z.test.ts',
    'test/life/a.test.ts',
  ]);
});

test('words choose by any part of the path, each file once; a word that fits nothing finds nothing', (t) => {
  const root = treeOf(
    t,
    'src/chain/index/index-feed.test.ts',
    'src/chain/other.test.ts',
    'test/guarantees/tx-1.test.ts',
  );
  const found = (...words: string[]) => findTestFiles(root, words);
  assert.deepEqual(found('index-feed', 'chain/index'), ['src/chain/index/index-feed.test.ts']);
  assert.deepEqual(found('other', 'tx-1'), ['test/guarantees/tx-1.test.ts', 'src/chain/other.test.ts']);
  assert.deepEqual(found('tx-2'), []);
  assert.equal(found('').length, 3);
  assert.deepEqual(findTestFiles(treeOf(t)), []);
});
