// Tests that all of our test files are found, and no other files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenTree } from '../../test/support/written-tree.ts';
import { findCodeFiles, findTestFiles, guaranteesIn, isOnlyInTestMore } from './find-test-files.ts';

const treeOf = (t: Parameters<typeof writtenTree>[0], ...paths: string[]): string =>
  writtenTree(t, Object.fromEntries(paths.map((path) => [path, ''])));

test('the runner finds tests at any depth, and only in the code folders', (t) => {
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

test('folders of long-running tests come first, and files are sorted by path, regardless of the order on disk', (t) => {
  const root = treeOf(
    t,
    'test/life/a.test.ts',
    'test/guarantees/z.test.ts',
    'src/z.test.ts',
    'test/guarantees/b.test.ts',
    'src/test/guarantees/c.test.ts',
    'test/long/y.test.ts',
    'bench/a.test.ts',
  );
  assert.deepEqual(findTestFiles(root), [
    'test/long/y.test.ts',
    'test/guarantees/b.test.ts',
    'test/guarantees/z.test.ts',
    'test/life/a.test.ts',
    'bench/a.test.ts',
    'src/test/guarantees/c.test.ts',
    'src/z.test.ts',
  ]);
});

test('words select files by any part of the path, each file once, and an unknown word selects nothing', (t) => {
  const root = treeOf(
    t,
    'src/chain/index/index-feed.test.ts',
    'src/chain/other.test.ts',
    'test/guarantees/dead-letters.test.ts',
  );
  const found = (...words: string[]) => findTestFiles(root, words);
  assert.deepEqual(found('index-feed', 'chain/index'), ['src/chain/index/index-feed.test.ts']);
  assert.deepEqual(found('other', 'dead-letters'), [
    'test/guarantees/dead-letters.test.ts',
    'src/chain/other.test.ts',
  ]);
  assert.deepEqual(found('live-letters'), []);
  assert.equal(found('').length, 3);
  assert.deepEqual(findTestFiles(treeOf(t)), []);
});

test('a guarantee is found only by its exact identifier at the start of a title', (t) => {
  const root = writtenTree(t, {
    'test/guarantees/a.test.ts': "test('KEY-1: nothing is left', () => {});\n",
    'test/guarantees/b.test.ts': "describe(\n  'MCP-KEY-1, KEY-10 over MCP', () => {});\n",
    'test/life/c.test.ts': "test('as KEY-1 says', () => {});\n// KEY-1\n",
  });
  assert.deepEqual(findTestFiles(root, ['key-1']), ['test/guarantees/a.test.ts']);
  assert.deepEqual(findTestFiles(root, ['MCP-KEY-1']), ['test/guarantees/b.test.ts']);
  const source = ['test(`PLAN-1, PLAN-1b: a plan`, x);', "  test('WH-EVENTS: x');", "test('a b');"];
  assert.deepEqual(guaranteesIn(source.join('\n')), ['PLAN-1', 'PLAN-1b', 'WH-EVENTS']);
});

test('npm test leaves whole folders to npm run test:more', () => {
  for (const folder of ['guarantees', 'long', 'web']) assert.ok(isOnlyInTestMore(`test/${folder}/a.test.ts`));
  assert.ok(!isOnlyInTestMore('test/life/long.test.ts') && !isOnlyInTestMore('src/test/long/a.test.ts'));
});
