// Checks that reports about the sources describe the bytes read at startup, even if the files change
// afterwards.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashSourceCode } from '../../src/compose/hash-source-code.ts';
import { cleanEnvironment } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/chain/solana.ts': '// reads\n',
  'src/chain/transactions/transaction.ts': '// builds\n',
  'src/chain/transactions/transaction.test.ts': '// shows\n',
  'src/main.ts': '// starts\n',
  'src/Zed.ts': '',
  'src/http/öl.ts': '// ö\n',
  'package-lock.json': '{}\n',
  'README.md': 'no source\n',
};

const write = (root: string, path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};

const project = (t: TestContext, files: Readonly<Record<string, string | Uint8Array>> = FILES): string => {
  const root = temporaryFolder(t);
  for (const [path, content] of Object.entries(files)) write(root, path, content);
  return root;
};

/** Loads the sources like a process that started after everything was written. */
const load = (root: string) =>
  hashSourceCode({ root, processStartedAtMs: Number.MAX_VALUE, nowMs: Number.MAX_VALUE });
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const shell = (cwd: string, command: string): string =>
  execFileSync('sh', ['-c', command], {
    cwd,
    encoding: 'utf8',
    env: { ...cleanEnvironment(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });

test('published files are found by name in any folder, with their hash and text, and other files stay unpublished', (t) => {
  const { files, lockfileSha256 } = load(project(t));
  assert.deepEqual([...files.keys()], ['transaction.ts', 'solana.ts']);
  assert.deepEqual(files.get('transaction.ts'), {
    name: 'transaction.ts',
    path: 'src/chain/transactions/transaction.ts',
    sha256: sha256('// builds\n'),
    text: '// builds\n',
  });
  assert.equal(lockfileSha256, sha256('{}\n'));
});

test('the hash of the tree equals the result of find, sort and sha256sum, and a missing lock file has no hash', (t) => {
  const root = project(t);
  const printed = shell(root, 'find src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum');
  assert.equal(load(root).treeSha256, printed.split(' ')[0]);
  write(root, 'src/new.ts', '');
  assert.notEqual(load(root).treeSha256, printed.split(' ')[0]);
  rmSync(join(root, 'package-lock.json'));
  assert.equal(load(root).lockfileSha256, null);
});

test('a file that changes, disappears or returns is reported as it is on disk at each request, while the loaded bytes stay the same', async (t) => {
  const root = project(t);
  const source = load(root);
  const now = () => source.changedOnDisk();
  assert.deepEqual(await now(), { 'transaction.ts': false, 'solana.ts': false });
  write(root, 'src/chain/solana.ts', '// reedS\n');
  assert.deepEqual(await now(), { 'transaction.ts': false, 'solana.ts': true });
  rmSync(join(root, 'src/chain/transactions/transaction.ts'));
  write(root, 'src/chain/solana.ts', FILES['src/chain/solana.ts']!);
  assert.deepEqual(await now(), { 'transaction.ts': true, 'solana.ts': false });
  assert.equal(source.files.get('transaction.ts')?.text, '// builds\n');
});

test('a file written after the process started but before it was read counts as changed, because different bytes may have been loaded', async (t) => {
  const root = project(t);
  const early = hashSourceCode({ root, processStartedAtMs: 0, nowMs: Number.MAX_VALUE });
  assert.deepEqual(await early.changedOnDisk(), { 'transaction.ts': true, 'solana.ts': true });
  // A modification time in the future only means that a clock was changed.
  const skewed = hashSourceCode({ root, processStartedAtMs: 0, nowMs: 1 });
  assert.deepEqual(await skewed.changedOnDisk(), { 'transaction.ts': false, 'solana.ts': false });
});

test('a published file that is not UTF-8 text prevents startup and is named', (t) => {
  const root = project(t, { ...FILES, 'src/chain/solana.ts': Uint8Array.of(0x2f, 0x2f, 0xff) });
  assert.throws(() => load(root), { name: 'StartError', message: /src\/chain\/solana\.ts is not UTF-8/ });
});

test('sources are dirty if a changed, extra or missing file distinguishes them from the commit, and clean otherwise', async (t) => {
  const root = project(t);
  assert.equal(await load(root).isDirty(), null, 'no repository');
  shell(
    root,
    'git init -q && git add . && git -c user.name=t -c user.email=t@example.org -c commit.gpgsign=false commit -q -m one',
  );
  const clean = load(root);
  write(root, 'README.md', 'changed, but no source\n');
  assert.equal(await load(root).isDirty(), false);
  const restored: readonly [() => void, () => void][] = [
    [
      () => write(root, 'src/main.ts', '// stArts\n'),
      () => write(root, 'src/main.ts', FILES['src/main.ts']!),
    ],
    [() => write(root, 'src/more.ts', ''), () => rmSync(join(root, 'src/more.ts'))],
    [() => rmSync(join(root, 'src/Zed.ts')), () => write(root, 'src/Zed.ts', '')],
    [() => write(root, 'package-lock.json', '{ }\n'), () => write(root, 'package-lock.json', '{}\n')],
  ];
  for (const [change, restore] of restored) {
    change();
    assert.equal(await load(root).isDirty(), true, String(change));
    assert.equal(await clean.isDirty(), false, 'a later report still describes the loaded bytes');
    restore();
    assert.equal(await load(root).isDirty(), false);
  }
  assert.match(clean.gitCommit ?? '', /^[0-9a-f]{40}$/);
});
