// The user's own RPC node: found, remembered for its cluster, refused for another one; with it every goal of an honest service is signed unattended, without it only what the bytes prove.
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { CommandCall } from '../../cli/command.ts';
import { openUserNode } from '../../cli/node/user-node.ts';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { json, startScriptedService } from '../client/scripted-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { holdfast, keypairFile, trustService } from './cli-runner.ts';
import { startForwardingProxy } from './forwarding-proxy.ts';

const shared = sharedSandboxService({ before, after });
const OTHER_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

const rpcUrlOf = async (): Promise<string> => (await shared().client.describeSandbox({})).rpcUrl;

/** A wallet with four stakes of which three are active, at a service that is reached through a proxy. */
const start = async (t: TestContext, hidesNode: boolean) => {
  const proxy = await startForwardingProxy(t, shared().service.url);
  if (hidesNode)
    proxy.change = ({ path }) =>
      path === '/sandbox'
        ? { status: 404, body: { errorCode: 'NOT_FOUND', message: 'no sandbox' } }
        : undefined;
  const wallet = keypairFile(t);
  const environment = { HOME: temporaryFolder(t), XDG_CONFIG_HOME: temporaryFolder(t) };
  await trustService(proxy.url, environment);
  const run = (...args: string[]) =>
    holdfast([...args, '--json', '--url', proxy.url, '--keypair', wallet.path], { environment });
  const done = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  await done('airdrop', '100');
  for (const amount of ['3', '4', '5']) await done('stake', amount);
  await done('epoch', '--end', '1');
  return { run, done, proxy, wallet, environment };
};

test("with a sandbox's node every goal is signed unattended, in both transaction versions", async (t) => {
  const { done } = await start(t, false);
  for (const version of ['legacy', '0']) {
    const asked = ['--transaction-version', version];
    await done('stake', '2.5', ...asked);
    await done('topup', '0.3', ...asked);
    await done('topup', '1.5', ...asked);
    await done('unstake', '--amount', '1.5', ...asked);
    await done('undo', '--amount', '1.5', ...asked);
    await done('unstake', '--amount', '4.25', '--at-least', ...asked);
    await done('epoch', '--end', '1');
    await done('restake', ...asked);
    await done('unstake', '--amount', '2', ...asked);
    await done('epoch', '--end', '1');
    await done('withdraw', '--all', ...asked);
    await done('epoch', '--end', '1');
    await done('tidy', ...asked);
  }
});

test('without a node what only the service says needs a person; with --rpc it is signed, and the node is remembered', async (t) => {
  const { run, done, proxy } = await start(t, true);
  // The bytes show all of it.
  await done('stake', '1.5');
  const signedBefore = proxy.exchanges.filter(({ path }) => path.endsWith('/transaction/submit')).length;
  const refused = await run('tidy');
  assert.equal(refused.code, 1, refused.stderr);
  assert.equal(refused.error().errorCode, 'NEEDS_NODE_OR_PERSON');
  assert.match(String(refused.error().suggestedAction), /--rpc URL/);
  const signed = proxy.exchanges.filter(({ path }) => path.endsWith('/transaction/submit')).length;
  assert.equal(signed, signedBefore, 'nothing was sent');
  await done('tidy', '--rpc', await rpcUrlOf());
  await done('stake', '2');
  await done('stake', '2.5');
  await done('tidy');
});

test('a person may decide without a node, and reads what is not known', async (t) => {
  const { wallet, environment, proxy } = await start(t, true);
  const asked = ['tidy', '--url', proxy.url, '--keypair', wallet.path];
  const { code, stdout, stderr } = await holdfast(asked, { environment, answers: ['y'] });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /except for what the transaction does not show/);
});

test('a node of another cluster, one in clear text, and the old name are refused before anything is signed', async (t) => {
  const { run, proxy } = await start(t, true);
  const before = proxy.exchanges.length;
  const other = await startScriptedService(t, [json(200, { jsonrpc: '2.0', id: 1, result: OTHER_GENESIS })]);
  for (const [args, problem] of [
    [['--rpc', other.url], /another cluster/],
    [['--rpc', 'http://rpc.example/key'], /must begin with https/],
    [['--rpc-url', other.url], /--rpc-url is --rpc now/],
  ] as const) {
    const { code, stderr } = await run('stake', '1.5', ...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, problem);
    assert.doesNotMatch(stderr, /rpc\.example/, 'its URL may hold a key');
  }
  const sent = proxy.exchanges.slice(before).filter(({ path }) => path.includes('transaction'));
  assert.deepEqual(sent, []);
});

test('a transaction is dead only where the node has passed its life and knows nothing of it', async (t) => {
  const { done, environment } = await start(t, false);
  const { signature } = await done('stake', '2');
  const { url } = shared().service;
  const terminal = { environment, err: () => undefined } as unknown as CommandCall['terminal'];
  const signal = new AbortController().signal;
  const call = {
    values: { rpc: await rpcUrlOf() },
    terminal,
    signal,
    client: createHoldfastClient({ baseUrl: url }),
  };
  const node = await openUserNode(call as unknown as CommandCall, null);
  const unknown = '4'.repeat(87);
  assert.equal(await node!.provesDead({ signature: unknown, lastValidBlockHeight: 0n }), true);
  assert.equal(await node!.provesDead({ signature: String(signature), lastValidBlockHeight: 0n }), false);
  const nowhere = {
    ...call,
    values: {},
    client: createHoldfastClient({ baseUrl: 'https://service.example' }),
  };
  assert.equal(await openUserNode(nowhere as unknown as CommandCall, OTHER_GENESIS), null);
});
