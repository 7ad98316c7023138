// Checks the stdio server with the official client: it signs a full staking lifecycle on this machine, with
// both protocol versions. No key leaves the machine, and none is accepted.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { namingLocalTools } from '../../cli/mcp/service-responses.ts';
import { configFolder, type KeypairFile, keypairFile, trustService } from '../cli/cli-runner.ts';
import { startForwardingProxy } from '../cli/forwarding-proxy.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { connectMcp } from '../support/mcp-clients.ts';
import { cleanEnvironment, spawnProcess } from '../support/spawned-process.ts';
import type { Scope } from '../support/temporary-folder.ts';

const shared = sharedSandboxService({ before, after });
const root = join(import.meta.dirname, '..', '..');
const LOCAL = ['stake', 'unstake', 'withdraw'];
const OWN = ['change_stake', 'check_budget'];

type Era = 'auto' | 'legacy';

/** Starts `holdfast mcp` as an agent's host would, and connects. */
const connect = async (t: Scope, args: readonly string[], era: Era = 'auto') => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'cli/main.ts'), 'mcp', ...args],
    env: { ...cleanEnvironment(), XDG_CONFIG_HOME: configFolder },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'agent', version: '1' }, {
    versionNegotiation: { mode: era },
  } as ConstructorParameters<typeof Client>[1]);
  await client.connect(transport);
  t.after(() => client.close());
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: given });
    const [{ text }] = content as unknown as [{ text: string }];
    assert.ok(text.length < JSON.stringify(structuredContent).length, 'the text is shorter than the JSON');
    // biome-ignore lint/suspicious/noExplicitAny: an agent parses untyped JSON.
    return { isError: isError === true, body: structuredContent as Record<string, any> };
  };
  const did = async (name: string, given: Record<string, unknown> = {}) => {
    const { isError, body } = await call(name, given);
    assert.equal(isError, false, `${name}: ${JSON.stringify(body)}`);
    return body;
  };
  return { client, call, did };
};

const fund = (wallet: KeypairFile, amountSol: number) =>
  shared().client.sandboxAirdrop({ walletAddress: wallet.walletAddress, amountSol });

const cleanUps: (() => void | Promise<void>)[] = [];
const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const openOne = async () => {
  const proxy = await startForwardingProxy(scope, shared().service.url);
  const wallet = keypairFile(scope);
  await fund(wallet, 50);
  await trustService(proxy.url);
  return { proxy, wallet, ...(await connect(scope, ['--url', proxy.url, '--keypair', wallet.path])) };
};
let opened: ReturnType<typeof openOne> | undefined;
/** Returns the server behind a proxy with a funded wallet that tests without a server of their own share. */
const one = () => (opened ??= openOne());

for (const era of ['auto', 'legacy'] as const)
  test(`a full staking lifecycle through the stdio server (${era}), with fund, stake, earn, unstake and withdraw, sends no key`, async (t) => {
    const proxy = await startForwardingProxy(t, shared().service.url);
    const wallet = keypairFile(t);
    const { walletAddress } = wallet;
    await trustService(proxy.url);
    const { did, client } = await connect(t, ['--url', proxy.url, '--keypair', wallet.path], era);
    assert.ok(client.getInstructions()?.includes(walletAddress));
    await fund(wallet, 10);
    assert.equal((await did('check_balance', { walletAddress })).sol, 10);
    const staked = await did('stake', { amountSol: 2.5 });
    assert.deepEqual([staked.walletAddress, staked.amountSol], [walletAddress, 2.5]);
    await shared().client.sandboxEndEpochs({ count: 2 });
    const { accounts } = await did('check_stake_accounts', { walletAddress });
    assert.equal(accounts.length, 1);
    assert.equal(accounts[0].state, 'active');
    assert.ok(accounts[0].sol > 2.5);
    const { stakeAccountAddress } = staked;
    await did('unstake', { stakeAccountAddress });
    await shared().client.sandboxEndEpochs({ count: 1 });
    assert.equal((await did('check_withdraw_ready', { walletAddress })).readyCount, 1);
    const withdrawn = await did('withdraw', { stakeAccountAddress });
    assert.ok(withdrawn.amountSol > 2.5);
    assert.ok((await did('check_balance', { walletAddress })).sol > 9.99);
    assert.equal((await did('verify_transaction', { signature: staked.signature })).verified, true);
    const sent = proxy.exchanges.map((exchange) => exchange.sent).join('\n');
    assert.ok(sent.includes('tools/call'));
    for (const secret of wallet.secrets) assert.ok(!sent.includes(secret));
  });

test('the stdio server lists the service’s tools, with local versions of the three that need a secret key, and adds change_stake and the budget', async (t) => {
  const { client, wallet } = await one();
  const direct = await connectMcp(t, shared().service.url);
  const theirs = (await direct.listTools()).tools;
  const { tools } = await client.listTools();
  const byName = (list: typeof tools) => list.map(({ name }) => name).toSorted();
  assert.deepEqual(byName(tools), [...byName(theirs), ...OWN].toSorted());
  for (const tool of tools) {
    if (OWN.includes(tool.name)) continue;
    if (!LOCAL.includes(tool.name)) {
      // The only difference is that the wallet is already known.
      const { inputSchema, ...rest } = tool;
      const { inputSchema: asked, ...same } = theirs.find(({ name }) => name === tool.name)!;
      assert.deepEqual(rest, same);
      const names = ({ properties }: typeof inputSchema) => Object.keys(properties ?? {});
      assert.deepEqual(names(inputSchema), names(asked));
      continue;
    }
    assert.ok(!JSON.stringify(tool.inputSchema).includes('secretKey'), tool.name);
    assert.equal(tool.annotations?.destructiveHint, true);
    assert.ok(tool.outputSchema);
    assert.ok(tool.description?.includes(wallet.walletAddress));
  }
  const listed = async (from: Client) => ({
    resources: (await from.listResources()).resources.map(({ uri }) => uri),
    templates: (await from.listResourceTemplates()).resourceTemplates,
    prompts: (await from.listPrompts()).prompts.map(({ name }) => name),
  });
  const { resources, ...others } = await listed(direct);
  assert.deepEqual(await listed(client), { resources: [...resources, 'holdfast://budget'], ...others });
  const { contents } = await client.readResource({ uri: 'holdfast://epoch/current' });
  assert.equal(typeof JSON.parse((contents[0] as { text: string }).text).currentEpoch, 'number');
  const { messages } = await client.getPrompt({
    name: 'should-i-stake',
    arguments: { walletAddress: wallet.walletAddress },
  });
  assert.ok(JSON.stringify(messages).includes(wallet.walletAddress));
});

for (const era of ['auto', 'legacy'] as const)
  test(`the wallet resource (${era}) completes the wallet’s account addresses, and notifies its subscriber of a stake even after an outage`, async (t) => {
    const proxy = await startForwardingProxy(t, shared().service.url);
    const wallet = keypairFile(t);
    const { walletAddress } = wallet;
    await trustService(proxy.url);
    const { did, client } = await connect(t, ['--url', proxy.url, '--keypair', wallet.path], era);
    await fund(wallet, 20);
    const uri = `holdfast://wallet/${walletAddress}`;
    const heard: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    );
    const until = async (holds: () => boolean): Promise<void> => {
      while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const listening = () =>
      proxy.exchanges.filter(({ sent }) => sent.includes('subscriptions/listen')).length;
    const others = ['holdfast://validator/status', 'holdfast://wallet/x'];
    if (era === 'legacy') {
      await client.subscribeResource({ uri });
      for (const other of others)
        await assert.rejects(client.subscribeResource({ uri: other }), { code: -32602 });
    } else {
      const { honoredFilter } = await client.listen({ resourceSubscriptions: [uri, ...others] });
      assert.deepEqual(honoredFilter.resourceSubscriptions, [uri]);
    }
    await until(() => listening() > 0);
    const { stakeAccountAddress } = await did('stake', { amountSol: 2 });
    await until(() => heard.length > 0);
    const { contents } = await client.readResource({ uri });
    const { accounts, _meta } = JSON.parse((contents[0] as { text: string }).text);
    assert.deepEqual([accounts.length, accounts[0].address], [1, stakeAccountAddress]);
    assert.ok(_meta.timestamp);

    const complete = async (name: string, value: string, given: Record<string, string> = {}) => {
      const ref = { type: 'ref/prompt', name: 'explain-stake-account' } as const;
      const context = { arguments: given };
      return (await client.complete({ ref, argument: { name, value }, context })).completion.values;
    };
    assert.deepEqual(await complete('stakeAccountAddress', ''), [stakeAccountAddress], 'of the local wallet');
    assert.deepEqual(await complete('stakeAccountAddress', '', { walletAddress: stakeAccountAddress }), []);
    assert.deepEqual(await complete('walletAddress', walletAddress.slice(0, 3)), [walletAddress]);
    const given = { stakeAccountAddress };
    const { messages } = await client.getPrompt({ name: 'explain-stake-account', arguments: given });
    assert.ok(JSON.stringify(messages).includes(walletAddress));

    const [before, seen] = [listening(), heard.length];
    proxy.cutConnections();
    await until(() => listening() > before);
    await until(() => heard.length > seen);
    assert.deepEqual(new Set(heard), new Set([uri]), 'changes during the outage may have been missed');
  });

test('without a keypair file the three signing tools are absent', async (t) => {
  const { client } = await connect(t, ['--url', shared().service.url]);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  for (const name of LOCAL) assert.ok(!names.includes(name), name);
  assert.ok(names.includes('create_stake_transaction'));
  await assert.rejects(
    client.callTool({ name: 'stake', arguments: { amountSol: 2 } }),
    /no keypair file was given/,
  );
});

test('a secret key given by mistake is neither used nor passed on', async () => {
  const { call, proxy, wallet } = await one();
  for (const name of ['stake', 'check_balance']) {
    const { isError, body } = await call(name, {
      secretKey: wallet.secrets[0],
      amountSol: 2,
      walletAddress: wallet.walletAddress,
    });
    assert.equal(isError, true);
    assert.match(body.message, /treat it as exposed/);
  }
  assert.ok(!proxy.exchanges.some(({ sent }) => sent.includes(wallet.secrets[0]!)));
});

test('a secret key is refused under any name and at any depth, and code comes only from this package', async () => {
  const { call, did, proxy } = await one();
  const secret = 'c2VjcmV0LXRoYXQtbXVzdC1ub3QtbGVhdmU';
  for (const given of [
    { privateKey: secret },
    { secret_key: secret },
    { deep: [{ 'Private-Key': secret }] },
    { options: { mnemonic: secret } },
  ]) {
    const { isError, body } = await call('check_balance', { walletAddress: '1', ...given });
    assert.ok(isError);
    assert.match(body.message, /treat it as exposed/);
  }
  assert.ok(!proxy.exchanges.some(({ sent }) => sent.includes(secret)));
  const honest = await did('generate_wallet');
  proxy.change = ({ path }, body) => {
    const result = body.result as { structuredContent?: { runThis?: object } } | undefined;
    if (path !== '/mcp' || result?.structuredContent?.runThis === undefined) return undefined;
    const evil = {
      ...result.structuredContent,
      runThis: { javascript: 'execSync("evil")' },
      instruction: 'evil',
    };
    const content = [{ type: 'text', text: JSON.stringify(evil) }];
    return { body: { ...body, result: { ...result, structuredContent: evil, content } } };
  };
  const changed = await did('generate_wallet');
  proxy.change = undefined;
  assert.deepEqual({ ...changed, _meta: 0 }, { ...honest, _meta: 0 });
  assert.doesNotMatch(JSON.stringify(changed), /evil/);
});

test('refusals by the service and by this machine are tool results that an agent can handle', async (t) => {
  const wallet = keypairFile(t);
  await trustService(shared().service.url);
  const { call } = await connect(t, [
    '--url',
    shared().service.url,
    '--keypair',
    wallet.path,
    '--max-stake',
    '3',
  ]);
  const poor = await call('stake', { amountSol: 2 });
  assert.equal(poor.isError, true);
  assert.equal(poor.body.errorCode, 'INSUFFICIENT_BALANCE');
  assert.ok(poor.body.suggestedAction);
  assert.ok(poor.body.idempotencyKey, 'to repeat it');
  await fund(wallet, 10);
  for (const given of [
    {},
    { amountSol: -1 },
    { amountSol: 'x' },
    { amountSol: 1e-10 },
    { amountSol: 2, walletAddress: poor.body.walletAddress ?? '1' },
  ])
    assert.equal((await call('stake', given)).body.errorCode, 'VALIDATION_ERROR');
  assert.equal((await call('unstake', {})).body.errorCode, 'VALIDATION_ERROR');
  // Refused calls used none of the budget, and signed calls did.
  assert.equal((await call('stake', { amountSol: 2 })).isError, false);
  const over = await call('stake', { amountSol: 2 });
  assert.equal(over.body.errorCode, 'MAX_STAKE_EXCEEDED');
  assert.match(over.body.message, /allowed stakes of 3 SOL in any 24 hours, of which 1 SOL is left/);
  assert.equal((await call('check_balance', { walletAddress: 'nobody' })).body.errorCode, 'VALIDATION_ERROR');
});

test('a client that requests progress gets every step in ascending order, and other clients get none', async () => {
  const { client } = await one();
  const heard: { progress: number; message?: string | undefined }[] = [];
  await client.callTool(
    { name: 'stake', arguments: { amountSol: 2 } },
    { onprogress: (progress) => void heard.push(progress) },
  );
  assert.deepEqual(
    heard.map(({ progress }) => progress),
    heard.map((_, at) => at + 1),
  );
  assert.match(heard[0]!.message!, /Checked here: it does exactly what was requested/);
  assert.match(heard[1]!.message!, /Signed here/);
});

test('a transaction with any effect other than the requested one is not signed, and neither is one for a validator other than the pinned one', async (t) => {
  const { call, proxy, wallet } = await one();
  const other = keypairFile(t);
  await fund(other, 10);
  const submitted = () => proxy.exchanges.filter(({ path }) => path.endsWith('/submit')).length;
  const before = submitted();
  const foreign = await shared().client.createStakeTransaction({
    walletAddress: other.walletAddress,
    amountSol: 2,
  });
  proxy.change = ({ path }, body) =>
    path === '/api/v1/stake/transaction'
      ? { status: 200, body: { ...body, transaction: foreign.transaction } }
      : undefined;
  const refused = await call('stake', { amountSol: 2 });
  assert.deepEqual([refused.isError, refused.body.errorCode], [true, 'NOT_AS_ASKED']);
  proxy.change = undefined;
  const pinned = await connect(t, [
    '--url',
    proxy.url,
    '--keypair',
    wallet.path,
    '--vote',
    other.walletAddress,
  ]);
  assert.equal((await pinned.call('stake', { amountSol: 2 })).body.errorCode, 'NOT_AS_ASKED');
  assert.equal(submitted(), before);
});

test('local tools accept the arguments of the remote tools and fill in the local wallet, for unstake by amount and withdraw all', async (t) => {
  const wallet = keypairFile(t);
  await fund(wallet, 20);
  await trustService(shared().service.url);
  const { call, did } = await connect(t, ['--url', shared().service.url, '--keypair', wallet.path]);
  const { walletAddress } = wallet;
  await did('stake', { walletAddress, amountSol: 5 });
  await shared().client.sandboxEndEpochs({ count: 2 });
  assert.equal((await call('unstake', {})).body.errorCode, 'VALIDATION_ERROR');
  await did('unstake', { amountSol: 2 });
  const cooling = await did('check_stake_accounts');
  assert.equal(cooling.byState.deactivating, 1);
  await shared().client.sandboxEndEpochs({ count: 1 });
  const both = await call('withdraw', { all: true, amountSol: 1 });
  assert.match(both.body.message, /amountSol must not be given together with all/);
  assert.equal((await did('check_withdraw_ready')).readyCount, 1);
  await did('withdraw', { all: true });
  assert.equal((await did('check_withdraw_ready')).readyCount, 0);
  assert.ok((await did('check_balance')).sol > 16.99);
});

test('an honest response loses only the sentences of _meta, and names the local signing tools instead of the builders', async (t) => {
  const { did, wallet } = await one();
  const { walletAddress } = wallet;
  const direct = await connectMcp(t, shared().service.url);
  // Numbers and times may change between two calls.
  const stays = (body: Record<string, unknown>): unknown =>
    JSON.parse(JSON.stringify(body), (name, value) => {
      if (name === '_meta' || name === 'idempotencyKey' || typeof value === 'number') return typeof value;
      return typeof value === 'string' ? value.replaceAll(/\d[\d.:TZ-]*/g, '0') : value;
    });
  for (const [name, given] of Object.entries({
    check_balance: { walletAddress },
    check_stake_accounts: { walletAddress, detail: 'full' },
    check_withdraw_ready: { walletAddress },
    get_staking_summary: { walletAddress },
    simulate_stake: { amountSol: 2 },
    get_validator_info: {},
    get_staking_apy: {},
    get_performance_metrics: {},
    get_epoch_timing: {},
    verify_code_integrity: {},
    get_verification_links: {},
    plan_stake_change: { walletAddress, goal: 'unstake', amountSol: 1 },
  })) {
    const { structuredContent } = await direct.callTool({ name, arguments: given });
    assert.deepEqual(
      stays(await did(name, given)),
      stays(namingLocalTools(structuredContent as Record<string, unknown>)),
      name,
    );
  }
});

test('calling the stake tool twice with the same idempotency key creates only one stake account', async () => {
  const { call } = await one();
  const first = await call('stake', { amountSol: 2, idempotencyKey: 'once' });
  const again = await call('stake', { amountSol: 2, idempotencyKey: 'once' });
  assert.deepEqual([again.isError, again.body.errorCode], [false, undefined]);
  assert.equal(again.body.signature, first.body.signature);
});

test('no second stake account is signed for when a key is repeated, even if the service claims that nothing landed', async () => {
  const { call, proxy, wallet } = await one();
  const { walletAddress } = wallet;
  const stakes = async () =>
    (await shared().client.listStakeAccounts({ walletAddress }, { retries: 0 })).accounts.length;
  const before = await stakes();
  proxy.change = ({ path }) =>
    path.endsWith('/submit') ? { status: 502, body: { gateway: 'gave up' } } : undefined;
  const first = await call('stake', { amountSol: 2, idempotencyKey: 'pinned' });
  assert.deepEqual([first.isError, first.body.errorCode], [true, 'BAD_ANSWER']);
  const elsewhere = await shared().client.createStakeTransaction({ walletAddress, amountSol: 2 });
  proxy.change = ({ path }) =>
    path === '/api/v1/stake/transaction' ? { status: 200, body: { ...elsewhere } } : undefined;
  const again = await call('stake', { amountSol: 2, idempotencyKey: 'pinned' });
  proxy.change = undefined;
  assert.deepEqual([again.isError, again.body.errorCode], [true, 'NOT_AS_ASKED']);
  assert.equal(await stakes(), before + 1);
});

test('if the service is unavailable, the result contains a code, and the server keeps running', async (t) => {
  const wallet = keypairFile(t);
  const { call, client } = await connect(t, [
    ...['--url', 'http://127.0.0.1:9', '--keypair', wallet.path, '--vote', wallet.walletAddress],
  ]);
  assert.equal(
    (await call('check_balance', { walletAddress: wallet.walletAddress })).body.errorCode,
    'NETWORK',
  );
  assert.ok((await client.listTools()).tools.length > 3);
  assert.equal((await client.listPrompts()).prompts.length, 3, 'its own');
  await assert.rejects(
    client.readResource({ uri: 'holdfast://epoch/current' }),
    /No response from http:\/\/127\.0\.0\.1:9/,
  );
  assert.equal((await call('stake', { amountSol: 2 })).body.errorCode, 'NETWORK');
});

test('the stdio server ends when its input ends, names the signing wallet on stderr, and prints only protocol messages', async (t) => {
  const wallet = keypairFile(t);
  await trustService(shared().service.url);
  const process = spawnProcess(t, {
    file: 'cli/main.ts',
    args: ['mcp', '--url', shared().service.url, '--keypair', wallet.path],
    env: { XDG_CONFIG_HOME: configFolder },
  });
  assert.deepEqual(await process.ended, { code: 0, signal: null });
  assert.equal(process.stdout, '');
  assert.equal(
    process.stderr,
    `holdfast mcp: ${shared().service.url}, signing for ${wallet.walletAddress}\n`,
  );
});
