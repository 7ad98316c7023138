// Runs the command line as a separate process through a full staking lifecycle: fund, stake, earn, withdraw.
// The key never leaves the machine.
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { configFolder, holdfast, keypairFile, trustService } from './cli-runner.ts';
import { startForwardingProxy } from './forwarding-proxy.ts';

const shared = sharedSandboxService({ before, after });

const spawned = async (t: TestContext, url: string, path: string, ...args: readonly string[]) => {
  const process = spawnProcess(t, {
    file: 'cli/main.ts',
    args,
    env: { HOLDFAST_URL: url, HOLDFAST_KEYPAIR: path, XDG_CONFIG_HOME: configFolder },
  });
  const { code } = await process.ended;
  return { code, stdout: process.stdout, stderr: process.stderr };
};

const versionOf = (transaction: string): number | 'legacy' => {
  const wire = Buffer.from(transaction, 'base64');
  const first = wire[1 + 64 * wire[0]!]!;
  return first < 0x80 ? 'legacy' : first - 0x80;
};

test('a full staking lifecycle on the command line with JSON output sends no part of the key in any request', async (t) => {
  const proxy = await startForwardingProxy(t, shared().service.url);
  const wallet = keypairFile(t);
  const run = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await holdfast([
      ...args,
      '--json',
      '--yes',
      '--url',
      proxy.url,
      '--keypair',
      wallet.path,
    ]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout.trimEnd().split('\n').length, 1, 'one JSON document');
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  await run('trust');
  await run('airdrop', '10');
  assert.equal((await run('balance')).sol, 10);
  const staked = await run('stake', '2.5', '--transaction-version', '0');
  assert.equal(staked.lamports, '2500000000');
  assert.match(String(staked.idempotencyKey), /^cli-/);
  await run('epoch', '--end', '2');
  const { accounts } = (await run('accounts')) as { accounts: { state: string; sol: number }[] };
  assert.deepEqual(
    accounts.map(({ state }) => state),
    ['active'],
  );
  assert.ok(accounts[0]!.sol > 2.5, 'it earned');
  const stakeAccount = String(staked.stakeAccountAddress);
  await run('unstake', stakeAccount, '--transaction-version', 'legacy');
  await run('epoch', '--end', '1');
  const restaked = await run('restake', stakeAccount);
  assert.deepEqual([restaked.stakeAccountAddress, restaked.lamports], [stakeAccount, undefined]);
  await run('epoch', '--end', '1');
  await run('unstake', stakeAccount);
  await run('epoch', '--end', '1');
  await run('withdraw', stakeAccount);
  assert.ok(Number((await run('balance')).sol) > 9.99);
  assert.equal((await run('verify', String(staked.signature))).verified, true);
  const sent = proxy.exchanges.map((exchange) => exchange.sent).join('\n');
  assert.ok(sent.includes(wallet.walletAddress));
  const submitted = proxy.exchanges.filter(({ path }) => path.endsWith('/submit'));
  assert.deepEqual(
    submitted.map(({ sent }) => versionOf(JSON.parse(sent.split('\n').at(-1)!).signedTransaction)),
    [0, 'legacy', 'legacy', 'legacy', 'legacy'],
  );
  for (const secret of wallet.secrets) assert.ok(!sent.includes(secret));
});

test('the terminal shows the transaction to sign, the result of the local check, and the destination of the SOL', async (t) => {
  const wallet = keypairFile(t);
  const at = ['--url', shared().service.url, '--keypair', wallet.path];
  await holdfast(['airdrop', '5', ...at]);
  const { code, stdout, stderr } = await holdfast(['stake', '2', ...at], { responses: ['y'] });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Stake 2 SOL$/m);
  assert.ok(stdout.includes(wallet.walletAddress));
  assert.match(stdout, /authorities {2}only your wallet can unstake and withdraw/);
  assert.match(stdout, /checked on this machine: this is all it does/);
  assert.match(stdout, /✓ signed {5}\w{80,}/);
  assert.match(stdout, /✓ confirmed {2}https:\/\/explorer/);
  assert.match(stdout, /^ {2}Stake of 2 SOL confirmed\. It becomes active/m);
  assert.match(stdout, /^ {2}active about .*, in /m);
  assert.match(stderr, /Sign and send it\? \[y\/N\]/);
  const { stdout: table } = await holdfast(['accounts', ...at]);
  const [titles, row] = table.split('\n') as [string, string];
  assert.equal(titles.indexOf('STATE'), row.indexOf('activating'), 'columns line up with their headings');
});

test('the program prints results to stdout and a single error body to stderr, uses exit codes, and prints no colors to a pipe', async (t) => {
  const { url } = shared().service;
  const wallet = keypairFile(t);
  await shared().client.sandboxAirdrop({ walletAddress: wallet.walletAddress, amountSol: 3 });
  await trustService(url);
  const fine = await spawned(t, url, wallet.path, 'balance');
  assert.deepEqual([fine.code, fine.stderr], [0, '']);
  assert.match(fine.stdout, /^balance +3 SOL$/m);
  assert.ok(!fine.stdout.includes('\u001b'));
  const refused = await spawned(t, url, wallet.path, 'stake', '100', '--json', '--yes');
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.equal(JSON.parse(refused.stderr).errorCode, 'INSUFFICIENT_BALANCE');
  const unasked = await spawned(t, url, wallet.path, 'stake', '2');
  assert.deepEqual([unasked.code, unasked.stdout], [2, '']);
  const staked = await spawned(t, url, wallet.path, 'stake', '2', '--yes');
  assert.equal(staked.code, 0, staked.stderr);
});

test('`holdfast stake` repeated with one idempotency key creates only one stake account', async (t) => {
  const wallet = keypairFile(t);
  const at = ['--url', shared().service.url, '--keypair', wallet.path];
  await trustService(shared().service.url);
  await holdfast(['airdrop', '9', ...at]);
  const stake = (amount = '2', more: readonly string[] = ['--json', '--yes']) =>
    holdfast(['stake', amount, '--idempotency-key', 'order-1', ...at, ...more]);
  const first = await stake();
  assert.equal(first.code, 0, first.stderr);
  const again = await stake();
  assert.equal(again.code, 0, again.stderr);
  for (const member of ['signature', 'stakeAccountAddress', 'walletAddress', 'idempotencyKey'])
    assert.equal(again.json()[member], first.json()[member], member);
  const shown = await stake('2', ['--yes']);
  const { signature, message, stakeAccountAddress, explorerUrl } = first.json();
  assert.equal(
    shown.stdout,
    `✓ confirmed earlier under this idempotency key  ${signature}\n  ${message}\n  stake account ${stakeAccountAddress}\n  ${explorerUrl}\n`,
  );
  const other = await stake('3');
  assert.equal(other.code, 1);
  assert.equal(
    other.error().message,
    `The idempotency key order-1 was used for another request: stake of 2 SOL (transaction ${first.json().signature}, confirmed). Nothing was signed for the stake of 3 SOL requested now.`,
  );
  assert.doesNotMatch((await stake('3', ['--yes'])).stderr, /To continue/, 'it would be refused again');
  const elsewhere = {
    XDG_CONFIG_HOME: temporaryFolder(t),
    HOLDFAST_VOTE_ACCOUNT: String(first.json().voteAccount),
  };
  const unknown = await holdfast(['stake', '2', '--idempotency-key', 'order-1', ...at, '--json', '--yes'], {
    environment: elsewhere,
  });
  assert.equal(unknown.code, 1, 'a claim that this machine has already signed is rejected if it has not');
  const { json } = await holdfast(['accounts', ...at, '--json']);
  assert.equal((json().accounts as unknown[]).length, 1);
});

test('stake ALL and unstake ALL repeated with their idempotency keys return the first signatures, whatever the wallet has by now', async (t) => {
  const wallet = keypairFile(t);
  const at = ['--url', shared().service.url, '--keypair', wallet.path];
  await trustService(shared().service.url);
  await holdfast(['airdrop', '5', ...at]);
  const all = async (command: string) => {
    const run = await holdfast([
      command,
      'ALL',
      '--idempotency-key',
      `all-${command}`,
      ...at,
      '--json',
      '--yes',
    ]);
    assert.equal(run.code, 0, run.stderr);
    const { signature, amountSol, replayed } = run.json();
    return { signature, amountSol, replayed };
  };
  const staked = await all('stake');
  assert.equal(staked.replayed, false);
  assert.deepEqual(await all('stake'), { ...staked, replayed: true });
  await holdfast(['airdrop', '3', ...at]);
  assert.deepEqual(await all('stake'), { ...staked, replayed: true });
  const unstaked = await all('unstake');
  assert.deepEqual(await all('unstake'), { ...unstaked, replayed: true });
  await holdfast(['stake', '1.5', ...at, '--yes']);
  assert.deepEqual(await all('unstake'), { ...unstaked, replayed: true });
});

test('watch prints one line per change until it is interrupted', async (t) => {
  const wallet = keypairFile(t);
  const process = spawnProcess(t, {
    file: 'cli/main.ts',
    args: ['watch', wallet.walletAddress, '--interval', '1', '--json', '--url', shared().service.url],
  });
  await process.output(/"type":"watching"/);
  await shared().client.sandboxAirdrop({ walletAddress: wallet.walletAddress, amountSol: 4 });
  await process.output(/"type":"liquid_changed","fromSol":0,"toSol":4/);
  assert.deepEqual(await process.stop('SIGINT'), { code: 0, signal: null });
  for (const line of process.stdout.trimEnd().split('\n')) assert.ok(JSON.parse(line).observedAt);
});

test('history and portfolio commands print the history, rewards as a table and as CSV, summary, simulation, validator and epoch', async (t) => {
  const wallet = keypairFile(t);
  const at = ['--url', shared().service.url, '--keypair', wallet.path];
  const show = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await holdfast([...args, ...at]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  await show('trust', '--yes');
  await show('airdrop', '5');
  await show('stake', '2', '--yes');
  assert.match(await show('history'), /^\d{4}-\d\d-\d\d \d\d:\d\d {2}Stake 2 SOL +\d/m);
  assert.match(await show('rewards', '--epochs', '3'), /^Epochs \d+ to \d+: /m);
  assert.match(await show('rewards', '--from-epoch', '3', '--to-epoch', '4'), /^Epochs 3 to 4: /m);
  assert.match(await show('rewards', '--csv', '--epochs', '3'), /^epoch,/i);
  assert.match(await show('summary'), /^in the wallet +2\.99/m);
  assert.equal(
    (await show('simulate', '5', '--days', '30')).match(/^after 30 days +0\.\d+ SOL$/gm)?.length,
    1,
  );
  assert.match(await show('simulate', '5', '--days', '31'), /^after 31 days +0\.\d+ SOL$/m);
  assert.match(await show('validator'), /^commission +0\.00%$/m);
  assert.match(await show('epoch'), /^epoch +\d+$/m);
});

test('any operation that takes no secret key can be called by its name, with strings, numbers and exact amounts', async (t) => {
  const wallet = keypairFile(t);
  const at = ['--url', shared().service.url];
  const call = (...args: string[]) => holdfast(['call', ...args, ...at, '--json']);
  await call('sandboxAirdrop', `walletAddress=${wallet.walletAddress}`, 'amountSol=7.000000003');
  const { lamports } = (await call('balance', `walletAddress=${wallet.walletAddress}`)).json();
  assert.equal(lamports, 7_000_000_003);
  const { history } = (
    await call('walletHistory', `walletAddress=${wallet.walletAddress}`, 'limit=5')
  ).json();
  assert.deepEqual(history, []);
  assert.match(String((await call('sourceFile', 'filename=stake-verifier.ts')).json().source), /^\/\/ /);
  assert.equal((await call('walletHistory', `walletAddress=${wallet.walletAddress}`, 'limit=0')).code, 1);
  for (const args of [['stake', 'secretKey=x'], ['blance'], ['balance', 'walletAddress']])
    assert.equal((await call(...args)).code, 2, args.join(' '));
  assert.match((await holdfast(['call', 'blance', ...at])).stderr, /Did you mean balance\?/);
  assert.match((await holdfast(['call'])).stdout, /^peerDensity +GET \/api\/v1\/network\/peer-density$/m);
});

test('the command line unstakes exactly 5 SOL from 2 + 2 + 10, undoes it, merges and withdraws, each with a table of the changes', async (t) => {
  const { url } = shared().service;
  const wallet = keypairFile(t);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await holdfast([
      ...args,
      ...['--yes', '--url', url, '--keypair', wallet.path],
    ]);
    return { code, stdout, stderr };
  };
  const done = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stdout} ${stderr}`);
    return stdout;
  };
  await done('trust');
  await done('airdrop', '20');
  for (const amountSol of ['2', '2', '10']) await done('stake', amountSol);
  await done('epoch', '--end', '1');

  const unstaked = await done('unstake', '5');
  assert.match(unstaked, /^Unstake 5 SOL$/m);
  assert.match(unstaked, /^ {2}how +move stake between accounts, unstake an account$/m);
  assert.match(unstaked, /STAKE ACCOUNT +BEFORE +AFTER/);
  assert.match(unstaked, / active +\S+ deactivating$/m);
  assert.match(unstaked, /^ {2}later {2}\S+ SOL ready about .*, in \d/m);
  assert.match(await done('undo'), /^Undo unstake$/m);
  const { code, stderr } = await run('unstake', '--amount', '13.9');
  assert.notEqual(code, 0);
  assert.match(stderr, /Ask for 12\.99\d+ or 13\.99\d+ SOL\.\n {2}AMOUNT_NOT_REACHABLE/);
  await done('unstake', '--amount', '5', '--withdraw-amount');
  const more = await done('unstake', '--amount', '2');
  assert.match(more, /^ {2}deactivates +2 SOL$/m, 'in addition to the stake that is already deactivating');
  assert.match(more, /^ {2}already deactivating +5\.\d+ SOL$/m);
  assert.equal(more.match(/^ {2}later /gm)?.length, 1);
  await done('undo', '--amount', '2');
  await done('epoch', '--end', '1');
  const list = await done('accounts');
  const [, total] = /^(\S+) SOL in stake accounts$/m.exec(list)!;
  const summary = await done('summary');
  assert.ok(summary.includes(`in stake accounts  ${total} SOL`), `${summary} is not ${list}`);
  assert.match(summary, /^ {2}active +(8\.99|9\.0)\d* SOL$/m, 'inactive SOL does not count as active');
  assert.match(await done('withdraw', 'ALL'), /^Withdraw all$/m);
  await done('tidy');
  await done('sweep').catch(() => undefined);
  assert.match(await done('history'), /^\S+ \S+ {2}Undo unstake 5 SOL +\d/m);
  assert.match(await done('history'), /^\S+ \S+ {2}Merge \d → 1, withdraw /m);
  assert.match(await done('history'), /^ +unstake 5 +\w{4}…\w{4}$/m);
  assert.match(await done('history'), /^ +merge \S+ +\w{4}…\w{4} > \w{4}…\w{4}$/m);
  const { accounts } = JSON.parse(await done('accounts', '--json')) as { accounts: { state: string }[] };
  assert.deepEqual(
    accounts.map(({ state }) => state),
    ['active'],
  );
});

test('a change made of several transactions is approved once and executed in sequence', async (t) => {
  const { url } = shared().service;
  const wallet = keypairFile(t);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await holdfast([...args, '--url', url, '--keypair', wallet.path]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  await trustService(url);
  await run('airdrop', '60');
  for (let made = 0; made < 20; made += 4)
    await Promise.all(Array.from({ length: 4 }, () => run('stake', '1.5', '--yes')));
  const shown = await run('unstake', '--amount', '30', '--withdraw-amount', '--yes');
  assert.match(shown, /^ {2}transactions +2, signed and sent one after the other$/m);
  assert.equal(shown.match(/^✓ confirmed/gm)?.length, 2, shown);
  assert.equal(
    shown.match(
      /^The balances of your accounts before and after, according to the service(?: \(times in .+\))?:$/gm,
    )?.length,
    1,
  );
  const { sol } = JSON.parse(await run('balance', '--json')) as { sol: number };
  assert.ok(sol > 59.99, `${sol}`);
  assert.equal((JSON.parse(await run('accounts', '--json')) as { accounts: unknown[] }).accounts.length, 0);
});

test('unstaking or restaking one account shows its balance and state before and after, and when it is ready', async (t) => {
  const { url } = shared().service;
  const wallet = keypairFile(t);
  const done = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await holdfast([
      ...args,
      ...['--yes', '--url', url, '--keypair', wallet.path],
    ]);
    assert.equal(code, 0, `${args.join(' ')}: ${stdout} ${stderr}`);
    return stdout;
  };
  await done('trust');
  await done('airdrop', '5');
  const { stakeAccountAddress } = JSON.parse(await done('stake', '2', '--json'));
  assert.match(await done('unstake', stakeAccountAddress), / 2 activating +2 inactive$/m);
  assert.match(await done('restake', stakeAccountAddress), / 2 inactive +2 activating$/m);
  await done('epoch', '--end', '1');
  const unstaked = await done('unstake', stakeAccountAddress);
  assert.match(unstaked, / 2 active +2 deactivating$/m);
  assert.match(unstaked, /^ {2}later {2}2 SOL ready about .*, in \d/m);
});

test('all inactive stake is staked again as one account', async (t) => {
  const { url } = shared().service;
  const wallet = keypairFile(t);
  const run = async (...args: string[]): Promise<Record<string, unknown>> => {
    const given = [...args, '--json', '--yes', '--url', url, '--keypair', wallet.path];
    const { code, stdout, stderr } = await holdfast(given);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  await trustService(url);
  await run('airdrop', '10');
  for (let made = 0; made < 2; made += 1) {
    const { stakeAccountAddress } = await run('stake', '2');
    await run('unstake', String(stakeAccountAddress));
  }
  await run('restake');
  const { accounts } = (await run('accounts')) as { accounts: { state: string; stakedSol: number }[] };
  assert.deepEqual(
    accounts.map(({ state }) => state),
    ['activating'],
  );
});
