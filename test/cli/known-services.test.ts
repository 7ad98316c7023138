// Checks a service that lies after the user trusted it. A different validator, memo or stake account differs
// from the saved values and is refused. Only an explicit command accepts the change.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { newWallet } from '../support/wallets.ts';
import { type CliSurroundings, holdfast, keypairFile } from './cli-runner.ts';
import { startForwardingProxy } from './forwarding-proxy.ts';

const shared = sharedSandboxService({ before, after });

const start = async (t: TestContext) => {
  const proxy = await startForwardingProxy(t, shared().service.url);
  const wallet = keypairFile(t);
  const config = temporaryFolder(t);
  await shared().client.sandboxAirdrop({ walletAddress: wallet.walletAddress, amountSol: 10 });
  const run = (args: readonly string[], surroundings: CliSurroundings = {}) =>
    holdfast([...args, '--url', proxy.url, '--keypair', wallet.path], {
      ...surroundings,
      environment: { XDG_CONFIG_HOME: config },
    });
  /** Changes one field of the service's description of itself. */
  const lie = (change: object): void => {
    proxy.change = ({ path }, body) =>
      path === '/api/v1/verify/code'
        ? { body: { ...body, identity: { ...(body.identity as object), ...change } } }
        : undefined;
  };
  const submitted = () => proxy.exchanges.filter(({ path }) => path.endsWith('/submit')).length;
  return { proxy, wallet, run, lie, submitted, file: join(config, 'holdfast', 'known-services.json') };
};

test('a script signs only for services that a user has approved, and a user’s first approval of a service is saved and reported', async (t) => {
  const { run, file, proxy, submitted } = await start(t);
  for (const args of [['stake', '2', '--json', '--yes'], ['stake', '2', '--yes'], ['mcp']]) {
    const { code, stderr } = await run(args);
    assert.equal(code, 1, args.join(' '));
    assert.match(stderr, /holdfast trust/);
  }
  assert.equal((await run(['stake', '2', '--json', '--yes'])).error().errorCode, 'SERVICE_NOT_TRUSTED');
  const declined = await run(['stake', '2'], { responses: ['n'] });
  assert.match(declined.stderr, /^First use of http.*If you agree below, it is saved as trusted:/m);
  assert.equal(existsSync(file), false, 'nothing is trusted before the user answers');
  assert.equal(submitted(), 0);
  const { code, stderr } = await run(['stake', '2'], { responses: ['y'] });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /is saved in /);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const { services } = JSON.parse(readFileSync(file, 'utf8'));
  const { identity } = await shared().client.codeIntegrity({});
  assert.deepEqual(services, { [proxy.url]: identity });
  const staked = await run(['stake', '2', '--json', '--yes']);
  assert.equal(staked.json().voteAccount, identity.voteAccount);
});

test('a dry run uses the values of a new service but saves nothing, with or without a terminal', async (t) => {
  const { run, file, proxy, submitted } = await start(t);
  for (const [args, surroundings] of [
    [[], {}],
    [['--yes'], {}],
    [['--json'], {}],
    [[], { responses: [] }],
  ] as const) {
    const { code, stderr } = await run(['stake', '2', '--dry-run', ...args], surroundings);
    assert.equal(code, 0, stderr);
    const text = `${proxy.url} is not trusted yet; the dry run used its values but saved nothing. Before signing: holdfast trust --url ${proxy.url}`;
    assert.ok(stderr.startsWith(`${text}\n`), stderr);
    assert.equal(existsSync(file), false);
    assert.equal((await run(['stake', '2', '--yes'])).code, 1);
  }
  assert.equal(submitted(), 0);
});

test('a trusted service whose details changed is refused with the old and new values, and only an explicit command accepts the change', async (t) => {
  const { run, lie, submitted } = await start(t);
  assert.equal((await run(['trust', '--yes'])).code, 0);
  const { identity } = await shared().client.codeIntegrity({});
  const other = newWallet().walletAddress;
  for (const name of ['voteAccount', 'donationAddress', 'genesisHash', 'memo'] as const) {
    lie({ [name]: other });
    const shown = await run(['stake', '2', '--yes']);
    assert.equal(shown.code, 1, name);
    assert.ok(shown.stderr.includes(other) && shown.stderr.includes(identity[name]), shown.stderr);
    // The service is a sandbox on this machine, where a new genesis hash usually means a restart.
    const isSandbox = name === 'genesisHash';
    assert.match(shown.stderr, isSandbox ? /looks like a new sandbox/ : /does not match the service you/);
    assert.equal((await run(['stake', '2', '--json', '--yes'])).error().errorCode, 'SERVICE_CHANGED');
    const declined = await run(['trust'], { responses: ['n'] });
    assert.equal(declined.code, 1);
    assert.match(declined.stderr, /Not saved\.\n$/);
    const again = await run(['trust'], { responses: ['y'] });
    assert.equal(`${again.stderr}${again.stdout}`.split(' reports\n').length, 2, 'shown once');
    assert.match(again.stdout, /^Saved in /);
    lie({});
    assert.equal((await run(['trust', '--yes'])).code, 0);
  }
  // A missing value also counts as a change.
  for (const name of ['donationAddress', 'genesisHash'] as const) {
    lie({ [name]: null });
    assert.equal((await run(['stake', '2', '--json', '--yes'])).error().errorCode, 'SERVICE_CHANGED', name);
  }
  assert.equal(submitted(), 0);
  lie({ memo: 'x'.repeat(129) });
  assert.equal((await run(['trust', '--yes'])).code, 1);
  lie({ donationAddress: other });
  assert.equal((await run(['trust', '--yes'])).code, 0);
  assert.equal((await run(['stake', '2', '--yes'])).code, 0);
});

test('a lying service gets only one stake per idempotency key, even across two runs of the program', async (t) => {
  const { run, proxy, wallet } = await start(t);
  const { walletAddress } = wallet;
  assert.equal((await run(['trust', '--yes'])).code, 0);
  const stake = () => run(['stake', '2', '--json', '--yes', '--idempotency-key', 'order-1']);
  assert.equal((await stake()).code, 0);
  // The service claims that nothing landed and builds for another account.
  const elsewhere = await shared().client.createStakeTransaction({ walletAddress, amountSol: 2 });
  proxy.change = ({ path }) =>
    path === '/api/v1/stake/transaction' ? { status: 200, body: { ...elsewhere } } : undefined;
  assert.equal((await stake()).error().errorCode, 'NOT_AS_ASKED');
  const { accounts } = await shared().client.listStakeAccounts({ walletAddress }, { retries: 0 });
  assert.equal(accounts.length, 1);
});

test('a command that reads a wallet says first that the service is on another chain than the trusted one', async (t) => {
  const { run, lie } = await start(t);
  const other = newWallet().walletAddress;
  lie({ genesisHash: other });
  assert.equal((await run(['accounts'])).stderr, '', 'the service is not trusted yet');
  lie({});
  await run(['trust', '--yes']);
  for (const command of ['balance', 'accounts', 'status', 'sheet', 'history', 'rewards', 'alerts']) {
    lie({});
    assert.equal((await run([command])).stderr, '', command);
    lie({ genesisHash: other });
    const { code, stderr } = await run([command, '--json']);
    assert.equal(code, 0, command);
    assert.match(stderr, /^! http\S+ is on another chain .*holdfast trust --url http\S+\n$/, command);
  }
});
