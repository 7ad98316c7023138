// Follows the guides of a running service without a clone of the repository. Every line runs as printed, in a
// folder that contains only the packages of that service.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Address, createSolanaRpc, type Signature } from '@solana/kit';
import { operations } from '../../client/generated/all-operations.ts';
import { signAwayStakeAuthority } from '../../demo/phishing-page.ts';
import { eventually } from '../../demo/poll-until-result.ts';
import { decodeStakeAccount, EPOCH_ABSENT } from '../../src/domain/stake/stake-account.ts';
import { referencePath } from '../../src/http/docs/docs-shell.ts';
import { allRoutes } from '../../src/http/routes/all-routes.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { freePort } from '../support/free-port.ts';
import { startServiceHere } from '../support/service-fixture.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import type { Scope } from '../support/temporary-folder.ts';
import { guideCode, outsiderEnvironment, outsiderFolder, unescaped } from '../support/user-without-clone.ts';

const shared = sharedSandboxService({ before, after });
const root = join(import.meta.dirname, '..', '..');
const execute = promisify(execFile);
const cleanUps: (() => void | Promise<void>)[] = [];
const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
let folder = '';
before(async () => {
  await shared.started;
  // Contains the packages that npm downloads when a reader follows the guides.
  folder = await outsiderFolder(scope, shared().service.url, [
    '@modelcontextprotocol/client',
    '@solana/kit',
    'standardwebhooks',
  ]);
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Runs the lines in one shell, up to the first that fails. */
const shell = async (lines: string): Promise<string> =>
  (await execute('sh', ['-ec', lines], { cwd: folder, env: outsiderEnvironment(folder) })).stdout;
const code = (guide: string): Promise<string[]> => guideCode(shared().service.url, guide);
const withText = (blocks: readonly string[], text: string): string => {
  const found = blocks.filter((block) => block.includes(text));
  assert.equal(found.length, 1, `one block with ${text}`);
  return found[0]!;
};
/** Saves `text` as `file`, and runs the file. */
const runFile = async (file: string, text: string) => {
  writeFileSync(join(folder, file), text);
  return (await execute(process.execPath, [file], { cwd: folder, env: outsiderEnvironment(folder) })).stdout;
};
const keygen = async (file: string): Promise<string> => {
  const printed = await shell(`npx --no holdfast keygen ${file}`);
  return /wallet\s+(\w+)/.exec(printed)![1]!;
};

test('quick start, with curl: one stake is signed on this machine, another is made in one call, and both become active and earn rewards', async () => {
  const blocks = await code('quick-start');
  writeFileSync(join(folder, 'sign.mjs'), withText(blocks, 'createPrivateKey'));
  const order = ['make-wallet.mjs', '/api/v1/transaction/submit', '/sandbox/epoch', '/api/v1/stake"'];
  const [wallet, signed, epoch, oneShot] = order.map((text) => withText(blocks, text));
  const places = order.map((text) => blocks.findIndex((block) => block.includes(text)));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    'the call with a secret key comes last',
  );
  const printed = await shell([wallet, signed, oneShot, epoch].join('\n'));
  const [, first, second, , , { accounts }, { totals }] = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    accounts.map(({ address, state }: { address: string; state: string }) => [address, state]).toSorted(),
    [first, second].map(({ stakeAccountAddress }) => [stakeAccountAddress, 'active']).toSorted(),
  );
  assert.ok(totals.inflationSol > 0, printed);
});

test('quick start, in code: the file stakes as printed', async () => {
  const blocks = await code('quick-start');
  assert.ok(
    withText(blocks, '/client-').includes(`npm install ${shared().service.url}/client-`),
    'the package that this test installed',
  );
  const printed = await runFile('stake.ts', withText(blocks, 'verifyTransactionBytes'));
  const [, signature] = /^Confirmed: (\w{80,90})\n\w{32,44} activating 3\n$/.exec(printed) ?? [];
  assert.ok(signature, printed);
  assert.notEqual((await shared().client.transactionState({ signature })).state, 'pending');
});

/** Saves the examples in a folder. Returns the errors of a strict compiler. */
const strictErrors = (name: string, examples: Readonly<Record<string, string>>): string => {
  const examplesFolder = join(folder, name);
  mkdirSync(examplesFolder);
  for (const [file, text] of Object.entries(examples)) writeFileSync(join(examplesFolder, file), text);
  const compilerOptions = {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    // Declares the parameters of plain JavaScript functions, which have no types.
    allowJs: true,
    checkJs: true,
    ...(Object.keys(examples).every((file) => file.endsWith('.ts')) ? {} : { noImplicitAny: false }),
  };
  writeFileSync(
    join(examplesFolder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(examples) }),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', examplesFolder], { encoding: 'utf8' }).stdout;
};
const withoutTypeAssertions = (text: string) =>
  assert.doesNotMatch(text.replaceAll(/\/\/.*|'[^']*'/g, ''), /\w!|[\])]!| as (?!\w+[,\n]|\w+ \})/, text);

test('a strict compiler finds no errors in the examples of the typed client, which contain no type assertions', async () => {
  const examples = new Map<string, string>();
  for (const guide of ['quick-start', 'client', 'verify', 'webhooks'])
    for (const [index, block] of (await code(guide)).entries())
      if (/^import [^;]*'@holdfast-sol\/client/m.test(block)) examples.set(`${guide}-${index}.ts`, block);
  examples.set('receiver.ts', withText(await code('webhooks'), 'createServer'));
  assert.equal(examples.size, 9);
  for (const block of examples.values()) withoutTypeAssertions(block);
  assert.equal(strictErrors('strict', Object.fromEntries(examples)), '');
  const stake = withText(await code('sign'), 'export const stake =');
  assert.equal(strictErrors('strict-js', { 'stake.js': stake }), '');
});

test('a strict compiler finds no errors in the TypeScript examples of the reference', async () => {
  const examples: Record<string, string> = {};
  for (const tag of new Set(allRoutes.map((route) => route.tag))) {
    const page = await (await fetch(`${shared().service.url}${referencePath(tag)}`)).text();
    for (const [, block] of page.matchAll(/<code>(import \{ createHoldfastClient[\s\S]*?)<\/code>/g)) {
      const example = unescaped(block!);
      const [, name] = /await client\.(\w+)/.exec(example)!;
      examples[`${name}.ts`] = example.replaceAll('<NONCE>', '1');
      withoutTypeAssertions(example);
    }
  }
  assert.equal(Object.keys(examples).length, Object.keys(operations).length, 'one for each operation');
  assert.equal(strictErrors('strict-reference', examples), '');
});

test('quick start, on the command line: the lines stake after the user confirms', async () => {
  const lines = withText(await code('quick-start'), 'holdfast stake 3');
  const [install, ...rest] = lines.trim().split('\n');
  assert.match(
    install!,
    new RegExp(`^npm install --prefix \\. ${shared().service.url}/holdfast-[\\d.]+\\.tgz$`),
  );
  const printed = await shell(
    [...rest.slice(0, -1), 'holdfast trust --yes', `${rest.at(-1)} --yes`].join('\n'),
  );
  assert.match(printed, /confirmed/i);
});

test('every code file of the typed client’s guide runs on its own', async () => {
  const walletAddress = await keygen('client.json');
  await shared().client.sandboxAirdrop({ walletAddress, amountSol: 5 });
  // The block that exports is a module for the browser. It is compiled with the other examples.
  const files = (await code('client')).filter(
    (block) => block.startsWith('import ') && !block.includes('\nexport '),
  );
  assert.equal(files.length, 4);
  const printed: string[] = [];
  for (const [index, file] of files.entries())
    printed.push(await runFile(`client-${index}.js`, file.replaceAll('<WALLET_ADDRESS>', walletAddress)));
  assert.match(printed[0]!, /^5 true 0 \d+$/m);
  assert.match(printed[1]!, /^Confirmed: \w{80,90}$/m);
  assert.match(printed[2]!, /^400 /m);
  assert.match(printed[3]!, /^watching \d{4}-/m);
});

test('the example in the client’s README runs', async () => {
  const readme = readFileSync(join(folder, 'node_modules/@holdfast-sol/client/README.md'), 'utf8');
  const example = /```js\n([\s\S]*?)```/.exec(readme)![1]!;
  const printed = await runFile('epoch.mjs', example.replace('http://127.0.0.1:3000', shared().service.url));
  assert.match(printed, /^\d+ \d{4}-/);
});

test('webhooks: the receiver verifies the ping and the events of an epoch', async (t) => {
  const port = String(await freePort());
  const blocks = (await code('webhooks')).map((block) => block.replaceAll('4600', port));
  const walletAddress = await keygen('receiver.json');
  writeFileSync(join(folder, 'receiver.mjs'), withText(blocks, 'createServer'));
  const printed = withText(blocks, 'WEBHOOK_SECRET=$(').replace(
    'node receiver.mjs',
    'printenv WEBHOOK_SECRET',
  );
  await assert.rejects(shell(printed), 'no receiver is started without a secret');
  const [secret] = (await shell(printed.replaceAll('<WALLET_ADDRESS>', walletAddress))).split('\n');
  assert.match(secret!, /^whsec_/);
  const receiver = spawnProcess(t, {
    file: join(folder, 'receiver.mjs'),
    cwd: folder,
    env: { WEBHOOK_SECRET: secret! },
  });
  await receiver.output(/^ping \{/m);
  await shell(withText(blocks, '/sandbox/epoch'));
  await receiver.output(/^epoch_complete \{/m);
  const other = withText(blocks, 'https://example.com/holdfast');
  const registered = JSON.parse(
    await shell(
      other
        .replaceAll('<WALLET_ADDRESS>', walletAddress)
        .replace('https://example.com/holdfast', `http://127.0.0.1:${port}/`),
    ),
  );
  assert.match(registered.secret, /^whsec_/, JSON.stringify(registered));
  const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
  assert.equal(status, 400);
});

test('DOCS-1: no document contains a curl command that this file does not run', async () => {
  const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
  const withCurl = documents.filter(
    (file) => file.endsWith('.md') && /^\s*curl /m.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(withCurl, [
    ...['docs/actions.md', 'docs/idempotency.md', 'docs/mcp.md', 'docs/quick-start.md', 'docs/sign.md'],
    'docs/webhooks.md',
  ]);
});

test('SIGN: the command in the guide simulates a busy network in the sandbox', async () => {
  const command = withText(await code('sign'), '/sandbox/network');
  const { busy } = JSON.parse(await shell(command));
  assert.equal(busy, true);
  await shell(command.replace('true', 'false'));
});

test('SIGN: an agent’s key that is only the stake authority unstakes for the owner, and the owner takes the authority back', async () => {
  const printed = await shell(withText(await code('sign'), '--stake-authority'));
  assert.match(printed, /can unstake and redelegate; only your wallet can withdraw/);
  assert.match(
    printed,
    /signs only as stake authority: it can unstake and redelegate, but cannot take anything out/,
  );
  const accountsOf = async (keypair: string) =>
    JSON.parse(
      await shell(`npx --no holdfast accounts --url ${shared().service.url} --keypair ${keypair} --json`),
    ).accounts;
  assert.deepEqual((await accountsOf('owner.json')).map(({ state }: { state: string }) => state).toSorted(), [
    'activating',
    'inactive',
  ]);
  assert.deepEqual(await accountsOf('staker.json'), [], 'the authority to be taken back');
});

test('idempotency: the repeated command prints the first signature, which the key alone finds too', async () => {
  const printed = await shell(withText(await code('idempotency'), '--idempotency-key order-7'));
  const [first, again] = [...printed.matchAll(/"signature": ?"(\w{80,90})"/g)].map(
    ([, signature]) => signature,
  );
  assert.ok(first !== undefined && again === first, printed);
  assert.match(printed, /"replayed": ?true/);
  assert.equal(JSON.parse(printed.trim().split('\n').at(-1)!).signature, first);
});

test('sponsored fees: the wallet stakes its entire balance, and the payer pays only the fee', async (t) => {
  // With slots of 20 ms, the transaction would expire before both have signed.
  const { url } = await startServiceHere(t, { HOLDFAST_SANDBOX_SLOT_MS: '400' });
  const lines = withText(await code('fee-payer'), 'feePayer=$PAYER');
  const printed = await shell(lines.replace(shared().service.url, url));
  assert.match(printed, /Stake of 5 SOL confirmed/);
  assert.match(printed, /^balance +0 SOL$/m);
  const payer = await shell(`npx --no holdfast balance --url ${url} --keypair sponsor.json`);
  assert.match(payer, /^balance +0\.999985 SOL$/m);
});

test('MCP: each line that needs no agent gets the response shown in the guide', async () => {
  const [list, call, refused] = (await code('mcp')).filter((block) => block.startsWith('curl '));
  assert.ok((await shell(list!)).split('\n').includes('get_staking_summary'));
  const { result } = JSON.parse(await shell(call!));
  assert.equal(result.structuredContent.amountSol, 10, JSON.stringify(result));
  const { isError, structuredContent } = JSON.parse(await shell(refused!)).result;
  assert.deepEqual([isError, typeof structuredContent.errorCode], [true, 'string']);
});

test('MCP: a desktop agent with the printed settings stakes through the installed package', async (t) => {
  const settings = withText(await code('mcp'), '--max-stake');
  const { command, args } = JSON.parse(settings.replaceAll('/home/you/holdfast-agent', folder)).mcpServers
    .holdfast;
  const env = outsiderEnvironment(folder);
  const wallet = join(folder, 'agent.json');
  await shell(`rm -f agent.json; npx --no holdfast keygen agent.json`);
  await shell(`npx --no holdfast trust --yes --url ${shared().service.url}`);
  await shell(`npx --no holdfast airdrop 10 --url ${shared().service.url} --keypair ${wallet}`);
  // Agents start programs in a folder of their own.
  const transport = new StdioClientTransport({ command, args, env, cwd: '/', stderr: 'pipe' });
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(transport);
  t.after(() => client.close());
  assert.ok((await client.listTools()).tools.some(({ name }) => name === 'stake'));
  const { isError, structuredContent } = await client.callTool({
    name: 'stake',
    arguments: { amountSol: 2 },
  });
  assert.ok(!isError, JSON.stringify(structuredContent));
  const over = await client.callTool({ name: 'stake', arguments: { amountSol: 4 } });
  assert.equal((over.structuredContent as { errorCode: string }).errorCode, 'MAX_STAKE_EXCEEDED');
});

test("Solana Actions and verify: the card, its transaction, and the command line's result for it", async () => {
  const walletAddress = await keygen('actions.json');
  await shared().client.sandboxAirdrop({ walletAddress, amountSol: 5 });
  const [look, build] = (await code('actions')).filter((block) => block.startsWith('curl '));
  assert.equal(JSON.parse(await shell(look!)).type, 'action');
  const { transaction } = JSON.parse(await shell(build!.replace('<WALLET_ADDRESS>', walletAddress)));
  const verify = withText(await code('verify'), '--offline')
    .replace('<base64>', transaction)
    .replace('<your wallet>', walletAddress)
    .replace(
      "<the validator's vote account>",
      (await shared().client.listStakeAccounts({ walletAddress })).validatorVoteAccount,
    );
  assert.match(await shell(`npx --no ${verify}`), /It does only what it claims: stake/);
});

test('link and button: the lines for other sites lead to a page and an image', async () => {
  const blocks = await code('link');
  const [, href, src] = /href="([^"]+)"[\s\S]*src="([^"]+)"/.exec(withText(blocks, '<a href'))!;
  for (const url of [href!, src!, blocks[0]!.trim(), blocks.at(-1)!.trim().replace('solana-action:', '')]) {
    assert.ok(url.startsWith(shared().service.url), url);
    assert.equal((await fetch(url)).status, 200, url);
  }
});

const AGENTS = ['keep-80', 'treasury', 'rescue', 'report'] as const;
const SOL = 1_000_000_000n;
const chain = async () => createSolanaRpc((await shared().client.describeSandbox()).rpcUrl);

/** Saves an agent from the cookbook and its policy as printed, with a new wallet. */
const prepareAgent = async (name: (typeof AGENTS)[number], amountSol: number) => {
  const { client, service } = shared();
  const blocks = await code('cookbook');
  const keypair = join(folder, `${name}-wallet.json`);
  const walletAddress = await keygen(keypair);
  await client.sandboxAirdrop({ walletAddress, amountSol });
  await shell(`npx --no holdfast trust --yes --url ${service.url}`);
  const { identity } = await client.codeIntegrity({});
  const port = String(await freePort());
  const fill = (text: string): string =>
    text
      .replaceAll('<GENESIS_HASH>', identity.genesisHash!)
      .replaceAll('<WALLET_ADDRESS>', walletAddress)
      .replaceAll('/home/you/holdfast-agent/agent.json', keypair)
      .replaceAll('/home/you/policies', join(folder, 'policies'))
      .replaceAll('4600', port);
  const index = AGENTS.indexOf(name);
  const programs = blocks.filter((block) => block.startsWith('import '));
  writeFileSync(join(folder, `${name}.mjs`), fill(programs[index]!));
  const policy = join(folder, 'policies', `${name}.json`);
  mkdirSync(join(policy, '..'), { recursive: true });
  const policies = blocks.filter((block) => block.startsWith('{\n  "version": 1'));
  if (policies[index]) writeFileSync(policy, fill(policies[index]));
  const holdfast = (line: string) =>
    shell(`npx --no holdfast ${line} --yes --json --url ${service.url} --keypair ${keypair}`);
  /** Runs the agent once in its own process. `input` is typed by the user. Null means there is no terminal. */
  const run = (input: string | null = null) =>
    shell(input === null ? `node ${name}.mjs </dev/null` : `echo ${input} | node ${name}.mjs`);
  /** Returns the wallet's lamports on the cluster, liquid and staked. */
  const holdings = async () => {
    const rpc = await chain();
    const { accounts } = await client.listStakeAccounts({ walletAddress });
    const { value: liquid } = await rpc
      .getBalance(walletAddress as Address, { commitment: 'confirmed' })
      .send();
    const stakes = await Promise.all(
      accounts.map(async ({ address }) => {
        const { value } = await rpc
          .getAccountInfo(address as Address, { encoding: 'base64', commitment: 'confirmed' })
          .send();
        const { owner, lamports } = value!;
        const data = Buffer.from(value!.data[0], 'base64');
        const decoded = decodeStakeAccount({ address: address as Address, owner, lamports, data })!;
        const { delegation, stakeAuthority } = decoded;
        return {
          address,
          lamports: BigInt(lamports),
          notDelegated: BigInt(lamports) - (delegation?.stakeLamports ?? 0n),
          isStaked: delegation?.deactivationEpoch === EPOCH_ABSENT,
          stakeAuthority,
        };
      }),
    );
    const sumOf = (some: typeof stakes) => some.reduce((sum, { lamports }) => sum + lamports, 0n);
    const staked = sumOf(stakes.filter(({ isStaked }) => isStaked));
    return { liquid: BigInt(liquid), stakes, staked, total: BigInt(liquid) + sumOf(stakes) };
  };
  /** Gives the stake authority away with the owner's signature, as on a phishing page. */
  const giveAway = async (stakeAccountAddress: string, to: string): Promise<void> => {
    const secretKey = encodeBase58(new Uint8Array(JSON.parse(readFileSync(keypair, 'utf8'))));
    const { rpcUrl } = await client.describeSandbox();
    await signAwayStakeAuthority(rpcUrl, { walletAddress, secretKey }, { stakeAccountAddress, to });
  };
  return { walletAddress, policy, port, holdfast, run, holdings, giveAway };
};
const feeOf = async (signature: string): Promise<bigint> => {
  const transaction = await (await chain())
    .getTransaction(signature as Signature, {
      maxSupportedTransactionVersion: 0,
      commitment: 'confirmed',
      encoding: 'base64',
    })
    .send();
  return BigInt(transaction!.meta!.fee);
};

test('cookbook: the agents have at most 80 lines and import only Node and the three packages that the page installs', async () => {
  const programs = (await code('cookbook')).filter((block) => block.startsWith('import '));
  assert.equal(programs.length, AGENTS.length);
  for (const program of programs) {
    assert.ok(program.trimEnd().split('\n').length <= 80, program);
    for (const [, from] of program.matchAll(/ from '([^']+)'/g))
      assert.match(
        from!,
        /^(node:.*|@holdfast-sol\/client|@modelcontextprotocol\/client(\/stdio)?|standardwebhooks)$/,
      );
  }
});

test('cookbook: the agent keeps exactly 80% staked, to the lamport, by staking and by unstaking', async () => {
  const { walletAddress, run, holdings, holdfast, giveAway } = await prepareAgent('keep-80', 10);
  /**
   * Runs the agent and compares the result. The agent aims at 80% of the total before its transaction, rounded
   * down. The fee then reduces the total, so the stake exceeds 80% of the new total by 80% of the fee, minus at
   * most one lamport of rounding. Unstaking a whole account also releases its undelegated SOL (the rent and the
   * rewards on it), which reduces the stake by that amount.
   */
  const actAndCompare = async (act: string) => {
    const known = (await holdings()).stakes.filter(({ isStaked }) => isStaked).map(({ address }) => address);
    const printed = await run();
    const [, signature] = new RegExp(`^${act} \\{.*\\} (\\w{80,90})$`, 'm').exec(printed) ?? [];
    assert.ok(signature, printed);
    const [{ staked, stakes, total }, fee] = [await holdings(), await feeOf(signature)];
    const takenAlong = stakes
      .filter(({ address, isStaked }) => !isStaked && known.includes(address))
      .reduce((sum, { notDelegated }) => sum + notDelegated, 0n);
    const excess = (staked + takenAlong) * 100n - total * 80n;
    assert.ok(excess <= fee * 80n && excess > fee * 80n - 100n, `${excess} of ${fee * 80n}`);
    return { total, fee };
  };
  const { total, fee } = await actAndCompare('stake');
  assert.equal(total, 10n * SOL - fee, 'no other SOL was moved');
  const before = await holdings();
  assert.match(await run(), /^Nothing to do\.$/m);
  assert.deepEqual(await holdings(), before);

  await holdfast('stake 1.5');
  await shared().client.sandboxEndEpochs({ count: 1 });
  await actAndCompare('unstake');
  await shared().client.sandboxEndEpochs({ count: 1 });
  assert.match(await run(), /^withdraw [^\n]+\nNothing to do\.$/m);
  const after = await holdings();
  assert.equal(after.staked + after.liquid, after.total, 'no SOL is left in inactive accounts');

  // Triggers a critical warning: someone else controls a stake.
  await shared().client.sandboxAirdrop({ walletAddress, amountSol: 10 });
  const other = await keygen('other.json');
  await giveAway(after.stakes[0]!.address, other);
  const warned = await eventually(async () => {
    const now = await holdings();
    return now.stakes.some(({ stakeAuthority }) => stakeAuthority === other) ? now : null;
  }, 'the stake authority to change');
  assert.match(await run(), /^Not staked: /m);
  assert.deepEqual(await holdings(), warned);
});

test('cookbook: the treasury executes each order once, and large orders only after approval', async () => {
  const { run, holdings } = await prepareAgent('treasury', 20);
  const orders = join(folder, 'orders.json');
  const printed = withText(await code('cookbook'), '"do"');
  writeFileSync(orders, printed);
  const stakes = async () =>
    (await holdings()).stakes.map(({ lamports }) => lamports).toSorted((a, b) => Number(a - b));
  for (const no of [null, 'n']) {
    assert.match(await run(no), /2026-11-grant: not done, POLICY_DECLINED/);
    assert.deepEqual(await stakes(), [1_500_000_000n]);
  }
  assert.match(await run('y'), /2026-11-grant: done/);
  assert.deepEqual(await stakes(), [1_500_000_000n, 3n * SOL]);
  const done = await holdings();
  for (const { id, signature } of JSON.parse(readFileSync(orders, 'utf8')))
    assert.match(signature, /^\w{80,90}$/, id);
  await run('y');
  // Simulates a crash before the orders are saved, so the same keys are sent again.
  writeFileSync(orders, printed);
  await run('y');
  assert.deepEqual((await holdings()).stakes, done.stakes);
  writeFileSync(orders, '[{ "id": "too-large", "do": "stake", "amountSol": 6 }]');
  assert.match(await run('y'), /too-large: not done, POLICY_LIMIT/);
  assert.deepEqual(await holdings(), done);
});

test('cookbook: a stake whose stake authority was given away is taken back after the alert', async (t) => {
  const { walletAddress, policy, port, holdfast, holdings, giveAway } = await prepareAgent('rescue', 5);
  const thief = await keygen('thief.json');
  await holdfast('stake 2');
  await shared().client.sandboxEndEpochs({ count: 1 });
  const agent = spawnProcess(t, {
    file: join(folder, 'rescue.mjs'),
    cwd: folder,
    env: outsiderEnvironment(folder),
  });
  await agent.output(/^ping/m);
  await agent.output(/^nothing to take back$/m);
  const { address: stakeAccountAddress } = (await holdings()).stakes[0]!;
  await giveAway(stakeAccountAddress, thief);
  const [, signature] = await agent.output(/^taken back (\w{80,90})$/m);
  assert.match(agent.stdout, new RegExp(`^stake_authority_changed ${stakeAccountAddress}\\ntaken back`, 'm'));
  const transaction = await shared().client.transactionState({ signature: signature! });
  assert.notEqual(transaction.state, 'pending');
  assert.deepEqual(
    (await holdings()).stakes.map(({ stakeAuthority }) => stakeAuthority),
    [walletAddress],
  );
  const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
  assert.equal(forged.status, 400);
  await assert.rejects(holdfast(`stake 1.5 --policy ${policy}`), /POLICY_OPERATION/);
});

test('cookbook: the figures in the report match those of the service', async () => {
  const { walletAddress, holdfast, run } = await prepareAgent('report', 10);
  await holdfast('stake 4');
  await shared().client.sandboxEndEpochs({ count: 3 });
  const { client } = shared().service;
  const readFigures = () =>
    Promise.all([
      client.get(`/api/v1/stake/summary/${walletAddress}`),
      client.get(`/api/v1/stake/rewards/${walletAddress}?epochs=30`),
      client.get(`/api/v1/alerts/${walletAddress}`),
      client.get('/api/v1/validator/alerts'),
    ]);
  // The APY changes once the tips of the last epoch are known. If that happened in the meantime, the report
  // runs again.
  let printed: string;
  let before: Awaited<ReturnType<typeof readFigures>>;
  let figures = await readFigures();
  do {
    before = figures;
    printed = await run();
    figures = await readFigures();
  } while (before[0].apy.atLeastApy !== figures[0].apy.atLeastApy);
  const [summary, rewards, alerts, validator] = figures;
  const { portfolio, apy, recommendedAction } = summary;
  assert.ok(portfolio.activeSol > 3.9 && rewards.totals.inflationSol > 0 && apy.atLeastApy > 0, printed);
  const rows = [...printed.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name, figure]) => [
    name,
    figure,
  ]);
  assert.deepEqual(rows, [
    ['Liquid', `${portfolio.liquidSol} SOL`],
    ['Staked', `${portfolio.totalStakedSol} SOL`],
    ['Active', `${portfolio.activeSol} SOL`],
    ['Activating', `${portfolio.activatingSol} SOL`],
    ['Deactivating', `${portfolio.deactivatingSol} SOL`],
    ['Can be withdrawn', `${portfolio.withdrawableSol} SOL`],
    ['Stake accounts', '1'],
    [`Accounts paid in epoch ${rewards.toEpoch}`, '1'],
    [`Rewards, epochs ${rewards.fromEpoch} to ${rewards.toEpoch}`, `${rewards.totals.inflationSol} SOL`],
    [
      'Tips in the same epochs',
      rewards.totals.tipsSol === null ? 'unknown' : `${rewards.totals.tipsSol} SOL`,
    ],
    ['Rewards not known yet', `${rewards.totals.unknownInflation}`],
    ['APY', `${apy.atLeastApy}%`],
    ['Alerts in 24 hours', `${alerts.alerts.length}`],
    ['Stakes to take back', `${alerts.rescuable.length}`],
    ['Validator alerts', `${validator.alerts.length}`],
  ]);
  assert.ok(printed.includes(`Next: ${recommendedAction.action}. ${recommendedAction.reason}`), printed);
});
