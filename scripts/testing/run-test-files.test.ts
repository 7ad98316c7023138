// Shows that the test runner counts what really happened: failures, skips, silence, broken files and processes that do not end.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { spawnProcess } from '../../test/support/spawned-process.ts';
import type { Scope } from '../../test/support/temporary-folder.ts';
import { writtenTree } from '../../test/support/written-tree.ts';

const HEAD = "import { describe, it, test } from 'node:test';\n";

/** Runs the runner over a tree in a process of its own, because a test runner does not run inside another. */
const runTree = async (
  t: Scope,
  files: Readonly<Record<string, string>>,
): Promise<{ line: string; printed: string }> => {
  const root = writtenTree(t, {
    ...files,
    'go.ts': `import { findTestFiles } from ${JSON.stringify(join(import.meta.dirname, 'find-test-files.ts'))};
      import { countTests, describeFile, runTestFiles, summaryLine } from ${JSON.stringify(join(import.meta.dirname, 'run-test-files.ts'))};
      const options = { testTimeoutMs: 1_000, fileTimeoutMs: 8_000, atOnce: 2, onEnd: (result) => console.log(describeFile(result), result.diagnostics.join()) };
      const results = await runTestFiles(import.meta.dirname, findTestFiles(import.meta.dirname), options);
      console.log(results.flatMap((result) => result.skips.map((skip) => skip.reason)).join());
      console.log(summaryLine(countTests(results)));`,
  });
  const spawned = spawnProcess(t, { file: join(root, 'go.ts') });
  await spawned.ended;
  assert.equal(spawned.stderr, '');
  return { line: spawned.stdout.trimEnd().split('\n').at(-1) ?? '', printed: spawned.stdout };
};

test('tests are counted once, suites and parents of failed tests not at all', async (t) => {
  const { line, printed } = await runTree(t, {
    'src/a.test.ts': `${HEAD}test('one', (t) => t.diagnostic('counted 7')); describe('suite', () => { it('two', () => {}); it('three', () => { throw new Error('boom'); }); });\n`,
    'test/b.test.ts': `${HEAD}test('parent', async (t) => { await t.test('child', () => { throw new Error('bang'); }); });\n`,
    'docs/ignored.test.ts': "throw new Error('not ours');\n",
  });
  assert.equal(line, '2 passed, 2 failed');
  assert.match(printed, /✗ three[\s\S]*boom/);
  assert.match(printed, /✗ child[\s\S]*bang/);
  assert.match(printed, /counted 7/);
});

test('skipped tests are told apart, with their reasons', async (t) => {
  const { line, printed } = await runTree(t, {
    'src/a.test.ts': `${HEAD}test('one', () => {}); test('two', { skip: 'no python3' }, () => {}); test('three', { todo: true }, () => {});\n`,
  });
  assert.equal(line, '1 passed, 0 failed, 2 skipped');
  assert.match(printed, /no python3,to do/);
});

test('a file that breaks, says nothing, hangs or leaves something open fails', async (t) => {
  const { line, printed } = await runTree(t, {
    'src/breaks.test.ts': "throw new Error('at load');\n",
    'src/hangs.test.ts': `${HEAD}test('slow', () => new Promise((settle) => setTimeout(settle, 6_000)));\n`,
    'src/leaks.test.ts': `${HEAD}test('fine', () => { setInterval(() => {}, 1_000); });\n`,
    'src/silent.test.ts': 'export {};\n',
  });
  assert.equal(line, '1 passed, 4 failed');
  assert.match(printed, /breaks[\s\S]*at load/);
  assert.match(printed, /✗ slow[\s\S]*timed out/);
  assert.match(printed, /leaks[\s\S]*something was left open/);
  assert.match(printed, /silent[\s\S]*reported no test/);
});

test('what one file compiled is there for the next, and nothing of it is left behind', async (t) => {
  const { line, printed } = await runTree(t, {
    'src/a.test.ts': `${HEAD}import { getCompileCacheDir } from 'node:module'; test('kept', (t) => { t.diagnostic(getCompileCacheDir()); });\n`,
  });
  assert.equal(line, '1 passed, 0 failed');
  const folder = /\) (\S+holdfast-test-compiled-\S+)/.exec(printed)?.[1] ?? '';
  assert.notEqual(folder, '');
  assert.ok(!existsSync(folder));
});
