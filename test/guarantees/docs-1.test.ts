// DOCS-1: every printed command works. Those of /docs and /llms-full.txt are run by the shell against the running service, the reader's own values filled in.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { operationsOf } from '../support/http-fuzz.ts';
import { schemaProblems } from '../support/json-schema-check.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';
import { CALLBACK } from '../support/webhook-calls.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read members of foreign JSON.
type Json = any;

const execute = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const shared = sharedService({ before, after });

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** What the shell prints for `command`: status and body. */
const run = async (command: string): Promise<{ status: number; body: Json; text: string }> => {
  const { stdout } = await execute('sh', ['-c', `${command} -w '\n%{http_code}'`]);
  const at = stdout.lastIndexOf('\n');
  const text = stdout.slice(0, at);
  return { status: Number(stdout.slice(at + 1)), text, body: text.startsWith('{') ? JSON.parse(text) : null };
};

// In this order: what one makes, another uses. All that are not named come first.
const LAST = [
  ...['stake', 'createStakeTransaction', 'verifyStakeTransaction', 'submitTransaction', 'transactionState'],
  ...['verifyTransaction', 'createUnstakeTransaction', 'unstake', 'createWithdrawTransaction', 'withdraw'],
  ...['registerWebhook', 'listWebhooks', 'listDeliveries', 'pingWebhook', 'replayDeliveries'],
  ...['rotateWebhookSecret', 'deleteWebhook', 'restoreWebhook'],
  ...['setStakingPolicy', 'getStakingPolicy', 'deleteStakingPolicy'],
];

describe('DOCS-1', () => {
  let document: Json;
  let pages: { readonly html: string; readonly text: string };
  let wallet: TestWallet;
  /** The reader's own values, by placeholder. */
  const own: Record<string, string> = {};

  before(async () => {
    const { service, sandbox } = shared();
    const get = async (path: string): Promise<string> => (await fetch(service.url + path)).text();
    document = JSON.parse(await get('/openapi.json'));
    pages = { html: await get('/docs'), text: await get('/llms-full.txt') };
    wallet = await fundedWallet(sandbox, 50);
    const { walletAddress, secretKey } = wallet;
    Object.assign(own, {
      WALLET_ADDRESS: walletAddress,
      ADDRESS: walletAddress,
      SECRET_KEY: secretKey,
      FROM: new Date(Date.now() - 3_600_000).toISOString(),
    });
  });

  /** By operation, from the text for models: the same are on the page for people. */
  const printed = (): ReadonlyMap<string, string> =>
    new Map(
      [...pages.text.matchAll(/\(operation `(\w+)`, \w+\)[\s\S]*?Example:\n\n```sh\n([\s\S]*?)\n```/g)].map(
        ([, name, command]) => [name!, command!],
      ),
    );

  const filled = (command: string): string =>
    command.replaceAll('https://example.com/holdfast', CALLBACK).replaceAll(/<([A-Z_]+)>/g, (_all, name) => {
      assert.ok(own[name], `the reader has a ${name}`);
      return own[name]!;
    });

  const signPolicy = async (command: string): Promise<void> => {
    own.NONCE = String(Number(own.NONCE ?? 0) + 1);
    own.SIGNATURE = '1'.repeat(64);
    const { body } = await run(filled(command));
    own.SIGNATURE = encodeBase58(wallet.sign(Buffer.from(body.textToSign)));
  };

  /** What a reader does before the command. */
  const preparations: Readonly<Record<string, (command: string) => Promise<void>>> = {
    createUnstakeTransaction: async () => void (await shared().sandbox.advanceEpochs(1)),
    createWithdrawTransaction: async () => void (await shared().sandbox.advanceEpochs(1)),
    setStakingPolicy: signPolicy,
    deleteStakingPolicy: signPolicy,
  };
  /** What a reader keeps of the answer. */
  const keep: Readonly<Record<string, (body: Json) => void>> = {
    stake: ({ stakeAccountAddress }) => {
      own.STAKE_ACCOUNT_ADDRESS = stakeAccountAddress;
    },
    createStakeTransaction: ({ transaction }) => {
      own.TRANSACTION = transaction;
      own.SIGNED_TRANSACTION = signedBy(wallet, transaction);
    },
    submitTransaction: ({ signature }) => {
      own.SIGNATURE = signature;
    },
    registerWebhook: ({ id, secret }) => Object.assign(own, { WEBHOOK_ID: id, SECRET: secret }),
    rotateWebhookSecret: ({ secret }) => {
      own.SECRET = secret;
    },
  };

  test('every operation has a command on the page for people and in the text for models, the same', () => {
    const commands = printed();
    const onPage = [...pages.html.matchAll(/<h4>Example<\/h4><pre>([\s\S]*?)<\/pre>/g)].map(([, text]) =>
      unescapeHtml(text!),
    );
    assert.deepEqual([...commands.values()].sort(), onPage.sort());
    assert.deepEqual(
      [...commands.keys()].sort(),
      operationsOf(document)
        .map(({ operationId }) => operationId)
        .sort(),
    );
  });

  test('each is run as it is printed and answered 200, as the OpenAPI document says', async (t) => {
    const commands = printed();
    const first = [...commands.keys()].filter((name) => !LAST.includes(name));
    const operations = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
    for (const name of [...first, ...LAST]) {
      const command = commands.get(name)!;
      await preparations[name]?.(command);
      const { status, body, text } = await run(filled(command));
      assert.equal(status, 200, `${name}: ${filled(command)}\n${text.slice(0, 500)}`);
      const schema = operations.get(name)!.responses['200']!;
      assert.deepEqual(schemaProblems(document, schema, body ?? text), [], name);
      keep[name]?.(body);
    }
    t.diagnostic(`${commands.size} commands`);
    assert.ok(commands.size >= 45);
  });

  test('the amounts follow the limits of the cluster: the least whole number of SOL that can be staked', async () => {
    const { minimumStakeSol } = await shared().service.client.get(
      `/api/v1/wallet/balance/${own.WALLET_ADDRESS}`,
    );
    const amount = /"amountSol":(\d+)/.exec(printed().get('stake')!)?.[1];
    assert.equal(Number(amount), Math.ceil(minimumStakeSol));
  });

  test('the commands for a shell in README and docs/ work, too', async () => {
    const files = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
    const commands = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => [
        ...readFileSync(join(root, file), 'utf8').matchAll(/^curl [\s\S]*?(?=\n```|\n\n)/gm),
      ])
      .map(([command]) => command);
    assert.ok(commands.length >= 1);
    for (const command of commands) {
      const { status, text } = await run(`SERVICE=${shared().service.url}\n${filled(command)}`);
      assert.equal(status, 200, `${command}\n${text}`);
    }
  });

  test('paths of other plugins are aliases: the same balance as balanceSol, the same readiness', async () => {
    const { client } = shared().service;
    const at = own.WALLET_ADDRESS;
    const { _meta: _one, ...balance } = await client.get(`/api/v1/wallet/balance/${at}`);
    const { _meta: _two, ...alias } = await client.get(`/api/v1/check-balance/${at}`);
    assert.deepEqual(alias, balance);
    assert.equal(typeof alias.balanceSol, 'number');
    assert.equal(alias.balanceSol, balance.sol);
    const ready = await client.get(`/api/v1/stake/accounts/${at}/withdraw-ready`);
    const readyAlias = await client.get(`/api/v1/check-withdraw-ready/${at}`);
    assert.deepEqual(Object.keys(readyAlias), Object.keys(ready));
    assert.deepEqual(
      readyAlias.accounts.map(({ address }: Json) => address),
      ready.accounts.map(({ address }: Json) => address),
    );
  });
});
