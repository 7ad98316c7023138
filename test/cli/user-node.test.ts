// Checks the user's own RPC node: it is found, remembered for its cluster, and refused for any other cluster.
// With a node, every goal of an honest service is signed unattended. Without a node, a goal is signed
// unattended only if the transaction itself proves its effects.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** Sets up a wallet with four stakes, three of them active, at a service behind a proxy. */
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
    holdfast([...args, '--json', '--yes', '--url', proxy.url, '--keypair', wallet.path], { environment });
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

test('with a sandbox’s node, every goal is signed unattended in both transaction versions', async (t) => {
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

test('without a node, facts known only from the service need the user’s approval; with --rpc, the node confirms them', async (t) => {
  const { run, done, proxy } = await start(t, true);
  // The transaction alone proves all effects of this stake.
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

test('without a node, a user may approve a transaction after seeing which details are unverified', async (t) => {
  const { wallet, environment, proxy } = await start(t, true);
  const asked = ['tidy', '--url', proxy.url, '--keypair', wallet.path];
  const { code, stdout, stderr } = await holdfast(asked, { environment, responses: ['y'] });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /except for what the transaction does not reveal/);
});

test('a node of another cluster, or one over plain http, is refused before anything is signed', async (t) => {
  const { run, proxy } = await start(t, true);
  const before = proxy.exchanges.length;
  const other = await startScriptedService(t, [json(200, { jsonrpc: '2.0', id: 1, result: OTHER_GENESIS })]);
  for (const [args, problem] of [
    [['--rpc', other.url], /a different cluster/],
    [['--rpc', 'http://rpc.example/key'], /must begin with https/],
  ] as const) {
    const { code, stderr } = await run('stake', '1.5', ...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, problem);
    assert.doesNotMatch(stderr, /rpc\.example/, 'its URL may contain a key');
  }
  const sent = proxy.exchanges.slice(before).filter(({ path }) => path.includes('transaction'));
  assert.deepEqual(sent, []);
});

/** Creates the context of a client command with a new home folder. */
const callTo = (t: TestContext, url: string, rpc?: string): CommandCall =>
  ({
    values: { rpc },
    terminal: {
      environment: { HOME: temporaryFolder(t), XDG_CONFIG_HOME: temporaryFolder(t) },
      err: () => undefined,
    },
    signal: new AbortController().signal,
    client: createHoldfastClient({ baseUrl: url }),
  }) as unknown as CommandCall;

/** Starts a node that responds to each method with `responses`. */
const startNode = async (
  t: TestContext,
  responses: Readonly<Record<string, (params: readonly unknown[]) => unknown>>,
): Promise<string> => {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { method, params } = JSON.parse(body) as { method: string; params: readonly unknown[] };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: responses[method]!(params) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test('a transaction counts as expired only if the node has passed the transaction’s last valid height and does not know the transaction', async (t) => {
  const { done } = await start(t, false);
  const { signature } = await done('stake', '2');
  const { url } = shared().service;
  const node = await openUserNode(callTo(t, url, await rpcUrlOf()), null);
  const unknown = '4'.repeat(87);
  assert.equal(await node!.provesExpired({ signature: unknown, lastValidBlockHeight: 0n }), true);
  assert.equal(await node!.provesExpired({ signature: String(signature), lastValidBlockHeight: 0n }), false);
  assert.equal(await openUserNode(callTo(t, 'https://service.example'), OTHER_GENESIS), null);
});

test('a node that returns no height, or whose finalized slot is behind, cannot prove that a transaction expired', async (t) => {
  const { genesisHash } = (await shared().client.codeIntegrity({})).identity!;
  const provesExpired = async (changed: Readonly<Record<string, () => unknown>>): Promise<boolean> => {
    const heights = { processed: 1_000, finalized: 2_000 };
    const url = await startNode(t, {
      getGenesisHash: () => genesisHash,
      getBlockHeight: ([options]) => heights[(options as { commitment: keyof typeof heights }).commitment],
      getSlot: () => 5_000,
      getSignatureStatuses: () => ({ context: { slot: 5_000 }, value: [null] }),
      ...changed,
    });
    const node = await openUserNode(callTo(t, shared().service.url, url), genesisHash);
    return node!.provesExpired({ signature: '4'.repeat(87), lastValidBlockHeight: 900n });
  };
  assert.equal(await provesExpired({}), true);
  for (const answer of [null, 'soon', '2000', 1.5, -1, {}, 2 ** 60])
    assert.equal(await provesExpired({ getBlockHeight: () => answer }), false, String(answer));
  assert.equal(await provesExpired({ getSlot: () => 'late' }), false);
  for (const context of [{ slot: 4_999 }, { slot: null }, undefined])
    assert.equal(await provesExpired({ getSignatureStatuses: () => ({ context, value: [null] }) }), false);
  assert.equal(
    await provesExpired({ getSignatureStatuses: () => ({ context: { slot: 5_001 }, value: [{ slot: 1 }] }) }),
    false,
  );
});

test('a service behind a tunnel cannot vouch for itself: neither its own port nor a node of a public cluster is trusted', async (t) => {
  const { proxy } = await start(t, false);
  const { genesisHash } = (await shared().client.codeIntegrity({})).identity!;
  assert.notEqual(await openUserNode(callTo(t, proxy.url), genesisHash), null, "a sandbox's node is trusted");
  assert.notEqual(
    await openUserNode(callTo(t, proxy.url), null),
    null,
    'the cluster of the node is requested',
  );
  const publicNode = await startNode(t, { getGenesisHash: () => OTHER_GENESIS });
  proxy.change = ({ path }, body) =>
    path === '/sandbox' ? { body: { ...body, rpcUrl: `${proxy.url}/rpc` } } : undefined;
  assert.equal(await openUserNode(callTo(t, proxy.url), genesisHash), null);
  proxy.change = ({ path }, body) =>
    path === '/sandbox'
      ? { body: { ...body, rpcUrl: publicNode } }
      : path.includes('verification') || path.includes('verify')
        ? { body: { ...body, identity: { ...(body.identity as object), genesisHash: OTHER_GENESIS } } }
        : undefined;
  for (const known of [OTHER_GENESIS, genesisHash, null])
    assert.equal(await openUserNode(callTo(t, proxy.url), known), null, String(known));
});

test('the cluster of a remembered node is checked on every use', async (t) => {
  const { genesisHash } = (await shared().client.codeIntegrity({})).identity!;
  let answered = genesisHash;
  const url = await startNode(t, { getGenesisHash: () => answered });
  // This URL is not on this machine, so the client looks for no sandbox.
  const call = callTo(t, 'https://service.example', url);
  assert.notEqual(await openUserNode(call, genesisHash), null);
  const later = { ...call, values: {} };
  assert.notEqual(await openUserNode(later, genesisHash), null);
  answered = OTHER_GENESIS;
  assert.equal(await openUserNode(later, genesisHash), null);
});
