// Runs the supply-chain command on copies of this project's lock file. The original passes. An unknown license,
// a version younger than a week and a known vulnerability fail. A local registry provides the responses.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { spawnProcess } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const project = join(import.meta.dirname, '..', '..');
const DAY_MS = 86_400_000;

interface Registry {
  /** Age that the registry reports for every version, in days. */
  readonly ageDays?: number;
  /** Response to the audit request. Undefined if the registry has none. */
  readonly audit?: object;
}

/** Starts a registry with version 1.0.0 of the package `added`. Returns its address and the requested names. */
const startRegistry = async (t: TestContext, { ageDays, audit }: Registry) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url!);
    request.resume();
    if (path.startsWith('/-/')) {
      response.writeHead(audit === undefined ? 405 : 200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(audit ?? {}));
    }
    asked.push(path.slice(1));
    const at = ageDays === undefined ? undefined : new Date(Date.now() - ageDays * DAY_MS).toISOString();
    response.writeHead(at === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        name: 'added',
        'dist-tags': { latest: '1.0.0' },
        versions: { '1.0.0': { name: 'added', version: '1.0.0', dist: {} } },
        time: { '1.0.0': at },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
};

interface Lock {
  readonly packages: Record<string, { dependencies?: Record<string, string> } & Record<string, unknown>>;
}

/** Copies the lock file, adds a package, and runs the command on the copy. */
const runWith = async (
  t: TestContext,
  { license = 'MIT', ...registry }: Registry & { readonly license?: string | null },
  added = true,
) => {
  const root = temporaryFolder(t);
  const accepted = join('scripts', 'supply-chain', 'accepted-packages.json');
  mkdirSync(join(root, 'scripts', 'supply-chain'), { recursive: true });
  cpSync(join(project, accepted), join(root, accepted));
  const read = (name: string) => JSON.parse(readFileSync(join(project, name), 'utf8'));
  const manifest = read('package.json') as { dependencies: Record<string, string> };
  const lock = read('package-lock.json') as Lock;
  if (added) {
    manifest.dependencies.added = '1.0.0';
    lock.packages['']!.dependencies!.added = '1.0.0';
    lock.packages['node_modules/added'] = {
      version: '1.0.0',
      integrity: 'sha512-eA==',
      ...(license === null ? {} : { license: license }),
    };
  }
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock));
  const { url, asked } = await startRegistry(t, registry);
  const command = spawnProcess(t, {
    file: 'scripts/supply-chain.ts',
    args: ['--root', root, '--out', 'out'],
    env: { npm_config_registry: url, npm_config_cache: join(root, 'cache'), npm_config_fetch_retries: '0' },
  });
  const { code } = await command.ended;
  return { code, said: `${command.stdout}${command.stderr}`, asked, root };
};

const problemsIn = (said: string) => [...said.matchAll(/^✗ (.*)$/gm)].map(([, problem]) => problem!);

test('the supply-chain check passes for this project without requesting a package from the registry, and writes SBOM and licenses', async (t) => {
  const { code, said, asked, root } = await runWith(t, {}, false);
  assert.equal(code, 0, said);
  assert.deepEqual(asked, []);
  assert.match(said, /NOT CHECKED, because the registry has no audit/);
  const sbom = JSON.parse(readFileSync(join(root, 'out', 'sbom.cdx.json'), 'utf8'));
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  assert.deepEqual([sbom.bomFormat, sbom.metadata.component.name], ['CycloneDX', 'holdfast']);
  const names = new Set(sbom.components.map(({ name }: { name: string }) => name));
  for (const name of Object.keys(dependencies)) assert.ok(names.has(name), name);
  const list = readFileSync(join(root, 'out', 'licenses.tsv'), 'utf8');
  assert.match(list, /^MIT\tzod@[\d.]+\tservice$/m);
  assert.match(list, /^LGPL-3\.0-only\trpc-websockets@[\d.]+\ttool$/m);
});

test('a package with an unknown, a missing or a copyleft license fails the check', async (t) => {
  for (const [license, problem] of [
    ['Custom-1.0', /^added@1\.0\.0 has no license that npm can read/],
    [null, /^added@1\.0\.0 has no license that npm can read/],
    ['AGPL-3.0-only', /^added@1\.0\.0 has the license AGPL-3\.0-only, which is not allowed/],
    ['LGPL-3.0-only', /not allowed in what we distribute/],
    ['MIT AND GPL-3.0-only', /has the license MIT AND GPL-3\.0-only, which is not allowed/],
  ] as const) {
    const { code, said } = await runWith(t, { license, ageDays: 100 });
    assert.equal(code, 1, said);
    const problems = problemsIn(said);
    assert.equal(problems.length, 1, said);
    assert.match(problems[0]!, problem);
  }
});

test('a version younger than a week fails, and an older version passes if one of its two licenses is allowed', async (t) => {
  const young = await runWith(t, { ageDays: 6.9 });
  assert.equal(young.code, 1, young.said);
  assert.match(problemsIn(young.said).join(), /^added@1\.0\.0 is younger than a week: published 20/);
  assert.deepEqual(young.asked, ['added']);
  const old = await runWith(t, { ageDays: 7.1, license: '(GPL-3.0-only OR MIT)' });
  assert.equal(old.code, 0, old.said);
});

test('a package version whose age the registry does not report fails the check', async (t) => {
  const { code, said } = await runWith(t, {});
  assert.equal(code, 1, said);
  assert.match(problemsIn(said).join(), /added@1\.0\.0: the registry does not state when it was published/);
});

test('a package with a known vulnerability fails the check', async (t) => {
  const advisory = {
    ...{ id: 1, url: 'https://example.com/1', title: 'Hole', severity: 'high' },
    vulnerable_versions: '<2.0.0',
  };
  const { code, said } = await runWith(t, { ageDays: 100, audit: { added: [advisory] } });
  assert.equal(code, 1, said);
  assert.match(problemsIn(said).join(), /^added .*has a known vulnerability \(high\)/);
});
