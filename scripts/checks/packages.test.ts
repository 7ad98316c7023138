// Tests that the packages check finds version ranges, differences from the lock file, missing hashes and
// install scripts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenTree } from '../../test/support/written-tree.ts';
import { checkPackages } from './packages.ts';

const lockedAs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`node_modules/${name}`, { integrity: 'sha512-x' }]));

const engines = { node: '>=22.13' };
const tree = (
  dependencies: Record<string, string>,
  locked: Record<string, object> = {},
  npmrc = 'ignore-scripts=true\n',
) => ({
  'package.json': JSON.stringify({ engines, dependencies }),
  'package-lock.json': JSON.stringify({
    packages: { '': { engines, dependencies }, ...lockedAs(Object.keys(dependencies)), ...locked },
  }),
  '.npmrc': npmrc,
});

test('the packages check accepts exact versions that match the lock file', (t) => {
  const root = writtenTree(
    t,
    tree({ a: '1.2.3', b: '0.1.0-beta.2' }, { 'node_modules/a': { integrity: 'sha512-x' } }),
  );
  assert.deepEqual(checkPackages(root).problems, []);
});

test('a version range is reported', (t) => {
  for (const version of ['^1.0.0', '~1.0.0', '1.x', '*', 'latest', '>=1.0.0', 'github:a/b', '1.0']) {
    assert.match(
      checkPackages(writtenTree(t, tree({ a: version }))).problems.join(),
      /is not one exact version/,
      version,
    );
  }
});

test('a manifest that differs from the lock file is reported', (t) => {
  const root = writtenTree(t, {
    ...tree({ a: '1.0.0' }),
    'package.json': JSON.stringify({ dependencies: { a: '1.0.1' } }),
  });
  assert.match(checkPackages(root).problems.join(), /a in dependencies differs/);
});

test('a package without an integrity hash is reported', (t) => {
  assert.match(
    checkPackages(writtenTree(t, tree({}, { 'node_modules/a': {} }))).problems.join(),
    /node_modules\/a has no integrity/,
  );
});

test('a package of the service that needs a newer Node than the project states is reported', (t) => {
  const problems = (node: string, more: object = {}) =>
    checkPackages(
      writtenTree(t, tree({}, { 'node_modules/a': { integrity: 'sha512-x', engines: { node }, ...more } })),
    ).problems;
  for (const node of ['>=20', '>= 22.13.0', '^20.19.0 || ^22.12.0 || >=24', '*'])
    assert.deepEqual(problems(node), [], node);
  for (const node of ['>=22.19.0', '>=22.13.1', '^20.19.0 || >=23.5'])
    assert.match(problems(node).join(), /node_modules\/a requires Node/, node);
  assert.deepEqual(problems('>=26', { dev: true }), []);
});

test('more than twenty runtime dependencies are reported', (t) => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`p${index}`, '1.0.0']));
  assert.match(checkPackages(writtenTree(t, tree(many))).problems.join(), /21 runtime dependencies/);
});

test('install scripts must be disabled, and packages that have them are listed', (t) => {
  const locked = { 'node_modules/native': { integrity: 'sha512-x', hasInstallScript: true } };
  const { problems, notes } = checkPackages(writtenTree(t, tree({}, locked, 'fund=false\n')));
  assert.match(problems.join(), /ignore-scripts=true/);
  assert.match(notes.join(), /never run: native/);
});

test('a platform package missing from the lock file is reported, and one nested deeper or further up is accepted', (t) => {
  const native = {
    integrity: 'sha512-x',
    optionalDependencies: { 'native-x64': '1.0.0', 'native-arm64': '1.0.0' },
  };
  const nearby = { 'node_modules/native/node_modules/native-x64': { integrity: 'sha512-x' } };
  const lacking = checkPackages(
    writtenTree(t, tree({}, { 'node_modules/native': native, ...nearby })),
  ).problems;
  assert.deepEqual(lacking, [
    'package-lock.json lacks native-arm64, which node_modules/native requires: npm ci fails in a fresh clone',
  ]);
  const whole = { 'node_modules/native': native, ...nearby, ...lockedAs(['native-arm64']) };
  assert.deepEqual(checkPackages(writtenTree(t, tree({}, whole))).problems, []);
});
