// Checks the page build: unchanged sources are built once, changed ones again, two builds may run concurrently,
// and a build never disturbs the page being served.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { buildPage } from '../../scripts/build-page.ts';
import { openPage, readBuiltPage } from '../../src/compose/open-page.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { type Scope, temporaryFolder } from '../support/temporary-folder.ts';

const project = join(import.meta.dirname, '..', '..');

/** Copies the sources of the page to a separate folder. */
const copyPage = (scope: Scope): string => {
  const root = temporaryFolder(scope, 'holdfast-page-');
  for (const name of ['src', 'client', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(project, name), join(root, name), { recursive: true });
  cpSync(join(project, 'web'), join(root, 'web'), {
    recursive: true,
    filter: (source) => !source.startsWith(join(project, 'web', 'dist')),
  });
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
  return root;
};

const folders = (root: string): readonly string[] =>
  readdirSync(join(root, 'web', 'dist')).filter((name) => name !== 'current.json');

const recorder = () => {
  const lines: string[] = [];
  const note = (_facts: unknown, text?: string) => void lines.push(text ?? String(_facts));
  return { lines, logger: { debug: note, info: note, warn: note, error: note } as never };
};

it('unchanged sources are built only once, changed sources are rebuilt, and the old page is removed', async (t) => {
  const root = copyPage(t);
  const first = await buildPage(root);
  assert.deepEqual(folders(root), [first.folder]);
  // The service may run as a different user than the build.
  assert.equal(statSync(join(root, 'web', 'dist', first.folder)).mode & 0o755, 0o755);
  const madeAt = statSync(join(root, 'web', 'dist', 'current.json')).mtimeMs;
  assert.deepEqual(await buildPage(root), first);
  assert.equal(statSync(join(root, 'web', 'dist', 'current.json')).mtimeMs, madeAt);

  // Changes a module used only by the transaction check, because every source of the page counts.
  appendFileSync(join(root, 'src/domain/transaction/stake-verifier.ts'), '\nexport const added = 1;\n');
  appendFileSync(join(root, 'src', 'http', 'pages', 'tokens.css'), '\n:root { --added: 1px; }\n');
  const second = await buildPage(root);
  assert.notEqual(second.folder, first.folder);
  assert.deepEqual(folders(root), [second.folder]);
  for (const path of [
    'src/domain/transaction/stake-verifier.ts',
    'client/holdfast-client.ts',
    'web/src/main.tsx',
    'web/src/console/main.tsx',
    'web/console.html',
    'src/http/pages/tokens.css',
    'package-lock.json',
  ])
    assert.ok(second.inputs[path], `${path} does not count as a source of the page`);
  assert.ok(Object.keys(second.inputs).every((path) => existsSync(join(root, path))));
});

it('two concurrent builds leave one complete page', async (t) => {
  const root = copyPage(t);
  const ends = await Promise.all(
    [1, 2].map(() => spawnProcess(t, { file: join(root, 'scripts', 'build-page.ts'), cwd: root }).ended),
  );
  assert.deepEqual(
    ends.map(({ code }) => code),
    [0, 0],
  );
  const built = readBuiltPage(root)!;
  assert.deepEqual(folders(root), [built.folder]);
  for (const { path, encodings } of built.files)
    for (const ending of ['', ...encodings.map((coding) => (coding === 'br' ? '.br' : '.gz'))])
      assert.ok(existsSync(join(root, 'web', 'dist', built.folder, `${path}${ending}`)), `${path}${ending}`);
});

it('startup builds a missing page, and if that fails, serves the last page and logs the reason', async (t) => {
  const root = copyPage(t);
  const { lines, logger } = recorder();
  const files = await openPage(root, logger);
  assert.deepEqual(lines, ['building the page (once, until its sources change)', 'the page was built']);
  assert.ok(files!.some(({ path }) => path === 'index.html'));
  assert.ok(files!.some(({ path }) => path === 'console/index.html'));

  appendFileSync(join(root, 'web', 'src', 'main.tsx'), '\nimport "./nothing.ts";\n');
  const again = await openPage(root, logger);
  assert.match(lines.at(-1)!, /could not be built/);
  assert.deepEqual(again, files);
});

it('npm run build names each step and finally prints the size of the page and the number of packages', async (t) => {
  const root = copyPage(t);
  for (const name of ['cli', 'LICENSE']) cpSync(join(project, name), join(root, name), { recursive: true });
  const build = spawnProcess(t, { file: join(root, 'scripts', 'build.ts'), cwd: root });
  assert.equal((await build.ended).code, 0, build.stderr);
  const lines = build.stdout.trimEnd().split('\n');
  assert.deepEqual(
    lines.filter((line) => /^\d\//.test(line)),
    ['1/2 building the page', '2/2 packing the client and the command line'],
  );
  const dist = join(root, 'web', 'dist', readBuiltPage(root)!.folder);
  const sizes = new Map(
    readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((path) => [
      path,
      statSync(join(dist, path)),
    ]),
  );
  const bytes = { page: 0, console: 0 };
  for (const [path, stat] of sizes)
    if (stat.isFile() && !/\.(br|gz)$/.test(path))
      bytes[path.startsWith('console/') ? 'console' : 'page'] += (sizes.get(`${path}.br`) ?? stat).size;
  const [page, operator] = [bytes.page, bytes.console].map((sum) => Math.round(sum / 1_000));
  assert.match(
    lines.at(-1)!,
    new RegExp(`^page ${page} kB, operator console ${operator} kB, 2 packages, \\d+ s$`),
  );
});

it('without the build tools, the existing page, if any, is served, and the log says so', async (t) => {
  const root = copyPage(t);
  await buildPage(root);
  rmSync(join(root, 'node_modules'));
  // The container image has no build tools either.
  rmSync(join(root, 'scripts', 'build-apart.ts'));
  appendFileSync(join(root, 'web', 'src', 'main.tsx'), '\n// changed\n');
  const { lines, logger } = recorder();
  assert.ok((await openPage(root, logger))!.length > 0);
  assert.deepEqual(lines, []);
  rmSync(join(root, 'web', 'dist'), { recursive: true });
  assert.equal(await openPage(root, logger), null);
  assert.match(lines[0]!, /npm run build/);
});

it('if the build tools cannot be downloaded, the last page remains, the log states the reason, and no files are left behind', async (t) => {
  const root = copyPage(t);
  const { folder } = await buildPage(root);
  rmSync(join(root, 'node_modules'));
  appendFileSync(join(root, 'web', 'src', 'main.tsx'), '\n// changed\n');
  writeFileSync(join(root, 'npm-cli.js'), "console.error('no registry here'); process.exit(1);\n");
  const before = process.env.npm_execpath;
  process.env.npm_execpath = join(root, 'npm-cli.js');
  t.after(() => {
    if (before === undefined) delete process.env.npm_execpath;
    else process.env.npm_execpath = before;
  });
  const { lines, logger } = recorder();
  assert.ok((await openPage(root, logger))!.length > 0);
  assert.match(lines[0]!, /^building the page/);
  assert.match(lines.at(-1)!, /could not be built/);
  assert.equal(readBuiltPage(root)!.folder, folder);
  assert.deepEqual(
    readdirSync(root).filter((name) => name.startsWith('.tmp')),
    [],
  );
});

it('an unreadable build record counts as a missing page', async (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, 'web', 'dist'), { recursive: true });
  writeFileSync(join(root, 'web', 'dist', 'current.json'), '{"folder":');
  assert.equal(readBuiltPage(root), null);
  assert.equal(await openPage(root, recorder().logger), null);
});
