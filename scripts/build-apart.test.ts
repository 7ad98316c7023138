// Tests that a checkout with only the service's packages can build the page and the npm packages, and that the
// downloaded tools are all that the builds import, at the versions of the lock file.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BUILD_TOOLS, lockOf } from './build-apart.ts';
import { readImports } from './checks/read-imports.ts';

const root = join(import.meta.dirname, '..');
const jsonOf = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

test('page and packages import only build tools and the service’s dependencies', () => {
  const { dependencies, devDependencies } = jsonOf('package.json');
  const files = globSync('{web/src,client,cli,scripts/page,scripts/pack}/**/*.{ts,tsx}', {
    cwd: root,
  }).filter((path) => !path.includes('.test.'));
  assert.ok(files.length > 200);
  for (const path of [...files, 'scripts/build-page.ts', 'scripts/pack-client.ts'])
    for (const { specifier } of readImports(readFileSync(join(root, path), 'utf8'))) {
      const [, name = ''] = /^(@[^/]+\/[^/]+|[^@./][^/]*)/.exec(specifier) ?? [];
      if (name === '' || name.startsWith('node:') || name.includes('$')) continue;
      assert.ok(BUILD_TOOLS.includes(name) || dependencies[name] !== undefined, `${path} imports ${name}`);
    }
  for (const name of BUILD_TOOLS) assert.ok(devDependencies[name], `${name} must be a development tool`);
});

test('the extracted lock file contains exactly the tools and their dependencies, with their hashes', () => {
  const whole = jsonOf('package-lock.json');
  const { manifest, lock } = lockOf(whole, BUILD_TOOLS) as {
    manifest: { dependencies: Record<string, string> };
    lock: { packages: Record<string, { version: string; integrity: string; dependencies?: object }> };
  };
  const { '': own, ...packages } = lock.packages;
  assert.deepEqual(own, manifest);
  assert.deepEqual(Object.keys(manifest.dependencies).sort(), [...BUILD_TOOLS].sort());
  for (const [path, { version, integrity, dependencies = {} }] of Object.entries(packages)) {
    assert.deepEqual(
      [version, integrity],
      [whole.packages[path].version, whole.packages[path].integrity],
      path,
    );
    assert.match(integrity, /^sha512-/, path);
    for (const name of Object.keys(dependencies))
      assert.ok(
        Object.keys(packages).some((other) => other.endsWith(`node_modules/${name}`)),
        `${path}: ${name}`,
      );
  }
  for (const absent of ['playwright-core', '@biomejs/biome', 'litesvm'])
    assert.equal(packages[`node_modules/${absent}`], undefined);
  assert.throws(() => lockOf(whole, ['nobody-has-this']), /not in the lock file/);
});

test('a package is resolved as in Node: first next to the package that depends on it, then further up', () => {
  const packages = {
    'node_modules/tool': {
      version: '1.0.0',
      dependencies: { part: '^1' },
      peerDependencies: { host: '*', other: '*' },
      peerDependenciesMeta: { other: { optional: true } },
    },
    'node_modules/tool/node_modules/part': { version: '1.1.0' },
    'node_modules/part': { version: '2.0.0' },
    'node_modules/host': { version: '3.0.0', dev: true, optionalDependencies: { 'for-mac': '1', gone: '1' } },
    'node_modules/for-mac': { version: '1.0.0' },
    'node_modules/other': { version: '4.0.0' },
  };
  const { lock } = lockOf({ name: 'x', version: '1.0.0', packages }, ['tool']) as {
    lock: { packages: Record<string, { dev?: boolean }> };
  };
  assert.deepEqual(Object.keys(lock.packages), [
    '',
    'node_modules/for-mac',
    'node_modules/host',
    'node_modules/tool',
    'node_modules/tool/node_modules/part',
  ]);
  assert.equal(lock.packages['node_modules/host']!.dev, undefined);
});
