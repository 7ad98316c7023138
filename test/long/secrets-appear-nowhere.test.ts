// KEY-2: marked secret keys, and secrets in RPC URLs, never appear in logs, responses, the store or any file.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBase58Encoder } from '@solana/kit';
import { request } from 'undici';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { findLeaks, findLeaksInFolder, type Marked, spellingsOf } from '../support/leak-watch.ts';
import { type RpcTap, startRpcTap } from '../support/rpc-tap.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { settingsFor, startService, type TestService } from '../support/service-fixture.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTruthRandom } from '../support/truth-random.ts';
import { fundedWallet, newWallet, type TestWallet } from '../support/wallets.ts';

const MALFORMED = process.env.HOLDFAST_TEST_FULL ? 10_000 : 300;

const URL_MARKS = [
  'markedStakewiz',
  'markedOperator',
  'markedNotify',
  'markedJito',
  'markedDatabaseUser',
  'markedDatabasePassword',
  'markedRedis',
  'markedUser',
  'markedPassword',
  'markedPath',
  'markedQuery',
  'markedWsQuery',
];
const cleanUps: (() => unknown)[] = [];
const secrets: Marked[] = URL_MARKS.map((mark) => ({
  name: `URL part ${mark}`,
  secret: Buffer.from(mark),
}));
const responses: string[] = [];
let sandbox: Sandbox;
let tap: RpcTap;
let service: TestService;

const mark = (wallet: TestWallet, name: string): TestWallet => {
  secrets.push(
    ...spellingsOf(name, new Uint8Array(getBase58Encoder().encode(wallet.secretKey)), wallet.secretKey),
  );
  return wallet;
};

/** Sends a body unchanged. Keeps the whole response. */
const send = async (
  path: string,
  body: string,
  method = 'POST',
  type = 'application/json',
): Promise<{ status: number; text: string }> => {
  const response = await request(`${service.url}${path}`, {
    method: method as 'POST',
    headers: { 'content-type': type },
    body,
  });
  const text = await response.body.text();
  responses.push(JSON.stringify(response.headers), text);
  return { status: response.statusCode, text };
};

before(async () => {
  sandbox = await startSandbox(QUICK_SANDBOX);
  tap = await startRpcTap(sandbox.rpcUrl);
  const url = new URL(tap.url);
  const ws = new URL(sandbox.wsUrl);
  const scope = { after: (run: () => unknown) => void cleanUps.push(run) };
  service = await startService(scope, {
    ...settingsFor(sandbox),
    HOLDFAST_RPC_URL: `http://markedUser:markedPassword@${url.host}/markedPath?api-key=markedQuery`,
    HOLDFAST_WS_URL: `ws://${ws.host}/?api-key=markedWsQuery`,
    HOLDFAST_STAKEWIZ_URL: `${sandbox.stakewizUrl}?key=markedStakewiz`,
    HOLDFAST_OPERATOR_WEBHOOK_URL: 'http://127.0.0.1:9/markedOperator?key=markedOperator',
    HOLDFAST_OPERATOR_NOTIFY_URL: 'http://markedNotify:markedNotify@127.0.0.1:9/markedNotify',
    HOLDFAST_JITO_URL: 'http://markedJito:markedJito@127.0.0.1:9/markedJito',
    LOG_LEVEL: 'trace',
  });
});

/** A phrase with a valid checksum that controls no funds. */
const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

test('KEY-2 every route with a body and every tool refuse a secret key or a recovery phrase under any name, and do not echo it', async () => {
  const marked = mark(newWallet(), 'under any name');
  secrets.push({ name: 'recovery phrase', secret: Buffer.from(PHRASE) });
  const numbers = [...getBase58Encoder().encode(marked.secretKey)];
  const values = [marked.secretKey, numbers, JSON.stringify(numbers), PHRASE, PHRASE.split(' ')];
  const { paths } = JSON.parse((await send('/openapi.json', '', 'GET')).text) as {
    paths: Record<string, Record<string, { requestBody?: object }>>;
  };
  const posts = Object.entries(paths).filter(([, methods]) => methods.post?.requestBody);
  assert.ok(posts.length > 10);
  for (const [path] of posts)
    for (const value of values) {
      const body = JSON.stringify({ walletAddress: marked.walletAddress, amountSol: 1, phantomKey: value });
      const { status, text } = await send(path, body);
      assert.equal(status, 400, `${path}: ${text}`);
      assert.match(text, /phantomKey: must not contain a secret key/);
    }
  for (const value of values) {
    const call = {
      name: 'plan',
      arguments: { walletAddress: marked.walletAddress, deep: [{ seed: value }] },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    assert.match((await send('/mcp', body)).text, /seed: must not contain a secret key/);
  }
});
after(async () => {
  for (const run of cleanUps.reverse()) await run();
  await tap.close();
  await sandbox.close();
});

test('KEY-2 one-shot calls complete a staking lifecycle and are also refused', async () => {
  const wallet = mark(await fundedWallet(sandbox, 50), 'a working key');
  const outsider = mark(newWallet(), "another wallet's key");
  const { walletAddress, secretKey } = wallet;
  const post = (path: string, body: object) => send(path, JSON.stringify(body));
  const staked = await post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2, idempotencyKey: 'k' });
  assert.equal(staked.status, 200, staked.text);
  const { stakeAccountAddress } = JSON.parse(staked.text);
  assert.equal(
    (await post('/api/v1/stake', { walletAddress, secretKey, amountSol: 3, idempotencyKey: 'k' })).status,
    422,
  );
  assert.equal((await post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2_000 })).status, 400);
  assert.equal(
    (await post('/api/v1/stake', { walletAddress, secretKey: outsider.secretKey, amountSol: 2 })).status,
    400,
  );
  assert.equal(
    (await post('/api/v1/withdraw', { walletAddress, secretKey, stakeAccountAddress })).status,
    400,
  );
  assert.equal(
    (await post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress })).status,
    200,
  );
  assert.equal(
    (await post('/api/v1/withdraw', { walletAddress, secretKey, stakeAccountAddress })).status,
    200,
  );
});

test('KEY-2 secret keys are sent in the wrong places', async () => {
  const { walletAddress, secretKey } = mark(newWallet(), 'a misplaced key');
  for (const [path, body] of [
    ['/api/v1/wallet/generate', { secretKey }],
    ['/api/v1/stake/transaction', { walletAddress, amountSol: 2, secretKey }],
    ['/api/v1/transaction/submit', { signedTransaction: 'AA==', private_key: secretKey }],
    ['/api/v1/stake', { walletAddress, amountSol: 2, privateKey: secretKey }],
    ['/api/actions/stake?amountSol=2', { account: walletAddress, data: { secretKey } }],
    ['/api/actions/stake/done', { account: walletAddress, signature: 'x', secretKey }],
    [`/api/v1/stake/transaction?secretKey=${secretKey}`, { walletAddress, amountSol: 2 }],
  ] as const) {
    const { status, text } = await send(path, JSON.stringify(body));
    assert.equal(status, 400, path);
    assert.match(text, /must not contain a secret key.*exposed/, path);
  }
  await send('/api/v1/stake/transaction', JSON.stringify({ walletAddress: secretKey, amountSol: 2 }));
  await send('/api/v1/stake/transaction', JSON.stringify({ walletAddress, amountSol: secretKey }));
  await send('/api/v1/transaction/submit', JSON.stringify({ signedTransaction: secretKey }));
  await send(
    '/api/v1/stake',
    JSON.stringify({ walletAddress: secretKey, secretKey, amountSol: secretKey, [secretKey]: secretKey }),
  );
  await send('/api/v1/stake', JSON.stringify({ walletAddress, secretKey: [...secretKey], amountSol: 2 }));
  await send(
    '/api/v1/stake',
    JSON.stringify({ walletAddress, secretKey, amountSol: 2 }),
    'POST',
    'text/plain',
  );
  await send(`/api/v1/unknown/${secretKey}`, '{}');
  const inPath = await request(`${service.url}/api/v1/wallet/balance/${secretKey}?secretKey=${secretKey}`);
  // `_meta.endpoint` contains the route, never the path as sent.
  responses.push(await inPath.body.text());
});

test(`KEY-2 ${MALFORMED} malformed one-shot bodies are not echoed`, async () => {
  const { walletAddress, secretKey } = mark(newWallet(), 'a key in a malformed body');
  const { int: random } = createTruthRandom(7);
  const good = Buffer.from(
    JSON.stringify({ walletAddress, secretKey, amountSol: 2, stakeAccountAddress: walletAddress }),
  );
  const paths = ['/api/v1/stake', '/api/v1/unstake', '/api/v1/withdraw'];
  const mutate = (): string => {
    const bytes = Buffer.from(good);
    const at = random(bytes.length);
    const kind = random(5);
    if (kind === 0) return bytes.subarray(0, at).toString('latin1');
    if (kind === 1) bytes[at] = random(256);
    if (kind === 2)
      return bytes
        .toString()
        .replace(
          '"secretKey"',
          ['"secretkey"', '"SECRET_KEY"', '"privateKey"', '"\\u0073ecretKey"'][random(4)]!,
        );
    if (kind === 3)
      return `${bytes.subarray(0, at).toString('latin1')}${secretKey}${bytes.subarray(at).toString('latin1')}`;
    if (kind === 4) return `[${bytes.toString()}, ${at}`;
    return bytes.toString('latin1');
  };
  let sent = 0;
  const runner = async (): Promise<void> => {
    while (sent < MALFORMED) {
      sent += 1;
      const { status } = await send(paths[sent % 3]!, mutate());
      assert.ok(status >= 400 && status < 500, `a malformed body got status ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, runner));
});

test('KEY-2 available and unavailable providers are named without their URLs', async () => {
  for (const path of [
    '/api/v1/validator',
    '/api/v1/validator/apy',
    '/api/v1/network/peer-density',
    '/api/v1/validator/history',
  ])
    responses.push(await (await request(`${service.url}${path}`)).body.text());
});

test('KEY-2 a failed connection to the database or to Redis at startup reveals neither URL', async (t) => {
  const failing: readonly Record<string, string>[] = [
    { DATABASE_URL: 'postgres://markedDatabaseUser:markedDatabasePassword@127.0.0.1:9/markedDatabaseUser' },
  ];
  for (const settings of failing) {
    const started = spawnProcess(t, {
      file: 'src/main.ts',
      env: {
        ...settingsFor(sandbox),
        ...settings,
        PORT: '0',
        HOLDFAST_DATA_DIR: temporaryFolder(t),
        LOG_LEVEL: 'trace',
      },
    });
    assert.equal((await started.ended).code, 1);
    responses.push(started.stdout, started.stderr);
  }
  const alone = await startService(t, {
    ...settingsFor(sandbox),
    REDIS_URL: 'redis://markedRedis:markedRedis@127.0.0.1:9/0',
    LOG_LEVEL: 'trace',
  });
  const ready = await request(`${alone.url}/ready`);
  const readiness = await ready.body.text();
  assert.match(readiness, /the connection was refused/);
  await alone.process.stop();
  assert.match(alone.process.stdout, /Redis is down/);
  responses.push(readiness, alone.process.stdout, alone.process.stderr);
});

test('KEY-2 an outage reveals no URL', async () => {
  await tap.close();
  const { status } = await send(
    '/api/v1/stake/transaction',
    JSON.stringify({ walletAddress: newWallet().walletAddress, amountSol: 2 }),
  );
  assert.ok(status >= 400);
  for (const path of ['/ready', '/health', '/openapi.json', '/docs', '/']) {
    responses.push(await (await request(`${service.url}${path}`)).body.text());
  }
});

test('KEY-2 output, responses and files contain none of the secrets', async () => {
  await service.process.stop('SIGTERM');
  const { stdout, stderr } = service.process;
  assert.ok(
    stdout.length > 0 && responses.length > 100 && secrets.length > 20,
    'there must be something to search',
  );
  const leaks = [
    ...findLeaks('stdout', stdout, secrets),
    ...findLeaks('stderr', stderr, secrets),
    ...responses.flatMap((response, index) =>
      findLeaks(`response ${index}: ${response.slice(0, 200)}`, response, secrets),
    ),
    ...findLeaksInFolder(service.dataDir, secrets),
  ];
  assert.deepEqual(leaks, []);
});
