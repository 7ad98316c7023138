// Checks the client and the command line as users get them: installed from a running service into an empty
// folder, with types, as a module and as a command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readImports } from '../../scripts/checks/read-imports.ts';
import { OLDEST_NODE } from '../../scripts/pack/bundle-code.ts';
import { PACKAGE_NAME } from '../../scripts/pack/package-files.ts';
import { sha256 } from '../../src/compose/open-page.ts';
import { keypairFile } from '../cli/cli-runner.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { olderNode } from '../support/other-node.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { type Scope, temporaryFolder } from '../support/temporary-folder.ts';
import { outsiderFolder } from '../support/user-without-clone.ts';

const shared = sharedSandboxService({ before, after });
const root = join(import.meta.dirname, '..', '..');
const cleanUps: (() => void | Promise<void>)[] = [];
const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
let folder = '';
let installed = '';

before(async () => {
  await shared.started;
  const { packages } = (await (await fetch(`${shared().service.url}/packages.json`)).json()) as {
    packages: { file: string; sha256: string }[];
  };
  for (const { file, sha256: expected } of packages) {
    const bytes = Buffer.from(await (await fetch(`${shared().service.url}/${file}`)).arrayBuffer());
    assert.equal(sha256(bytes), expected);
  }
  folder = await outsiderFolder(scope, shared().service.url);
  installed = join(folder, 'node_modules', PACKAGE_NAME);
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Runs a file in the folder as a user would, with the current version of Node unless another is given. */
const run = async (
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  node: string = process.execPath,
) => {
  const child = spawnProcess(scope, { file: join(folder, file), args, cwd: folder, env, node });
  const { code } = await child.ended;
  return { code, stdout: child.stdout, stderr: child.stderr };
};

test('the packed client has no dependencies, and contains the licenses of the code inside', () => {
  assert.deepEqual(
    readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    [PACKAGE_NAME.split('/')[0]],
  );
  assert.deepEqual(readdirSync(join(folder, 'node_modules/@holdfast-sol')).sort(), ['client', 'holdfast']);
  // The client reads and checks transactions with its own code.
  for (const [name, bundled] of [
    ['client', []],
    ['holdfast', ['@modelcontextprotocol/server ']],
  ] as const) {
    const at = join(installed, '..', name);
    assert.equal(JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).dependencies, undefined);
    assert.match(readFileSync(join(at, 'LICENSE'), 'utf8'), /Apache License/);
    const notices = readFileSync(join(at, 'THIRD-PARTY-NOTICES'), 'utf8');
    if (bundled.length === 0) assert.equal(notices.trim(), '');
    for (const one of bundled) assert.ok(notices.includes(one), one);
  }
  assert.ok(!existsSync(join(installed, 'src')));
});

test('a page can import the client without Node', () => {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { specifier } of readImports(readFileSync(path, 'utf8'))) {
      assert.ok(specifier.startsWith('.'), `${path} imports ${specifier}`);
      visit(join(path, '..', specifier));
    }
  };
  visit(join(installed, 'dist/client.js'));
  visit(join(installed, 'dist/staking.js'));
  assert.ok(seen.size > 1);
});

/** Calls the service, is refused, verifies and watches, all outside this project. */
const playClient = async (t: Scope, node?: string): Promise<void> => {
  const wallet = keypairFile(t);
  await shared().client.sandboxAirdrop({ walletAddress: wallet.walletAddress, amountSol: 5 });
  writeFileSync(
    join(folder, 'use.js'),
    `import { createHoldfastClient, HoldfastError, isHoldfastError, solToLamports, watchWallet } from '${PACKAGE_NAME}';
import { verifyTransactionBytes } from '${PACKAGE_NAME}/verifier';
const client = createHoldfastClient({ baseUrl: process.argv[2] });
const walletAddress = process.argv[3];
const { transaction } = await client.createStakeTransaction({ walletAddress, amountSol: '1.500000001' });
const { validatorVoteAccount: voteAccount } = await client.listStakeAccounts({ walletAddress });
const verdict = verifyTransactionBytes(transaction, { wallet: walletAddress, voteAccount, donationAddress: walletAddress, memo: 'holdfast sandbox', lamports: solToLamports('1.500000001') });
const refused = await client.balance({ walletAddress: 'x' }).catch((error) => error);
const watching = (await watchWallet(client, walletAddress).next()).value;
console.log(JSON.stringify({ ok: verdict.ok, signatures: [...verdict.signatures.values()], typed: refused instanceof HoldfastError && isHoldfastError(refused, 'VALIDATION_ERROR'), watching: watching.type }));
process.exit(0);
`,
  );
  const { code, stdout, stderr } = await run(
    'use.js',
    [shared().service.url, wallet.walletAddress],
    {},
    node,
  );
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), {
    ok: true,
    signatures: ['missing', 'valid'],
    typed: true,
    watching: 'watching',
  });
};

test('the types of the packed client are self-contained and match the interface', async () => {
  const typed = join(folder, 'typed');
  mkdirSync(typed);
  writeFileSync(
    join(typed, 'use.ts'),
    `import { createHoldfastClient, type BalanceAnswer, type HoldfastClient, HoldfastError, type WebhookEvent } from '${PACKAGE_NAME}';
import { verifyTransactionBytes, type Verdict } from '${PACKAGE_NAME}/verifier';
const client: HoldfastClient = createHoldfastClient({ baseUrl: 'http://127.0.0.1:3000' });
export const balance: Promise<BalanceAnswer> = client.balance({ walletAddress: 'x' }, { signal: AbortSignal.timeout(1) });
export const sol: number = (await balance).sol;
const staked = await client.createStakeTransaction({ walletAddress: 'x', amountSol: 2 });
export const texts: string[] = [staked.stakeAccountAddress, staked.idempotencyKey, staked.epochTiming.estimatedEpochEnd];
const undone = await client.createUndoTransaction({ walletAddress: 'x' });
export const after: number = undone.plan.wallet.afterSol;
// @ts-expect-error an undo has a plan instead of an account
undone.stakeAccountAddress;
export const nameOf = (event: WebhookEvent): string => {
  if (event.type === 'ping') return event.data.webhookId;
  if (event.type === 'withdraw_ready') return 'gap' in event.data ? event.data.gap.reason : event.data.stakeAccountAddress;
  return event.type;
};
// @ts-expect-error a wallet is needed
client.balance({});
// @ts-expect-error amounts are numbers or decimal text
client.simulateStake({ amountSol: true });
// @ts-expect-error there is no such field
sol satisfies (typeof balance)['nothing'];
export const verdict: Verdict = verifyTransactionBytes('AAAA', { wallet: 'x', voteAccount: 'y', donationAddress: 'z', memo: '' });
export const explain = (error: unknown): string => (error instanceof HoldfastError ? error.errorCode : '');
`,
  );
  writeFileSync(
    join(typed, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'esnext',
        module: 'nodenext',
        lib: ['esnext', 'dom'],
        types: [],
        strict: true,
        noEmit: true,
        skipLibCheck: false,
      },
    }),
  );
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', typed],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stdout);
});

/**
 * Runs the command from the folder into which npm installs it. `signs` is false for Node versions without
 * SQLite, with which the command cannot sign.
 */
const playCommand = async (t: Scope, node?: string, signs = true): Promise<void> => {
  const wallet = keypairFile(t);
  const bin = 'node_modules/.bin/holdfast';
  const env = {
    HOLDFAST_URL: shared().service.url,
    HOLDFAST_KEYPAIR: wallet.path,
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  assert.equal((await run(bin, ['trust', '--json'], env, node)).code, 0);
  assert.equal((await run(bin, ['airdrop', '5'], env, node)).code, 0);
  const { stdout, stderr } = await run(bin, ['balance', '--json'], env, node);
  assert.equal(JSON.parse(stdout).sol, 5, stderr);
  const unsigned = signs ? null : await run(bin, ['stake', '2', '--json', '--yes'], env, node);
  if (unsigned !== null) {
    assert.equal(unsigned.code, 2);
    assert.ok(unsigned.stderr.includes(`signing requires Node ${OLDEST_NODE} or newer`), unsigned.stderr);
  }
  const staked = await run(bin, ['stake', '2', '--json', '--yes'], env, signs ? node : undefined);
  assert.equal(staked.code, 0, staked.stderr);
  assert.equal((await run(bin, ['verify', JSON.parse(staked.stdout).signature], env, node)).code, 0);
  const { rpcUrl } = await shared().client.describeSandbox({});
  const direct = await run(bin, ['list', '--direct', '--rpc', rpcUrl, '--json'], env, node);
  assert.equal(direct.code, 0, direct.stderr);
  assert.ok(direct.stdout.includes(JSON.parse(staked.stdout).stakeAccountAddress), direct.stdout);
  assert.equal((await run(bin, ['stak'], env, node)).code, 2);
  const mcp = await run(bin, ['mcp'], env, node);
  assert.deepEqual([mcp.code, mcp.stdout], [0, '']);
  assert.match(mcp.stderr, /signing for/);
};

test('outside this project, the client calls the service, throws typed errors, and verifies transactions', (t) =>
  playClient(t));

test('the command runs from where npm installs it', (t) => playCommand(t));

test('the documents state the same minimum Node version as the packages', () => {
  for (const file of ['README.md', 'docs/quick-start.md', 'docs/cli.md', 'docs/client.md'])
    assert.match(readFileSync(join(root, file), 'utf8'), new RegExp(`Node ${OLDEST_NODE} or newer`), file);
});

test('the client and the command also work on an older Node version, and without SQLite the command says why it does not sign', async (t) => {
  const node = olderNode(20);
  if (node === undefined) return t.skip('no other Node version from 20 up is installed here');
  await playClient(t, node);
  const hasSqlite = spawnSync(node, ['-e', "require('node:sqlite')"]).status === 0;
  await playCommand(t, node, hasSqlite);
});

test('packing the same sources in two folders, at different times, in different time zones and with different file modes gives the same bytes', async (t) => {
  const copy = temporaryFolder(t);
  for (const name of [
    'src',
    'client',
    'cli',
    'scripts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'LICENSE',
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const hashesOf = async (cwd: string, env: Readonly<Record<string, string>>) => {
    const out = temporaryFolder(t);
    const packing = spawnProcess(t, {
      file: join(cwd, 'scripts/pack-client.ts'),
      args: ['--out', out],
      env,
      cwd,
    });
    assert.equal((await packing.ended).code, 0, packing.stderr);
    const { packages } = JSON.parse(readFileSync(join(out, 'packages.json'), 'utf8')) as {
      packages: { file: string; sha256: string }[];
    };
    for (const { file, sha256: said } of packages) assert.equal(sha256(readFileSync(join(out, file))), said);
    return packages.map(({ file, sha256: hash }) => `${hash}  ${file}`);
  };
  chmodSync(join(copy, 'LICENSE'), 0o600);
  const here = await hashesOf(root, { TZ: 'UTC' });
  const there = await hashesOf(copy, { TZ: 'Asia/Tokyo' });
  assert.equal(here.length, 2);
  assert.deepEqual(there, here);
});

test('the same sources give the same bytes, and no package exists for an unknown version', async (t) => {
  const again = temporaryFolder(t);
  const packing = spawnProcess(t, { file: 'scripts/pack-client.ts', args: ['--out', again] });
  assert.equal((await packing.ended).code, 0, packing.stderr);
  const { packages } = (await (await fetch(`${shared().service.url}/packages.json`)).json()) as {
    packages: { file: string; sha256: string }[];
  };
  assert.equal(packages.length, 2);
  for (const { file, sha256: expected } of packages)
    assert.equal(sha256(readFileSync(join(again, file))), expected, file);
  const code = await shared().client.codeIntegrity({});
  assert.deepEqual(
    code.packages.map(({ file, sha256: hash }) => ({ file, sha256: hash })),
    packages.map(({ file, sha256: hash }) => ({ file, sha256: hash })),
  );
  const { status } = await fetch(`${shared().service.url}/client-9.9.9.tgz`);
  assert.equal(status, 404);
  // The documents tell users to install these packages, so they must exist.
  for (const name of ['client', 'cli', 'cookbook', 'quick-start', 'sign'])
    for (const [, file] of readFileSync(join(root, `docs/${name}.md`), 'utf8').matchAll(
      /\/((?:client|holdfast)-[\d.]+\.tgz)/g,
    ))
      assert.ok(
        packages.some((one) => one.file === file),
        `docs/${name}.md: ${file}`,
      );
});

test('the code uses only features of the oldest Node version that it supports', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(manifest.engines.node, `>=${OLDEST_NODE}`);
  // Features of Node 21 and later that this project might use by mistake.
  const later =
    /\b(Map|Object)\.groupBy\b|\bPromise\.(withResolvers|try)\b|\bArray\.fromAsync\b|\braw-(public|private)\b/;
  const dists = ['client', 'holdfast'].map((name) => join(installed, '..', name, 'dist'));
  for (const dist of dists)
    for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.js')) assert.doesNotMatch(readFileSync(join(dist, name), 'utf8'), later, name);
});
