// Checks that two starts of one checkout never install concurrently, even after a crash, and that stopping one
// leaves no npm process behind.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { spawnProcess } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writtenTree } from '../support/written-tree.ts';

/** Replaces npm. Installs once the file `go` exists, and reports if it was stopped. */
const NPM = `
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
process.on('SIGTERM', () => {
  writeFileSync('npm-stopped', '');
  process.exit(1);
});
setInterval(() => {
  if (!existsSync('package-lock.json')) process.exit(1);
  if (!existsSync('go')) return;
  mkdirSync('node_modules', { recursive: true });
  copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
  process.exit(0);
}, 5);
console.error('npm runs');
`;

const SERVICE = `
process.on('SIGTERM', () => process.exit(0));
setInterval(() => {}, 1_000);
console.log('up');
`;

const checkout = (t: TestContext) => {
  const temporary = temporaryFolder(t);
  const root = writtenTree(t, {
    'package.json': '{"type":"module"}',
    'package-lock.json': JSON.stringify({ packages: { '': {}, 'node_modules/tiny': { version: '1.0.0' } } }),
    'src/main.ts': SERVICE,
    'npm-cli.js': NPM,
    'as-owner.sh': 'echo $$ > "$1"; shift; exec "$@"\n',
  });
  mkdirSync(join(root, 'scripts'));
  const launcher = join(root, 'scripts', 'run.mjs');
  copyFileSync(join(import.meta.dirname, '../../scripts/run.mjs'), launcher);
  const env = { TMPDIR: temporary, npm_execpath: join(root, 'npm-cli.js') };
  const args = ['src/main.ts'];
  return {
    root,
    start: (file = 'src/main.ts') => spawnProcess(t, { file: launcher, args: [file], env, cwd: root }),
    /** Starts with a lock left by an earlier process with the same id. */
    startAsOwner: (lock: string) =>
      spawnProcess(t, {
        node: '/bin/sh',
        file: join(root, 'as-owner.sh'),
        args: [lock, process.execPath, launcher, ...args],
        env,
        cwd: root,
      }),
    /** Returns the lock file's path, if any. */
    lock: () => readdirSync(temporary).map((name) => join(temporary, name))[0],
    go: () => writeFileSync(join(root, 'go'), ''),
    forget: () => {
      for (const name of ['go', 'node_modules']) rmSync(join(root, name), { recursive: true, force: true });
    },
  };
};

test('an exiting service does not remove the lock of another start’s installation', async (t) => {
  const { start, lock, go, forget } = checkout(t);
  go();
  const first = start();
  await first.output(/up/);
  assert.equal(lock(), undefined, 'the lock is released once everything is installed');
  forget();
  const second = start();
  await second.output(/npm runs/);
  assert.deepEqual(await first.stop(), { code: 0, signal: null });
  assert.equal(readFileSync(lock()!, 'utf8'), String(second.child.pid));
  go();
  await second.output(/up/);
  await second.stop();
});

test('the command line and the demo start with only the service’s packages, and a test installs the development tools', async (t) => {
  const { root, start, go } = checkout(t);
  go();
  const first = start();
  await first.output(/up/);
  await first.stop();
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  lock.packages['node_modules/tool'] = { version: '1.0.0', dev: true };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock));
  for (const file of ['cli/main.ts', 'demo/main.ts', 'scripts/verify-transaction.ts', 'scripts/test.ts']) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), SERVICE);
    const started = start(file);
    await started.output(/up/);
    await started.stop();
    assert.equal(/npm runs/.test(started.stderr), file === 'scripts/test.ts', file);
  }
});

test('a lock left by an earlier process with the same id is not waited for', async (t) => {
  const { start, startAsOwner, lock, go, forget } = checkout(t);
  const first = start();
  await first.output(/npm runs/);
  const path = lock()!;
  go();
  await first.output(/up/);
  await first.stop();
  forget();
  go();
  const second = startAsOwner(path);
  await second.output(/up/);
  assert.match(second.stderr, /npm runs/);
  assert.equal(lock(), undefined);
  await second.stop();
});

test('a start interrupted during the installation stops npm, waits for it to exit and exits with the same signal', async (t) => {
  const { root, start, go } = checkout(t);
  const stopped = start();
  await stopped.output(/npm runs/);
  assert.deepEqual(await stopped.stop(), { code: null, signal: 'SIGTERM' });
  assert.ok(existsSync(join(root, 'npm-stopped')));
  assert.doesNotMatch(stopped.stdout, /up/);
  go();
  const next = start();
  await next.output(/up/);
  await next.stop();
});
