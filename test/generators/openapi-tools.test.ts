// Runs third-party tools on the OpenAPI document. Three generated clients must type-check and stake, Spectral
// must report nothing, and Schemathesis must find no deviation in the service.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { cleanEnvironment } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const shared = sharedSandboxService({ before, after });
const here = import.meta.dirname;

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program in `cwd` until it exits. */
const run = (file: string, args: readonly string[], cwd: string): Promise<Run> => {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const child = spawn(file, args, { cwd, env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  child.once('error', (error) => resolve({ code: null, output: String(error) }));
  child.once('close', (code) => resolve({ code, output }));
  return promise;
};

const must = async (file: string, args: readonly string[], cwd: string): Promise<string> => {
  const { code, output } = await run(file, args, cwd);
  assert.equal(code, 0, `${file} ${args.join(' ')}: ${output.slice(-4_000)}`);
  return output;
};

/**
 * Runs `install` once per version of the lock file, in a folder that later runs reuse. Returns the folder, or
 * the reason for a failure.
 */
const installed = async (
  lockFile: string,
  install: (folder: string) => Promise<Run>,
): Promise<{ folder: string } | { reason: string }> => {
  const digest = createHash('sha256')
    .update(readFileSync(join(here, lockFile)))
    .digest('hex');
  const folder = join(tmpdir(), `holdfast-generators-${digest.slice(0, 16)}`);
  const done = join(folder, 'installed');
  if (existsSync(done)) return { folder };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { code, output } = await install(folder);
  if (code !== 0) return { reason: `${lockFile} could not be installed: ${output.trim().slice(-300)}` };
  writeFileSync(done, '');
  return { folder };
};

const installNode = () =>
  installed('package-lock.json', async (folder) => {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(here, name), join(folder, name));
    return run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  });

const installPython = () =>
  installed('requirements.txt', async (folder) => {
    const made = await run('python3', ['-m', 'venv', folder], folder);
    if (made.code !== 0) return made;
    const requirements = join(here, 'requirements.txt');
    return run(
      join(folder, 'bin/pip'),
      ['install', '--quiet', '--require-hashes', '-r', requirements],
      folder,
    );
  });

/**
 * Creates a folder that contains the OpenAPI document and the test programs. Skips the test if the tools could
 * not be installed.
 */
const workplace = async (t: TestContext, install: typeof installNode) => {
  const tools = await install();
  if ('reason' in tools) {
    t.skip(tools.reason);
    return null;
  }
  const folder = temporaryFolder(t);
  cpSync(join(here, 'programs'), folder, { recursive: true });
  const { url } = shared().service;
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
  return { folder, tools: tools.folder, url };
};

/** Creates such a folder with the npm tools from the lock file. */
const nodeWorkplace = async (t: TestContext) => {
  const place = await workplace(t, installNode);
  if (place === null) return null;
  symlinkSync(join(place.tools, 'node_modules'), join(place.folder, 'node_modules'));
  return { ...place, bin: join(place.tools, 'node_modules/.bin') };
};

const STAKED = { version: 'legacy', accounts: 1 };

/** Type-checks a program that uses the generated client, then runs it. */
const checkAndStake = async (
  { folder, bin, url }: { folder: string; bin: string; url: string },
  program: string,
) => {
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2024',
        skipLibCheck: true,
        lib: ['es2024', 'dom', 'dom.iterable'],
        allowImportingTsExtensions: true,
        types: ['node'],
        typeRoots: [join(here, '../../node_modules/@types')],
      },
      files: [program],
    }),
  );
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await must(join(bin, 'tsc'), ['-p', '.'], folder);
  assert.deepEqual(JSON.parse(await must(process.execPath, [program, url], folder)), STAKED);
};

describe('clients generated by third-party tools', () => {
  test('the client generated by openapi-typescript for openapi-fetch stakes SOL', async (t) => {
    const place = await nodeWorkplace(t);
    if (place === null) return;
    const options = ['openapi.json', '-o', 'openapi-typescript.ts'];
    await must(join(place.bin, 'openapi-typescript'), options, place.folder);
    await checkAndStake(place, 'stake-with-openapi-fetch.ts');
  });

  test('the client generated by @hey-api/openapi-ts stakes SOL', async (t) => {
    const place = await nodeWorkplace(t);
    if (place === null) return;
    await must(join(place.bin, 'openapi-ts'), ['-f', 'openapi-ts.config.json'], place.folder);
    await checkAndStake(place, 'stake-with-hey-api.ts');
  });

  test('the client generated by openapi-python-client stakes SOL', async (t) => {
    const place = await workplace(t, installPython);
    if (place === null) return;
    const { folder, tools, url } = place;
    const options = [
      'generate',
      '--path',
      'openapi.json',
      '--meta',
      'none',
      '--output-path',
      'holdfast_client',
    ];
    const output = await must(join(tools, 'bin/openapi-python-client'), options, folder);
    // The tool warns about each part that it omits and about the missing formatter.
    assert.doesNotMatch(
      output.replaceAll(/Skipping Integration\s+ruff is not in PATH/g, ''),
      /Skipping|omitted/i,
    );
    await must(join(tools, 'bin/mypy'), ['stake_with_python.py'], folder);
    const staked = await must(join(tools, 'bin/python'), ['stake_with_python.py', url], folder);
    assert.deepEqual(JSON.parse(staked), STAKED);
  });
});

describe('the OpenAPI document', () => {
  test('Spectral reports no errors or warnings', async (t) => {
    const place = await nodeWorkplace(t);
    if (place === null) return;
    const options = ['lint', 'openapi.json', '-r', 'spectral.yaml', '--fail-severity', 'warn', '-f', 'json'];
    const output = await must(join(place.bin, 'spectral'), options, place.folder);
    assert.match(output, /^\s*\[\]/);
  });

  // Separate tests keep each within its time limit on a busy machine: 12 and 10 s alone, up to 96 s at a load
  // of 8 on two cores.
  for (const { name, phases, least } of [
    { name: 'the boundary values of every parameter', phases: 'coverage', least: 1_000 },
    { name: 'examples and random requests', phases: 'examples,fuzzing', least: 300 },
  ])
    test(`Schemathesis finds that the service answers ${name} as documented`, async (t) => {
      const place = await workplace(t, installPython);
      if (place === null) return;
      const checks = [
        ...[
          'not_a_server_error',
          'status_code_conformance',
          'content_type_conformance',
          'unsupported_method',
        ],
        ...['response_headers_conformance', 'response_schema_conformance', 'missing_required_header'],
        ...['allow_header_conformance', 'ignored_auth'],
      ];
      const options = [
        'run',
        'openapi.json',
        '--url',
        place.url,
        '--seed',
        '20261123',
        '--max-examples',
        '8',
        // Ending 99 sandbox epochs in one request took longer than the default of 10 s on a busy machine.
        '--request-timeout',
        '120',
      ];
      // Uses one worker: Python 3.11 parses source in several threads with a single recursion counter, and
      // then fails with `SystemError: AST constructor recursion depth mismatch` (python/cpython 106905).
      const which = ['--phases', phases, '--workers', '1', '--warnings', 'off'];
      const output = await must(
        join(place.tools, 'bin/schemathesis'),
        [...options, ...which, '--checks', checks.join(','), '--continue-on-failure'],
        place.folder,
      );
      // Schemathesis must have tried every operation.
      const [, selected, all] = /Selected: (\d+)\/(\d+)/.exec(output) ?? [];
      assert.ok(Number(selected) === Number(all) && Number(all) >= 50, output.slice(-1_000));
      assert.match(output, new RegExp(`Tested: ${all}`));
      assert.ok(Number(/(\d+) generated/.exec(output)?.[1]) >= least, output.slice(-1_000));
    });
});
