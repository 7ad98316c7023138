// Checks a wallet's resources with the official client over every transport: their contents, completions that
// offer only the wallet's own stake accounts, and update notifications that end with the connection.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StakeChange } from '../../src/chain/index/stake-index.ts';
import { CURRENT_EPOCH_URI, MAX_WATCHED, walletUri } from '../../src/mcp/resource-uris.ts';
import { connectMcp, MCP_WAYS } from '../support/mcp-clients.ts';
import { startMcpFixture } from '../support/mcp-fixture.ts';
import { MCP_ENVELOPE, mcpHeaders, postMcp, rpcResponse } from '../support/mcp-rpc.ts';
import { openMcpStream } from '../support/mcp-stream.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const [UPDATED, LISTEN] = ['notifications/resources/updated', 'subscriptions/listen'] as const;

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise<void>((resolve) => setTimeout(resolve, 20));
};

/** Stakes 2 SOL. Returns the address of the stake account. */
const stake = async ({ walletAddress, secretKey }: TestWallet): Promise<string> => {
  const given = { walletAddress, secretKey, amountSol: 2 };
  return (await shared().service.client.post('/api/v1/stake', given)).stakeAccountAddress;
};

const owners = async () => {
  const wallets = [await fundedWallet(shared().sandbox, 10), await fundedWallet(shared().sandbox, 10)];
  const staked: { wallet: TestWallet; accounts: string[] }[] = [];
  for (const wallet of wallets)
    staked.push({ wallet, accounts: [await stake(wallet), await stake(wallet)].toSorted() });
  return staked as [(typeof staked)[0], (typeof staked)[0]];
};

describe('a wallet', () => {
  let both: Awaited<ReturnType<typeof owners>>;
  before(async () => {
    both = await owners();
  });

  for (const way of MCP_WAYS)
    test(`${way} shows the same resources as the tool, and its completions offer only the wallet’s own accounts`, async (t) => {
      const client = await connectMcp(t, shared().service.url, way);
      const { resourceTemplates } = await client.listResourceTemplates();
      const [ofWallet, ofAccount] = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
      assert.deepEqual(
        [ofWallet, ofAccount],
        [
          'holdfast://wallet/{walletAddress}',
          'holdfast://wallet/{walletAddress}/stake/{stakeAccountAddress}',
        ],
      );
      // biome-ignore lint/suspicious/noExplicitAny: an agent parses untyped JSON.
      const read = async (uri: string): Promise<any> => {
        const { contents } = await client.readResource({ uri });
        return JSON.parse((contents[0] as { text: string }).text);
      };
      for (const { wallet, accounts } of both) {
        const { walletAddress } = wallet;
        const shown = await read(walletUri(walletAddress));
        const { structuredContent } = await client.callTool({
          name: 'check_stake_accounts',
          arguments: { walletAddress },
        });
        const plain = (body: object) => JSON.parse(JSON.stringify({ ...body, _meta: 0, epochTiming: 0 }));
        const steady = ({ accounts: list, ...rest }: { accounts: object[] }) => ({
          ...rest,
          accounts: list.map((one) => ({ ...one, ifUnstakedNow: 0 })),
        });
        assert.deepEqual(steady(plain(shown)), steady(plain(structuredContent as object)));
        const [address] = accounts;
        const { account } = await read(`${walletUri(walletAddress)}/stake/${address}`);
        assert.deepEqual([account.address, account.withdrawAuthority], [address, walletAddress]);

        for (const ref of [
          { type: 'ref/resource', uri: ofAccount! },
          { type: 'ref/prompt', name: 'explain-stake-account' },
        ] as const) {
          const complete = async (value: string, given: Record<string, string>) =>
            (
              await client.complete({
                ref,
                argument: { name: 'stakeAccountAddress', value },
                context: { arguments: given },
              })
            ).completion.values.toSorted();
          assert.deepEqual(await complete('', { walletAddress }), accounts);
          assert.deepEqual(await complete(address!.slice(0, 8), { walletAddress }), [address]);
          assert.deepEqual(await complete('0', { walletAddress }), []);
          assert.deepEqual(await complete('', {}), [], 'no wallet is named');
          assert.deepEqual(await complete('', { walletAddress: 'all' }), []);
          const { completion } = await client.complete({
            ref,
            argument: { name: 'walletAddress', value: walletAddress.slice(0, 4) },
          });
          assert.deepEqual(completion.values, [], 'wallets are never suggested');
        }
      }
      const [one, other] = both;
      const foreign = await read(`${walletUri(one.wallet.walletAddress)}/stake/${other.accounts[0]}`);
      assert.equal(foreign.account, null);
      for (const uri of [`${walletUri('1'.repeat(44))}`, walletUri(one.accounts[0]!)])
        await assert.rejects(client.readResource({ uri }), { code: -32602 }, uri);
      await assert.rejects(client.readResource({ uri: walletUri('x') }), /not found/i);
      await assert.rejects(
        client.complete({
          ref: { type: 'ref/prompt', name: 'none' },
          argument: { name: 'walletAddress', value: '' },
        }),
        { code: -32602 },
      );
    });

  for (const way of ['auto', '2026-07-28', 'sse'] as const)
    test(`${way}: a stake and a new epoch notify the subscribers of the wallet, until they unsubscribe`, async (t) => {
      const { sandbox, service } = shared();
      const [wallet, other] = [await fundedWallet(sandbox, 10), await fundedWallet(sandbox, 10)];
      const client = await connectMcp(t, service.url, way);
      const heard: string[] = [];
      client.setNotificationHandler(UPDATED, ({ params }) => void heard.push(params.uri));
      const uri = walletUri(wallet.walletAddress);
      assert.equal(client.getServerCapabilities()?.resources?.subscribe, true);
      const subscription =
        way === 'sse'
          ? void (await Promise.all(
              [uri, CURRENT_EPOCH_URI].map((one) => client.subscribeResource({ uri: one })),
            ))
          : await client.listen({
              resourceSubscriptions: [uri, 'holdfast://validator/status', CURRENT_EPOCH_URI, uri],
            });
      if (subscription)
        assert.deepEqual(subscription.honoredFilter.resourceSubscriptions, [uri, CURRENT_EPOCH_URI]);
      await stake(other);
      await stake(wallet);
      await until(() => heard.length > 0);
      assert.deepEqual(new Set(heard), new Set([uri]));
      await sandbox.advanceEpochs(1);
      await until(() => heard.includes(CURRENT_EPOCH_URI));
      if (way === 'sse') {
        await assert.rejects(client.subscribeResource({ uri: 'holdfast://validator/status' }), {
          code: -32602,
        });
        await client.unsubscribeResource({ uri });
      } else await subscription?.close();
      heard.length = 0;
      // A second client subscribes after the first one has unsubscribed. Once the second client is notified,
      // the first one would have been notified too.
      const witness = await connectMcp(t, service.url);
      const witnessed: string[] = [];
      witness.setNotificationHandler(UPDATED, ({ params }) => void witnessed.push(params.uri));
      await witness.listen({ resourceSubscriptions: [uri] });
      await stake(wallet);
      await until(() => witnessed.length > 0);
      assert.deepEqual(heard, []);
    });

  test('2025: no updates are declared over Streamable HTTP, because its requests are independent', async (t) => {
    const client = await connectMcp(t, shared().service.url, '2025');
    assert.deepEqual(client.getServerCapabilities()?.resources, {});
    await assert.rejects(client.subscribeResource({ uri: walletUri(newWallet().walletAddress) }));
  });
});

/** Creates an index that the test changes. */
const scriptedIndex = () => {
  const listeners: ((change: StakeChange) => void)[] = [];
  return {
    onChange: (listener: (change: StakeChange) => void) => {
      listeners.push(listener);
      return () => {};
    },
    onEpoch: () => () => {},
  };
};

const listen = (url: string, uris: readonly string[]) =>
  postMcp(
    url,
    JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: LISTEN,
      params: { notifications: { resourceSubscriptions: uris }, _meta: MCP_ENVELOPE },
    }),
    mcpHeaders('modern', LISTEN),
  );
const wallets = (count: number): string[] =>
  Array.from({ length: count }, () => walletUri(newWallet().walletAddress));

describe('subscriptions', () => {
  test('are limited per session and per stream, and streams per client network', async (t) => {
    const mcp = await startMcpFixture(t, { index: scriptedIndex(), limits: { perClient: 2 } });
    const client = await connectMcp(t, mcp.url, 'sse');
    for (const uri of wallets(MAX_WATCHED)) await client.subscribeResource({ uri });
    await assert.rejects(client.subscribeResource({ uri: wallets(1)[0]! }), /20 resources/);
    const over = await rpcResponse(await listen(mcp.url, wallets(MAX_WATCHED + 1)));
    assert.deepEqual([over.id, over.error.code], [7, -32602]);
    assert.equal(mcp.serving.updates.size(), MAX_WATCHED);
    const open = [await listen(mcp.url, wallets(1)), await listen(mcp.url, wallets(2))];
    assert.equal((await listen(mcp.url, wallets(1))).status, 429);
    assert.equal(mcp.serving.updates.size(), MAX_WATCHED + 3);
    await open[0]!.body!.cancel();
    await until(() => mcp.serving.updates.size() === MAX_WATCHED + 2);
    assert.equal((await listen(mcp.url, wallets(1))).status, 200);
  });

  test('leave nothing behind when their connections are cut or the service stops', async (t) => {
    const mcp = await startMcpFixture(t, { index: scriptedIndex() });
    for (let round = 0; round < 20; round += 1) {
      const stream = await openMcpStream(t, mcp.url);
      const begin = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      };
      const send = async (id: number, method: string, params: object) => {
        const answered = stream.response(id);
        await stream.post(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
        return answered;
      };
      await send(1, 'initialize', begin);
      assert.ok((await send(2, 'resources/subscribe', { uri: wallets(1)[0]! })).result);
      const answer = await listen(mcp.url, wallets(3));
      assert.equal(mcp.serving.updates.size(), 4);
      stream.drop();
      await answer.body!.cancel();
      await until(() => mcp.serving.updates.size() === 0);
    }
    const last = await listen(mcp.url, wallets(3));
    assert.equal(mcp.serving.updates.size(), 3);
    await mcp.close();
    await last.text().catch(() => undefined);
    assert.equal(mcp.serving.updates.size(), 0);
  });

  test('a service without an index does not declare them', async (t) => {
    const mcp = await startMcpFixture(t);
    for (const way of MCP_WAYS) {
      const client = await connectMcp(t, mcp.url, way);
      assert.deepEqual(client.getServerCapabilities()?.resources, {}, way);
    }
  });
});
