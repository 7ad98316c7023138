// Checks that a commit is reported only if the sources' own folder proves it, in every form in which git stores
// commits.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { listCommitted, readSourceCommit } from '../../src/compose/hash-source-code.ts';
import { cleanEnvironment } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HASH = '0123456789abcdef0123456789abcdef01234567';
const OTHER = 'fedcba9876543210fedcba9876543210fedcba98';

const folderWith = (t: TestContext, files: Readonly<Record<string, string>>): string => {
  const root = temporaryFolder(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

const hashIn = (t: TestContext, files: Readonly<Record<string, string>>): string | null =>
  readSourceCommit(folderWith(t, files))?.hash ?? null;

/** Runs real git, without the settings of the user who runs the tests. */
const git = (root: string, ...args: readonly string[]): string =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', ...args],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...cleanEnvironment(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    },
  ).trim();

const repository = (t: TestContext, files: Readonly<Record<string, string>>): string => {
  const root = folderWith(t, files);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'one');
  return root;
};

describe('the commit recorded by git', () => {
  test('is found for a branch, loose or packed, and for a detached head', (t) => {
    assert.equal(
      hashIn(t, { '.git/HEAD': 'ref: refs/heads/a/b\n', '.git/refs/heads/a/b': `${HASH}\n` }),
      HASH,
    );
    const packed = `# pack-refs with: peeled\n${OTHER} refs/heads/ab\n${HASH} refs/heads/b\n^${OTHER}\n`;
    assert.equal(hashIn(t, { '.git/HEAD': 'ref: refs/heads/b\n', '.git/packed-refs': packed }), HASH);
    assert.equal(hashIn(t, { '.git/HEAD': `${HASH}\n` }), HASH);
  });

  test('is found for a worktree, whose branches are stored in the main repository', (t) => {
    const root = folderWith(t, {
      'tree/.git': 'gitdir: ../repository/worktrees/tree\n',
      'repository/worktrees/tree/HEAD': 'ref: refs/heads/side\n',
      'repository/worktrees/tree/commondir': '../..\n',
      'repository/refs/heads/side': `${HASH}\n`,
      'repository/HEAD': `${OTHER}\n`,
    });
    assert.equal(readSourceCommit(join(root, 'tree'))?.hash, HASH);
  });

  test('is unknown for a branch without commits, a cycle, a truncated file or a missing file', (t) => {
    assert.equal(hashIn(t, { '.git/HEAD': 'ref: refs/heads/main\n' }), null);
    assert.equal(hashIn(t, { '.git/HEAD': 'ref: HEAD\n' }), null);
    assert.equal(hashIn(t, { '.git/HEAD': HASH.slice(1) }), null);
    assert.equal(hashIn(t, { '.git/config': '' }), null);
    assert.equal(hashIn(t, { '.git': 'gitdir: nowhere\n' }), null);
    assert.equal(hashIn(t, {}), null);
  });

  test('is not taken from a repository that contains the folder', (t) => {
    const root = folderWith(t, { '.git/HEAD': `${HASH}\n`, 'vendor/holdfast/package.json': '{}' });
    assert.equal(readSourceCommit(join(root, 'vendor/holdfast')), null);
  });
});

describe('archives', () => {
  test('the placeholder is read only outside a repository, and only once git has replaced it', (t) => {
    assert.equal(hashIn(t, { 'source-commit.txt': `${HASH}\n` }), HASH);
    assert.equal(hashIn(t, { 'source-commit.txt': '$Format:%H$\n' }), null);
    assert.equal(hashIn(t, { 'source-commit.txt': `${HASH}\n`, '.git/HEAD': `${OTHER}\n` }), OTHER);
  });

  test('an archive of a real repository names its commit, but later changes cannot be detected', async (t) => {
    const root = repository(t, {
      'src/a.ts': 'a\n',
      'source-commit.txt': '$Format:%H$\n',
      '.gitattributes': 'source-commit.txt export-subst\n',
    });
    const unpacked = temporaryFolder(t);
    git(root, 'archive', '-o', join(unpacked, 'it.tar'), 'HEAD');
    execFileSync('tar', ['-xf', 'it.tar'], { cwd: unpacked });
    const commit = readSourceCommit(unpacked);
    assert.deepEqual(commit, { hash: git(root, 'rev-parse', 'HEAD'), gitDir: null });
    assert.equal(await listCommitted(commit, ['src']), null);
  });
});

describe('the commit read through the git command', () => {
  test('is the head of a real repository, packed or not, with the contents of the requested paths', async (t) => {
    const root = repository(t, {
      'src/a.ts': 'a\n',
      'src/d/ö b.ts': 'b\n',
      'lock.json': '{}',
      'other.md': 'x',
    });
    const head = git(root, 'rev-parse', 'HEAD');
    for (const arrange of [
      () => {},
      () => git(root, 'pack-refs', '--all'),
      () => git(root, 'checkout', '-q', '--detach'),
    ]) {
      arrange();
      const commit = readSourceCommit(root);
      assert.equal(commit?.hash, head);
      assert.deepEqual(
        await listCommitted(commit, ['src', 'lock.json']),
        new Map(
          ['lock.json', 'src/a.ts', 'src/d/ö b.ts'].map((path) => [path, git(root, 'hash-object', path)]),
        ),
      );
    }
  });

  test('is unknown if it is missing from the repository or the repository is invalid', async (t) => {
    const root = repository(t, { 'src/a.ts': 'a\n' });
    assert.equal(await listCommitted({ hash: HASH, gitDir: join(root, '.git') }, ['src']), null);
    assert.equal(await listCommitted({ hash: HASH, gitDir: temporaryFolder(t) }, ['src']), null);
    assert.equal(await listCommitted(null, ['src']), null);
  });
});
