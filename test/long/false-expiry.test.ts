// Checks a service that reports landed transactions as expired or refused. The command line and the local MCP
// server still never sign more than was requested, as the chain shows.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { takeApart } from '../../client/staking/wire-signatures.ts';
import { fromBase64 } from '../../src/chain/transactions/wire-base64.ts';
import { type CliSurroundings, holdfast, keypairFile, trustService } from '../cli/cli-runner.ts';
import { startForwardingProxy } from '../cli/forwarding-proxy.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { cleanEnvironment } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const shared = sharedSandboxService({ before, after });
const root = join(import.meta.dirname, '..', '..');
const SUBMIT = '/api/v1/transaction/submit';

/**
 * Prepares a wallet with one activating stake of 5 SOL, behind a proxy that can falsify the result of every
 * submission.
 */
const start = async (t: TestContext, before = 5) => {
  const proxy = await startForwardingProxy(t, shared().service.url);
  const wallet = keypairFile(t);
  const { walletAddress } = wallet;
  await shared().client.sandboxAirdrop({ walletAddress, amountSol: 100 });
  const environment = { XDG_CONFIG_HOME: temporaryFolder(t) };
  await trustService(proxy.url, environment);
  const run = (args: readonly string[], more: CliSurroundings = {}) =>
    holdfast([...args, '--url', proxy.url, '--keypair', wallet.path], { environment, ...more });
  if (before > 0) assert.equal((await run(['stake', String(before), '--yes'])).code, 0);
  const already = proxy.exchanges.length;
  return {
    proxy,
    wallet,
    environment,
    run,
    lie: (errorCode: string) => {
      // Removes the idempotency key. With the same key, the honest service would refuse to plan the change
      // again.
      proxy.headers = (path): Record<string, string> =>
        path === '/api/v1/plan' ? { 'idempotency-key': crypto.randomUUID() } : {};
      proxy.change = ({ path }) =>
        path === SUBMIT
          ? { status: 400, body: { error: 'E', errorCode, message: 'It can no longer land.' } }
          : undefined;
    },
    /** Number of distinct messages signed since the setup. */
    signed: () =>
      new Set(
        proxy.exchanges
          .slice(already)
          .filter(({ path }) => path === SUBMIT)
          .map(({ sent }) =>
            Buffer.from(
              takeApart(fromBase64(JSON.parse(sent.split('\n').at(-1)!).signedTransaction)).message,
            ).toString('base64'),
          ),
      ).size,
    /** SOL in stake accounts, as the honest service reads it from the chain. */
    staked: async () => (await shared().client.listStakeAccounts({ walletAddress })).totalStakedSol,
  };
};

test('a top-up of 2 SOL that is reported as expired or refused is signed once, even if it is repeated with its idempotency key', async (t) => {
  for (const lie of ['BLOCKHASH_EXPIRED', 'STAKE_BALANCE_CHANGED']) {
    const here = await start(t);
    here.lie(lie);
    const topUp = ['topup', '2', '--yes', '--json', '--idempotency-key', 'once'];
    const runs = [await here.run(topUp), await here.run(topUp), await here.run(topUp)];
    assert.deepEqual([await here.staked(), here.signed()], [7, 1], lie);
    for (const { code, stderr } of runs) {
      assert.equal(code, 1, stderr);
      assert.match(stderr, /STILL_POSSIBLE|STAKE_BALANCE_CHANGED/);
    }
  }
});

test('a user is warned before a second signature, and has to approve it', async (t) => {
  const here = await start(t);
  here.lie('BLOCKHASH_EXPIRED');
  const { code, stderr } = await here.run(['topup', '2'], { responses: ['y', 'n'] });
  assert.equal(code, 1);
  assert.match(stderr, /If that is wrong, both will land/);
  assert.deepEqual([here.signed(), await here.staked()], [1, 7]);
});

test('repeating the idempotency key of a landed top-up returns its result without a signature', async (t) => {
  const here = await start(t);
  const topUp = ['topup', '0.5', '--yes', '--json', '--idempotency-key', 'landed'];
  const first = await here.run(topUp);
  assert.equal(first.code, 0, first.stderr);
  const again = await here.run(topUp);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(again.json().signature, first.json().signature);
  assert.equal(here.signed(), 1);
  const other = await here.run(['topup', '0.6', '--yes', '--json', '--idempotency-key', 'landed']);
  assert.deepEqual([other.code, here.signed()], [1, 1]);
  assert.match(other.stderr, /was used for another request/);
});

test('a stake reported as expired is signed again for the same address, and lands once', async (t) => {
  const here = await start(t, 0);
  here.lie('BLOCKHASH_EXPIRED');
  const { code } = await here.run(['stake', '3', '--yes', '--json', '--idempotency-key', 'stake']);
  assert.equal(code, 1);
  assert.equal(await here.staked(), 3);
});

test('with --max-stake 4, at most 4 SOL of stakes are signed in total, even by two servers and after a restart', async (t) => {
  const here = await start(t, 0);
  const connect = async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        ...[join(root, 'cli/main.ts'), 'mcp', '--url', here.proxy.url],
        ...['--keypair', here.wallet.path, '--max-stake', '4'],
      ],
      env: { ...cleanEnvironment(), ...here.environment },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(transport);
    t.after(() => client.close());
    return async (name: string, given: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: given })).structuredContent as Record<string, unknown>;
  };
  const [first, second] = await Promise.all([connect(), connect()]);
  assert.ok((await first('stake', { amountSol: 1.2 })).signature);
  here.lie('BLOCKHASH_EXPIRED');
  const topUp = { goal: 'top-up', amountSol: 1.45 };
  const [one, other] = await Promise.all([first('change_stake', topUp), second('change_stake', topUp)]);
  assert.equal(await here.staked(), 2.65);
  const codes = [one.errorCode, other.errorCode].toSorted();
  assert.deepEqual(codes, ['MAX_STAKE_EXCEEDED', 'STILL_POSSIBLE']);
  const restarted = await connect();
  for (const server of [first, second, restarted])
    for (const call of [
      () => server('change_stake', topUp),
      () => server('stake', { amountSol: 2 }),
      () => server('stake', { amountSol: 1.350000001 }),
    ])
      assert.equal((await call()).errorCode, 'MAX_STAKE_EXCEEDED');
  assert.equal(await here.staked(), 2.65);
  here.proxy.change = undefined;
  assert.ok((await restarted('stake', { amountSol: 1.35 })).signature, 'the rest of the limit');
  assert.equal(await here.staked(), 4);
});
