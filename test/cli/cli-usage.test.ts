// Checks that command-line mistakes and unavailable services are reported in one line with a documented exit
// code, and that help and completion cover every command.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../cli/all-commands.ts';
import { globalOptions } from '../../cli/global-options.ts';
import { createPaint, wantsColor } from '../../cli/show/terminal-colors.ts';
import { VERSION } from '../../client/version.ts';
import { json, startScriptedService } from '../client/scripted-service.ts';
import { newWallet } from '../support/wallets.ts';
import { holdfast, keypairFile } from './cli-runner.ts';

const nowhere = ['--url', 'http://127.0.0.1:1'];
const wallet = newWallet().walletAddress;

test('every usage error exits with 2 and an explanation before any request is sent', async (t) => {
  const service = await startScriptedService(t, [json(200, {})]);
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['stak', '2'], /unknown command stak\. Did you mean stake\?/],
    [['frobnicate'], /unknown command frobnicate\.\n {2}Help: holdfast help/],
    [['balance', '--jsn'], /unknown option --jsn\. Did you mean --json\?\n {2}Help: holdfast balance --help/],
    [['balance', wallet, wallet], /unexpected argument \w+; balance takes one argument$/m],
    [['stake', '2', '3'], /unexpected argument 3; stake takes one amount$/m],
    [['tidy', '3'], /unexpected argument 3; tidy takes no argument$/m],
    [['withdraw', '1', '2', '3'], /unexpected argument 3; withdraw takes at most 2 arguments$/m],
    [['balance', 'notanaddress'], /^✗ notanaddress is not a Solana address\.$/m],
    [['submit', '/dev/null'], /^✗ \/dev\/null is empty\.$/m],
    [['submit', '/nowhere/file'], /^✗ \/nowhere\/file does not exist\.$/m],
    [['show', '/nowhere/file'], /^✗ \/nowhere\/file does not exist\.$/m],
    [['policy', 'check', '/nowhere/file'], /^✗ the policy \/nowhere\/file does not exist\.$/m],
    [['stake', '1,5'], /^✗ use a decimal point: 1\.5$/m],
    [['simulate'], /the amount is missing/],
    [['stake'], /the amount is missing/],
    [['build'], /choose one of: stake, unstake, withdraw, restake, donate, nonce-create/],
    [['nonce'], /choose one of: list, create, cancel, close$/m],
    [['webhooks'], /choose one of: list, register, /],
    [['completion'], /choose one of: bash, zsh, fish$/m],
    [['keygen'], /name a file, for example: holdfast keygen wallet\.json/],
    [['sign'], /name a file, for example: holdfast sign stake\.txt/],
    [['policy'], /an argument is missing, for example: holdfast policy check agent\.policy\.json/],
    [['policy', 'check'], /name a file, for example: holdfast policy check agent\.policy\.json/],
    [['verify'], /an argument is missing, for example: holdfast verify /],
    [['simulate', '1e3'], /a number of SOL greater than 0/],
    [['simulate', '0'], /a number of SOL greater than 0/],
    [['simulate', '1', '--days', '0'], /--days must be a whole number from 1 to 3650/],
    [['simulate', '1', '--days'], /--days needs a value/],
    [['balance', '--keypair', '--json'], /--keypair needs a value/],
    [['balance', '--yes=no'], /--yes takes no value/],
    [
      ['balance', '--keypair', '/nowhere/id.json'],
      /\/nowhere\/id\.json does not exist; create it with holdfast keygen/,
    ],
    [['stake', 'two'], /the amount must be a number of SOL greater than 0/],
    [['stake', '-1'], /the amount must be greater than 0/],
    [['epoch', '--url', '127.0.0.1:3000'], /^✗ --url must begin with http:\/\/ or https:\/\/$/m],
    [['call', 'createStakeTransaction', 'wallet=x'], /has no field wallet\. Did you mean walletAddress\?/],
    [['rewards', wallet, '--csv', '--json'], /not both/],
    [['completion', 'tcsh'], /completion is for bash, zsh, fish/],
    [['help', 'stak'], /unknown command stak\. Did you mean stake\?/],
    // These mistakes are reported before the missing keypair file is.
    [['stake', '2', '--priority', 'nonsense'], /--priority is none, low, medium, high, .* not nonsense/],
    [['stake', '2', '--direct'], /stake needs a service\./],
    [['balance', wallet, '--url', 'ftp://x'], /--url must begin with/],
    [['balance', wallet, '--url', 'http://u:p@x'], /--url: baseUrl must not contain credentials/],
    [
      ['call', 'balance'],
      /balance needs walletAddress\n {2}Add walletAddress\.\n {2}Help: holdfast call --help/,
    ],
    [['verify', 'AAAA', '--offline', '--wallet', wallet], /offline, .* add --vote/],
  ];
  for (const [argv, problem] of cases) {
    const { code, stdout, stderr } = await holdfast(argv, { environment: { HOLDFAST_URL: service.url } });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    if (argv.includes('--json')) assert.match(JSON.parse(stderr).message, problem);
    else assert.match(stderr, problem);
  }
  assert.equal(service.seen.length, 0);
});

test('the retry time of a refusal is a number in JSON output and a sentence in text output', async (t) => {
  const body = { error: 'Rate limit exceeded', errorCode: 'RATE_LIMITED', message: 'Too often.' };
  const suggestedAction = 'Wait 56 s, then repeat the request.';
  const busy = await startScriptedService(t, [
    json(429, { ...body, suggestedAction }, { 'retry-after': '56' }),
  ]);
  const ended = await holdfast(['epoch', '--json', '--url', busy.url]);
  assert.deepEqual([ended.code, ended.error()], [1, { ...body, suggestedAction, retryAfterSeconds: 56 }]);
  const shown = await holdfast(['epoch', '--url', busy.url]);
  assert.match(shown.stderr, /Too often\.\n {2}Wait 56 s, then repeat the request\./);
});

test('a command exits with 3 if nothing responds and with 1 if it is refused, and --json prints the service’s own error body', async (t) => {
  const silent = await holdfast(['epoch', '--json', ...nowhere]);
  assert.deepEqual([silent.code, silent.stdout], [3, '']);
  assert.equal(silent.error().errorCode, 'NETWORK');
  const down = await holdfast(['epoch', ...nowhere]);
  assert.match(
    down.stderr,
    /No response from http:\/\/127\.0\.0\.1:1.*\n {2}Check that the service is running there/,
  );
  // This port is the local end of an open connection. Nothing listens on it, and no other test can receive it
  // in the meantime.
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(connection, 'connect');
  t.after(() => {
    connection.destroy();
    server.close();
  });
  const port = connection.localPort;
  assert.match(
    (await holdfast(['epoch', '--url', `http://127.0.0.1:${port}`])).stderr,
    new RegExp(`^✗ Nothing is responding at http://127\\.0\\.0\\.1:${port}\\.$`, 'm'),
  );
  const outsider = await startScriptedService(t, [{ status: 200, body: '<html>' }]);
  assert.equal((await holdfast(['epoch', '--url', outsider.url])).code, 3);
  const body = {
    error: 'Not found',
    errorCode: 'NOT_FOUND',
    message: 'No such thing.',
    suggestedAction: 'Look elsewhere.',
  };
  const refusing = await startScriptedService(t, [json(404, body)]);
  const refused = await holdfast(['epoch', '--json', '--url', refusing.url]);
  assert.equal(refused.code, 1);
  assert.deepEqual(refused.error(), body);
  const shown = await holdfast(['epoch', '--url', refusing.url]);
  assert.equal(shown.stderr, '✗ No such thing.\n  Look elsewhere.\n  NOT_FOUND\n');
});

test('an interrupted command exits with 130', async (t) => {
  const hanging = await startScriptedService(t, ['hang']);
  const stop = new AbortController();
  const run = holdfast(['epoch', '--url', hanging.url], { signal: stop.signal });
  await hanging.arrived(1);
  stop.abort();
  assert.equal((await run).code, 130);
});

test('the URL is taken from --url or HOLDFAST_URL, and the wallet from the argument or the keypair file', async (t) => {
  const service = await startScriptedService(t, [json(200, {})]);
  const other = await startScriptedService(t, [json(200, {})]);
  const { path, walletAddress } = keypairFile(t);
  const environment = { HOLDFAST_URL: other.url, HOLDFAST_KEYPAIR: path };
  await holdfast(['balance', '--json', '-u', service.url], { environment });
  await holdfast(['balance', wallet, '--json'], { environment });
  assert.ok(service.seen[0]!.url.endsWith(walletAddress));
  assert.ok(other.seen[0]!.url.endsWith(wallet));
});

test('options may precede or follow the command', async (t) => {
  const service = await startScriptedService(t, [json(200, { a: 1 })]);
  for (const argv of [
    ['--url', service.url, '--json', 'balance', wallet],
    ['balance', '--json', `--url=${service.url}`, wallet],
  ])
    assert.deepEqual((await holdfast(argv)).json(), { a: 1 });
});

test('every command has help text with an example that the parser accepts', async () => {
  const { stdout: general } = await holdfast(['help']);
  assert.equal((await holdfast([])).stdout, general);
  for (const command of commands) {
    assert.ok(general.includes(`  ${command.name} `), command.name);
    const { code, stdout } = await holdfast([command.name, '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /^Examples?:\n {2}holdfast /m);
    assert.equal((await holdfast(['help', command.name])).stdout, stdout);
    for (const name of [...Object.keys(command.options ?? {}), ...Object.keys(globalOptions)])
      assert.ok(stdout.includes(`--${name}`), `${command.name} --${name}`);
    assert.ok(command.examples.every((example) => example.startsWith(command.name)));
  }
});

test('the help is grouped by purpose, lists every command once, and fits the terminal', async () => {
  const { stdout } = await holdfast([], { columns: 72 });
  for (const title of ['Look', 'Change your stake', 'Sign apart', 'Notifications', 'Agents', 'Set up'])
    assert.match(stdout, new RegExp(`^${title}:$`, 'm'));
  assert.doesNotMatch(stdout, /^Other:$/m);
  for (const { name } of commands)
    assert.equal(stdout.match(new RegExp(`^ {2}${name} `, 'gm'))?.length, 1, name);
  assert.match(stdout.replaceAll(/\s+/g, ' '), /Exit codes: .* 130 interrupted/);
  for (const [columns, argv] of [
    [72, []],
    [80, ['stake', '--help']],
    [80, ['mcp', '--help']],
  ] as const) {
    const shown = (await holdfast(argv, { columns })).stdout.split('\n');
    const tooWide = shown.filter((line) => line.length > columns && !line.startsWith('  holdfast '));
    assert.deepEqual(tooWide, [], argv.join(' '));
  }
});

test('the list of operations fits 100 columns', async () => {
  const { stdout } = await holdfast(['call']);
  assert.deepEqual(
    stdout.split('\n').filter((line) => line.length > 100),
    [],
  );
  assert.match(stdout, /^walletHistory +GET .*\n {4}walletAddress /m);
});

test('colors are printed only on a terminal that supports them', () => {
  assert.equal(wantsColor(true, {}, false), true);
  assert.equal(wantsColor(false, {}, false), false);
  assert.equal(wantsColor(true, { NO_COLOR: '1' }, false), false);
  assert.equal(wantsColor(true, { TERM: 'dumb' }, false), false);
  assert.equal(wantsColor(true, {}, true), false);
  assert.equal(createPaint(true)('red', 'x'), '\u001b[31mx\u001b[39m');
  assert.equal(createPaint(false)('red', 'x'), 'x');
});

test('the command line prints the project version', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  assert.equal(VERSION, version);
  for (const argv of [['--version'], ['version']])
    assert.equal((await holdfast(argv)).stdout, `${version}\n`);
});
