// Checks features familiar from `solana`: stored settings, ALL, address prefixes, waiting for an epoch, and a
// screen that redraws itself.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { holdfast, keypairFile, trustService } from '../cli/cli-runner.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const shared = sharedSandboxService({ before, after });

test('settings are read from options, the environment, holdfast config and solana config, in this order of precedence', async (t) => {
  const [home, wallet] = [temporaryFolder(t), keypairFile(t)];
  const environment = { HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
  const shown = async (more: Record<string, string> = {}) => {
    const { stdout } = await holdfast(['config', '--json'], { environment: { ...environment, ...more } });
    return JSON.parse(stdout) as Record<string, { value: string | null; from: string }>;
  };
  assert.deepEqual(await shown(), {
    url: { value: 'http://127.0.0.1:3000', from: 'default' },
    keypair: { value: null, from: 'not set' },
    rpc: { value: null, from: 'not set' },
  });
  mkdirSync(join(home, '.config', 'solana', 'cli'), { recursive: true });
  writeFileSync(join(home, '.config', 'solana', 'id.json'), '[]');
  assert.equal((await shown()).keypair!.from, "Solana's default");
  writeFileSync(
    join(home, '.config', 'solana', 'cli', 'config.yml'),
    `---\njson_rpc_url: "https://rpc.example"\nwebsocket_url: ''\nkeypair_path: ${wallet.path}\ncommitment: confirmed\n`,
  );
  const solana = await shown();
  assert.deepEqual(solana.keypair, { value: wallet.path, from: 'solana config' });
  assert.deepEqual(solana.rpc, { value: 'https://rpc.example', from: 'solana config' });

  const { url } = shared().service;
  const set = (...args: string[]) => holdfast(['config', ...args], { environment });
  const node = await set('set', 'rpc', 'https://user:secret@rpc.example/v2/secret?key=secret');
  assert.match(node.stdout, /^rpc +https:\/\/rpc\.example +holdfast config$/m);
  assert.doesNotMatch(node.stdout, /secret/);
  assert.deepEqual((await shown()).rpc, { value: 'https://rpc.example', from: 'holdfast config' });
  await set('unset', 'rpc');
  assert.match((await set('set', 'url', url)).stdout, new RegExp(`^url +${url} +holdfast config$`, 'm'));
  const { code, stdout } = await holdfast(['balance', '--json'], { environment });
  assert.deepEqual([code, JSON.parse(stdout).walletAddress], [0, wallet.walletAddress]);
  await set('set', 'keypair', '~/other.json');
  assert.equal((await shown()).keypair!.value, join(home, 'other.json'));
  assert.equal((await shown({ HOLDFAST_KEYPAIR: 'env.json' })).keypair!.value, 'env.json');
  await set('unset', 'keypair');
  assert.equal((await shown()).keypair!.from, 'solana config');
  for (const wrong of [
    ['set', 'url', 'ftp://x'],
    ['set', 'nothing', 'x'],
    ['set', 'url'],
    ['drop'],
    ['unset'],
  ])
    assert.equal((await set(...wrong)).code, 2, wrong.join(' '));
});

test('the amount ALL stakes, unstakes or withdraws everything, and the first characters of an address select a stake account', async (t) => {
  const { url } = shared().service;
  const wallet = keypairFile(t);
  await trustService(url);
  const given = ['--yes', '--url', url, '--keypair', wallet.path];
  const run = (...args: string[]) => holdfast([...args, ...given]);
  const done = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const stateOf = async (): Promise<string[]> =>
    ((await done('accounts')) as { accounts: { state: string }[] }).accounts.map(({ state }) => state);
  await done('airdrop', '10');
  assert.match((await run('unstake', '--amount', 'ALL')).stderr, /has no stake to unstake/);
  const dry = await run('stake', '2', '--dry-run');
  assert.match(
    dry.stdout,
    /checked on this machine: this is all it does\n! A stake of less than .* cannot be split: .*\nNothing was signed or sent\.\n$/,
  );
  assert.deepEqual([dry.code, await stateOf()], [0, []]);
  const { availableToStake } = await done('balance');
  const { stakeAccountAddress, lamports } = await done('stake', 'ALL');
  assert.equal(Number(lamports) / 1e9, availableToStake);
  assert.equal((await done('balance')).availableToStake, 0);
  assert.match((await run('stake', 'ALL')).stderr, /nothing to stake/);
  await done('epoch', '--end', '1');

  const account = String(stakeAccountAddress);
  assert.match((await run('unstake', account.slice(0, 3))).stderr, /too short/);
  assert.match((await run('unstake', 'zzzz')).stderr, /none of your stake accounts begins with zzzz/);
  await done('unstake', account.slice(0, 8));
  await done('undo', account.slice(0, 8));
  assert.deepEqual(await stateOf(), ['active']);
  await done('unstake', '--amount', 'ALL');
  assert.deepEqual(await stateOf(), ['deactivating']);
  await done('epoch', '--end', '1');
  await done('withdraw', account.slice(0, 8), 'ALL');
  assert.deepEqual(await stateOf(), []);
});

test('--wait shows the progress of the epoch and ends when the stake is active on the chain', async (t) => {
  const { url } = shared().service;
  const wallet = keypairFile(t);
  await trustService(url);
  const given = ['--yes', '--url', url, '--keypair', wallet.path];
  await holdfast(['airdrop', '10', ...given]);
  for (const isScreen of [false, true]) {
    const drawn = Promise.withResolvers<void>();
    const waiting = holdfast(['stake', '2', '--wait', ...given], {
      isScreen,
      onOut: (text) => text.includes(' left') && drawn.resolve(),
    });
    await Promise.race([drawn.promise, waiting]);
    await holdfast(['epoch', '--end', '1', ...given]);
    const { code, stdout } = await waiting;
    assert.equal(code, 0);
    const { accounts } = (await holdfast(['accounts', '--json', ...given])).json() as {
      accounts: readonly { state: string }[];
    };
    assert.ok(accounts.every(({ state }) => state === 'active'));
    assert.match(stdout, /✓ [12]\.9\d+ SOL is active\n$/);
    if (isScreen) assert.ok(stdout.includes('\r\u001b[K  epoch '));
    assert.match(stdout, /epoch \d+ {2}[█░]{24} {2}\d+%, about .* left/);
  }
});

test('watch redraws the table and indents JSON in a terminal, but not in a pipe', async (t) => {
  const { url } = shared().service;
  const wallet = keypairFile(t);
  await trustService(url);
  const given = ['--yes', '--url', url, '--keypair', wallet.path];
  const watch = async (isScreen: boolean): Promise<string> => {
    const stop = new AbortController();
    const [begun, seen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const watching = holdfast(['watch', '--interval', '1', ...given], {
      isScreen,
      signal: stop.signal,
      onOut: (text) => {
        if (text.includes('in the wallet')) begun.resolve();
        if (text.includes('+3')) seen.resolve();
      },
    });
    await begun.promise;
    await holdfast(['airdrop', '3', ...given]);
    await seen.promise;
    stop.abort(new Error('seen'));
    return (await watching).stdout;
  };
  const screen = await watch(true);
  assert.ok(screen.startsWith('\u001b[2J\u001b[H'));
  assert.match(screen, /epoch \d+ {2}[█░]{24}/);
  assert.match(screen, /\d SOL in the wallet/);
  assert.ok(!(await watch(false)).includes('\u001b'));
  const json = async (isScreen: boolean): Promise<string> =>
    (await holdfast(['balance', '--json', ...given], { isScreen })).stdout;
  assert.match(await json(true), /^\{\n {2}"/);
  assert.match(await json(false), /^\{"/);
});
