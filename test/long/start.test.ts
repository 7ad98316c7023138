// Checks startup and shutdown: an impossible configuration is refused with a message and exit code 1, stored
// data of different chains is never mixed, and shutdowns are clean.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Refusal } from '../../demo/http-client.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { DEAD_ORIGIN } from '../support/free-port.ts';
import { QUICK_SANDBOX, sharedSandbox } from '../support/sandbox-fixture.ts';
import { settingsFor, startService } from '../support/service-fixture.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet, newWallet } from '../support/wallets.ts';

const shared = sharedSandbox({ before, after });

/** Starts the service with settings that must make startup fail. Returns its output. */
const refusedStart = async (
  t: TestContext,
  settings: Readonly<Record<string, string>>,
  dataDir = temporaryFolder(t),
): Promise<string> => {
  const service = spawnProcess(t, {
    file: 'src/main.ts',
    env: { PORT: '0', HOLDFAST_DATA_DIR: dataDir, ...settings },
  });
  const { code, signal } = await service.ended;
  assert.deepEqual([code, signal], [1, null], `${service.stdout}\n${service.stderr}`);
  assert.doesNotMatch(service.stderr, /\n\s+at /, 'no stack trace, because the operator reads this');
  assert.doesNotMatch(service.stdout, /Holdfast is ready/);
  return service.stderr;
};

describe('refuses to start with', () => {
  test('a vote account that is invalid or does not exist on the cluster', async (t) => {
    const sandbox = shared.get();
    const unknown = newWallet().walletAddress;
    const start = (voteAccount: string) =>
      refusedStart(t, { ...settingsFor(sandbox), HOLDFAST_VOTE_ACCOUNT: voteAccount });
    const [forUnknown, forWallet] = await Promise.all([start(unknown), start(sandbox.faucetAddress)]);
    assert.match(
      forUnknown,
      new RegExp(
        `HOLDFAST_VOTE_ACCOUNT ${unknown} is unknown on this cluster. Set your vote account .*not your identity`,
      ),
    );
    assert.match(forUnknown, /HOLDFAST_RPC_URL/);
    assert.match(forWallet, /is not a vote account on this cluster/);
  });

  test('a donation address that belongs to a program', async (t) => {
    const sandbox = shared.get();
    const said = await refusedStart(t, {
      ...settingsFor(sandbox),
      HOLDFAST_DONATION_ADDRESS: sandbox.voteAccount,
    });
    assert.match(
      said,
      /HOLDFAST_DONATION_ADDRESS \w+ is not a wallet: its account belongs to the program Vote1{20,}\w*\. Set it to the address of a wallet/,
    );
  });

  test('wrong values and unknown names, all listed together, and does not start a sandbox', async (t) => {
    const said = await refusedStart(t, {
      PORT: '99999',
      HOLDFAST_VOTE_ACOUNT: 'typo',
      HOLDFAST_VOTE_ACCOUNT: 'no address',
      HOLDFAST_RATE_LIMIT: 'many',
      HOLDFAST_SUBMIT: 'maybe',
      HOLDFAST_FEE_RESERVE_SOL: '-1',
    });
    for (const name of [
      'PORT',
      'HOLDFAST_VOTE_ACOUNT',
      'HOLDFAST_VOTE_ACCOUNT',
      'HOLDFAST_RATE_LIMIT',
      'HOLDFAST_SUBMIT',
      'HOLDFAST_FEE_RESERVE_SOL',
      'HOLDFAST_RPC_URL',
    ])
      assert.match(said, new RegExp(`\\b${name}\\b`), name);
  });

  test('an unknown field of the profile file is reported together with the closest known field', async (t) => {
    const profile = join(temporaryFolder(t), 'profile.json');
    writeFileSync(profile, JSON.stringify({ name: 'Aurora', websit: 'https://aurora.example', colors: {} }));
    const said = await refusedStart(t, {
      ...settingsFor(shared.get()),
      HOLDFAST_PROFILE_FILE: profile,
    });
    assert.match(
      said,
      /\(HOLDFAST_PROFILE_FILE, \/.*\/profile\.json\):\n {2}- the file: unknown field websit \(did you mean website\?\), colors; allowed fields: name, website/,
    );
  });

  test('a profile file with an invalid logo, then with an unreadable color and markup, each reported with its place and reason', async (t) => {
    const folder = temporaryFolder(t);
    const profile = join(folder, 'profile.json');
    const saidOf = (content: object): Promise<string> => {
      writeFileSync(profile, JSON.stringify(content));
      return refusedStart(t, { ...settingsFor(shared.get()), HOLDFAST_PROFILE_FILE: profile });
    };
    writeFileSync(join(folder, 'logo.png'), '<html></html>');
    assert.match(
      await saidOf({ name: 'Aurora', logo: 'logo.png' }),
      / {2}- logo: the file is not a picture \(PNG, JPEG, GIF, WebP or SVG\)/,
    );
    const said = await saidOf({ hero: '<img src=x onerror=alert(1)>', accentColor: '#777777' });
    assert.match(said, / {2}- hero: must be plain text/);
    assert.match(said, / {2}- accentColor: is not readable: #777777 .* would work/);
  });

  test('an RPC node that is down, without revealing its URL', async (t) => {
    const url = `${DEAD_ORIGIN}/secret-path?api-key=hidden`;
    const said = await refusedStart(t, { ...settingsFor(shared.get()), HOLDFAST_RPC_URL: url });
    assert.match(
      said,
      /The cluster cannot be used: None of the RPC URLs returned a genesis hash \(http:\/\/127\.0\.0\.1:\d+: connection refused\)\. Check HOLDFAST_RPC_URL: /,
    );
    assert.doesNotMatch(said, /secret-path|hidden/);
  });

  test('RPC nodes of different clusters', async (t) => {
    const other = await startSandbox(QUICK_SANDBOX);
    t.after(() => other.close());
    const said = await refusedStart(t, {
      ...settingsFor(shared.get()),
      HOLDFAST_RPC_URL: `${shared.get().rpcUrl},${other.rpcUrl}`,
      HOLDFAST_WS_URL: `${shared.get().wsUrl},${other.wsUrl}`,
    });
    assert.match(said, /different clusters/);
  });

  test('a fee reserve that would leave a wallet unable to unstake', async (t) => {
    const said = await refusedStart(t, { ...settingsFor(shared.get()), HOLDFAST_FEE_RESERVE_SOL: '0.0006' });
    // An empty account's rent is 650,240 lamports here, plus four fees of 5,000.
    assert.match(
      said,
      /HOLDFAST_FEE_RESERVE_SOL 0\.0006 is too low\. On this cluster it must be at least 0\.00067024/,
    );
  });

  test('a port in use', async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    t.after(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const said = await refusedStart(t, { ...settingsFor(shared.get()), PORT: String(port) });
    assert.match(said, new RegExp(`Port ${port} is already in use.*PORT=`));
  });

  test('a store of another cluster, another validator or another server secret, and leaves it unchanged', async (t) => {
    const sandbox = shared.get();
    const dataDir = temporaryFolder(t);
    const first = await startService(t, settingsFor(sandbox), dataDir);
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress, secretKey } = wallet;
    const request = { walletAddress, secretKey, amountSol: 2 };
    const key = { 'idempotency-key': 'kept' };
    const { signature } = await first.client.post('/api/v1/stake', request, key);
    await first.process.stop();

    const other = await startSandbox(QUICK_SANDBOX);
    t.after(() => other.close());
    assert.match(await refusedStart(t, settingsFor(other), dataDir), /belongs to another cluster/);
    const otherVote = { ...settingsFor(sandbox), HOLDFAST_VOTE_ACCOUNT: sandbox.otherVoteAccount };
    assert.match(await refusedStart(t, otherVote, dataDir), /belongs to another vote account/);
    const HOLDFAST_SERVER_SECRET = randomBytes(32).toString('hex');
    const otherSecret = { ...settingsFor(sandbox), HOLDFAST_SERVER_SECRET };
    const said = await refusedStart(t, otherSecret, dataDir);
    assert.match(
      said,
      /belongs to another server secret\. .*Set HOLDFAST_SERVER_SECRET to the secret it was created with.*server-secret/,
    );
    assert.ok(!said.includes(HOLDFAST_SERVER_SECRET));

    const again = await startService(t, settingsFor(sandbox), dataDir);
    assert.equal((await again.client.post('/api/v1/stake', request, key)).signature, signature);
  });

  test('a damaged store, instead of creating a new one', async (t) => {
    const dataDir = temporaryFolder(t);
    writeFileSync(join(dataDir, 'holdfast.db'), 'this was a database once. '.repeat(400));
    const settings = settingsFor(shared.get());
    assert.match(
      await refusedStart(t, settings, dataDir),
      /server-secret is missing, but the store was created with it/,
    );
    assert.deepEqual(readdirSync(dataDir), ['holdfast.db'], 'nothing was changed');
    const secret = randomBytes(32).toString('hex');
    const said = await refusedStart(t, { ...settings, HOLDFAST_SERVER_SECRET: secret }, dataDir);
    assert.match(said, /The store in .* cannot be used: .*not a database/);
    assert.deepEqual(readdirSync(dataDir), ['holdfast.db'], 'no operator token either');
  });

  test('an invalid data folder', async (t) => {
    const file = join(temporaryFolder(t), 'file');
    writeFileSync(file, '');
    assert.match(await refusedStart(t, settingsFor(shared.get()), file), new RegExp(file));
  });
});

test('--help prints every setting and exits immediately, whatever the configuration', async (t) => {
  const help = spawnProcess(t, {
    file: 'src/main.ts',
    args: ['--help'],
    env: { HOLDFAST_NONSENSE: '1' },
  });
  assert.deepEqual(await help.ended, { code: 0, signal: null });
  for (const name of ['PORT', 'HOLDFAST_RPC_URL', 'HOLDFAST_FEE_RESERVE_SOL', 'HOLDFAST_DATA_DIR'])
    assert.ok(help.stdout.includes(name), name);
});

test('a restart in sandbox mode archives the store of the earlier chain and says so', async (t) => {
  const dataDir = temporaryFolder(t);
  const settings = { HOLDFAST_SANDBOX_SLOT_MS: '20', HOLDFAST_SANDBOX_EPOCH_SECONDS: '0' };
  const first = await startService(t, settings, dataDir);
  assert.match(first.process.stdout, /Chain +new/);
  assert.equal((await first.client.get('/sandbox')).voteAccount.length > 30, true);
  assert.deepEqual(await first.process.stop(), { code: 0, signal: null });
  const second = await startService(t, settings, dataDir);
  await second.process.output(/its store was archived/);
  const stores = readdirSync(dataDir).filter((name) => /^holdfast\.db(\.\d.*Z)?$/.test(name));
  assert.equal(stores.length, 2, readdirSync(dataDir).join(', '));
  assert.deepEqual(await second.process.stop(), { code: 0, signal: null });
});

test('the commands printed at startup create a wallet file that only its owner can read, stake with it, and never overwrite a file', async (t) => {
  const { process: service } = await startService(t, {
    HOLDFAST_SANDBOX_SLOT_MS: '20',
    HOLDFAST_SANDBOX_EPOCH_SECONDS: '0',
  });
  const lines = [...service.stdout.matchAll(/^ {4}npm run -s holdfast -- (.+)$/gm)].map(([, line]) => line!);
  assert.equal(lines.length, 6, service.stdout);
  const cwd = temporaryFolder(t);
  // Simulates settings left by an earlier sandbox at this address, which had another chain.
  const env = { XDG_CONFIG_HOME: cwd };
  const url = /--url (\S+)/.exec(lines.join())![1]!;
  const [, voteAccount] = /Validator +(\S+)/.exec(service.stdout)!;
  const genesisHash = 'J7iypXhbBCCDSjX3LY6XGSH7R5X5XAuMGdsxibeUQosk';
  const old = { genesisHash, voteAccount, donationAddress: voteAccount, memo: 'holdfast sandbox' };
  mkdirSync(join(cwd, 'holdfast'));
  writeFileSync(
    join(cwd, 'holdfast/known-services.json'),
    JSON.stringify({ version: 1, services: { [url]: old } }),
  );
  const run = async (line: string) => {
    const file = join(import.meta.dirname, '../../cli/main.ts');
    const command = spawnProcess(t, { file, args: line.split(' '), cwd, env });
    return { ...(await command.ended), said: command.stdout + command.stderr };
  };
  for (const line of lines.slice(0, -1)) assert.equal((await run(line)).code, 0, line);
  const wallet = join(cwd, 'wallet.json');
  const text = readFileSync(wallet, 'utf8');
  assert.equal(statSync(wallet).mode & 0o777, 0o600);
  assert.equal(JSON.parse(text).length, 64);
  assert.match((await run(lines.at(-1)!)).said, /active/);
  assert.notEqual((await run(lines[0]!)).code, 0, 'a second paste');
  assert.equal(readFileSync(wallet, 'utf8'), text);
});

/** Returns the child processes of `pid`, as reported by Linux. */
const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

test('if its sandbox ends unexpectedly, the service restarts with a new one in the same process', {
  skip: process.platform !== 'linux' && 'processes are found through /proc',
}, async (t) => {
  const settings = { HOLDFAST_SANDBOX_SLOT_MS: '20', HOLDFAST_SANDBOX_EPOCH_SECONDS: '0' };
  const service = await startService(t, settings);
  const { pid } = service.process.child;
  const [sandbox] = childrenOf(pid!);
  // A sandbox that ends within its first 10 s is not restarted, because the next sandbox would probably end as
  // well.
  await delay(11_000);
  process.kill(sandbox!, 'SIGKILL');
  await service.process.output(/Restarting with a new chain/);
  const [, url] = await service.process.output(/Holdfast is ready[\s\S]*Holdfast is ready: (\S+)/);
  assert.equal((await fetch(`${url}/ready`)).status, 200);
  const [again] = childrenOf(pid!);
  assert.notEqual(again, sandbox);
  assert.deepEqual(await service.process.stop(), { code: 0, signal: null });
});

test('a sandbox that ends immediately ends the service, with code 1', {
  skip: process.platform !== 'linux' && 'processes are found through /proc',
}, async (t) => {
  const service = await startService(t, { HOLDFAST_SANDBOX_SLOT_MS: '20' });
  for (const child of childrenOf(service.process.child.pid!)) process.kill(child, 'SIGKILL');
  assert.deepEqual(await service.process.ended, { code: 1, signal: null });
  assert.match(service.process.stderr, /The sandbox exited unexpectedly, so the service is stopping/);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends the service cleanly, with exit code 0 and its port free again`, async (t) => {
    const service = await startService(t, settingsFor(shared.get()));
    await service.client.get('/health');
    assert.deepEqual(await service.process.stop(signal), { code: 0, signal: null });
    await assert.rejects(fetch(new URL('/health', service.url)), /fetch failed/);
    assert.doesNotMatch(service.process.stdout, /"level":(50|60)/, 'no errors occurred');
  });
}

test('two services on the same data folder never stake twice with one idempotency key', async (t) => {
  const sandbox = shared.get();
  const dataDir = temporaryFolder(t);
  const services = [
    await startService(t, settingsFor(sandbox), dataDir),
    await startService(t, settingsFor(sandbox), dataDir),
  ];
  const wallet = await fundedWallet(sandbox, 200);
  const { walletAddress, secretKey } = wallet;
  const keys = Array.from({ length: 5 }, (_, index) => ({ 'idempotency-key': `shared-${index}` }));
  const signatures = await Promise.all(
    keys.map(async (key) => {
      const responses = await Promise.allSettled(
        [...services, ...services].map(({ client }) =>
          client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2 }, key),
        ),
      );
      const first = responses.find((response) => response.status === 'fulfilled');
      for (const response of responses)
        assert.equal(
          response.status === 'fulfilled'
            ? response.value.signature
            : String((response.reason as Refusal).message),
          first?.value.signature,
        );
      return first!.value.signature;
    }),
  );
  assert.equal(new Set(signatures).size, keys.length);
  const { accounts, totalStakedSol } = await services[0]!.client.get(
    `/api/v1/stake/accounts/${walletAddress}`,
  );
  assert.deepEqual([accounts.length, totalStakedSol], [keys.length, 2 * keys.length]);
});
