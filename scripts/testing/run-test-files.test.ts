// Tests that the test runner reports what really happened: failures, skips, files without results, broken files
// and processes that do not end.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { spawnProcess } from '../../test/support/spawned-process.ts';
import type { Scope } from '../../test/support/temporary-folder.ts';
import { writtenTree } from '../../test/support/written-tree.ts';

const HEAD = "import { describe, it, test } from 'node:test';\n";

/** Runs the test runner on a tree in a separate process, because test runners cannot be nested. */
const runTree = async (
  t: Scope,
  files: Readonly<Record<string, string>>,
  options: { readonly inTurn?: boolean; readonly atOnce?: number; readonly alsoFrom?: number } = {},
): Promise<{ line: string; printed: string }> => {
  const root = writtenTree(t, {
    ...files,
    'go.ts': `import { findTestFiles } from ${JSON.stringify(join(import.meta.dirname, 'find-test-files.ts'))};
      import { countTests, describeFile, runTestFiles, summaryLine } from ${JSON.stringify(join(import.meta.dirname, 'run-test-files.ts'))};
      const options = { testTimeoutMs: 2_000, fileTimeoutMs: 60_000, quietWithinMs: 500, atOnce: 2, ...${JSON.stringify(options)}, onEnd: (result) => console.log(describeFile(result), result.diagnostics.join()) };
      const results = await runTestFiles(import.meta.dirname, findTestFiles(import.meta.dirname), options);
      console.log(results.flatMap((result) => result.skips.map((skip) => skip.reason)).join());
      console.log(summaryLine(countTests(results)));`,
  });
  const spawned = spawnProcess(t, { file: join(root, 'go.ts') });
  await spawned.ended;
  assert.equal(spawned.stderr, '');
  return { line: spawned.stdout.trimEnd().split('\n').at(-1) ?? '', printed: spawned.stdout };
};

test('tests are counted once, and suites and parents of failed tests are not counted', async (t) => {
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

test('skipped tests are counted separately, with their reasons', async (t) => {
  const { line, printed } = await runTree(t, {
    'src/a.test.ts': `${HEAD}test('one', () => {}); test('two', { skip: 'no python3' }, () => {}); test('three', { todo: true }, () => {});\n`,
  });
  assert.equal(line, '1 passed, 0 failed, 2 skipped');
  assert.match(printed, /no python3,to do/);
});

for (const inTurn of [false, true])
  test(`a file that crashes, prints nothing, hangs or leaves a handle open fails, ${inTurn ? 'in turn' : 'in its own process'}`, async (t) => {
    const { line, printed } = await runTree(
      t,
      {
        'src/breaks.test.ts': "throw new Error('at load');\n",
        'src/hangs.test.ts': `${HEAD}test('slow', () => new Promise(() => {}));\n`,
        'src/leaks.test.ts': `${HEAD}test('fine', () => { setInterval(() => {}, 1_000); });\n`,
        'src/passes.test.ts': `${HEAD}test('fine too', () => {});\n`,
        'src/silent.test.ts': 'export {};\n',
      },
      { inTurn, atOnce: inTurn ? 1 : 2 },
    );
    assert.equal(line, '2 passed, 4 failed');
    assert.match(printed, /breaks[\s\S]*at load/);
    assert.match(printed, /✗ slow[\s\S]*timed out/);
    assert.match(printed, /✗ src\/leaks[\s\S]*something was left open/);
    assert.match(printed, /✗ src\/silent[\s\S]*reported no test/);
  });

test('a file that ends its process fails, and the files after it run', async (t) => {
  const { line, printed } = await runTree(
    t,
    {
      'src/a.test.ts': `${HEAD}test('gone', () => process.exit(0));\n`,
      'src/b.test.ts': `${HEAD}test('fine', () => {});\n`,
    },
    { inTurn: true, atOnce: 1 },
  );
  assert.equal(line, '1 passed, 1 failed');
  assert.match(printed, /✗ src\/a[\s\S]*the process ended while this file was running/);
});

test('files that run one after another share their modules but have separate hooks and globals', async (t) => {
  const file = (
    name: string,
  ) => `${HEAD}import { beforeEach } from 'node:test'; import { loads } from './shared.ts';
    globalThis.current = '${name}'; await null; beforeEach(() => { globalThis.hooks = '${name}'; });
    test('own', () => { if (globalThis.current !== '${name}' || globalThis.hooks !== '${name}' || loads !== 1) throw new Error('mixed'); });\n`;
  const shared = 'globalThis.loads = (globalThis.loads ?? 0) + 1; export const loads = globalThis.loads;\n';
  const files = { 'src/shared.ts': shared, 'src/a.test.ts': file('a'), 'src/b.test.ts': file('b') };
  const { line } = await runTree(t, files, { inTurn: true, atOnce: 1 });
  assert.equal(line, '2 passed, 0 failed');
});

for (const inTurn of [false, true])
  test(`while the first files wait, another process starts with a later file, and each file runs once, ${inTurn ? 'in turn' : 'in its own process'}`, async (t) => {
    const wait = `import { existsSync } from 'node:fs'; import { setTimeout as pause } from 'node:timers/promises';
    test('waits', async () => { while (!existsSync(new URL('last', import.meta.url))) await pause(5); });\n`;
    const write = `import { writeFileSync } from 'node:fs';
    test('writes', () => writeFileSync(new URL('last', import.meta.url), '', { flag: 'wx' }));\n`;
    const files = {
      'src/a.test.ts': HEAD + wait,
      'src/b.test.ts': HEAD + wait,
      'src/c.test.ts': HEAD + write,
    };
    const { line } = await runTree(t, files, { inTurn, atOnce: 1, alsoFrom: 2 });
    assert.equal(line, '3 passed, 0 failed');
  });

test('each of several files in one process starts with the environment of the run', async (t) => {
  const { line } = await runTree(
    t,
    {
      'src/a.test.ts': `${HEAD}test('changes it', () => { process.env.NODE_ENV = 'production'; delete process.env.PATH; });\n`,
      'src/b.test.ts': `${HEAD}test('own', () => { if (process.env.NODE_ENV !== undefined || !process.env.PATH) throw new Error('changed'); });\n`,
    },
    { inTurn: true, atOnce: 1 },
  );
  assert.equal(line, '2 passed, 0 failed');
});

test('the compile cache is specific to the run and is removed afterwards', async (t) => {
  const { line, printed } = await runTree(t, {
    'src/a.test.ts': `${HEAD}import { getCompileCacheDir } from 'node:module'; test('kept', (t) => { t.diagnostic(getCompileCacheDir()); });\n`,
  });
  assert.equal(line, '1 passed, 0 failed');
  const folder = /\) (\S+holdfast-tests-\S+)/.exec(printed)?.[1] ?? '';
  assert.notEqual(folder, '');
  assert.ok(!existsSync(folder));
});
