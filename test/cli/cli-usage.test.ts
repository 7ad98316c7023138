// Checks that command line mistakes and unavailable services are reported in one line, with exit codes for
// scripts, and that help and completion cover every command.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../cli/all-commands.ts';
import { globalOptions } from '../../cli/global-options.ts';
import { createPaint, wantsColour } from '../../cli/show/style.ts';
import { VERSION } from '../../client/version.ts';
import { json, startScriptedService } from '../client/scripted-service.ts';
import { newWallet } from '../support/wallets.ts';
import { holdfast, keypairFile } from './cli-runner.ts';

const nowhere = ['--url', 'http://127.0.0.1:1'];
const wallet = newWallet().walletAddress;

test('every mistake exits with 2 and an explanation before any request', async (t) => {
  const service = await startScriptedService(t, [json(200, {})]);
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['stak', '2'], /unknown command stak\. Did you mean stake\?/],
    [['frobnicate'], /unknown command frobnicate\.\n {2}holdfast help/],
    [['balance', '--jsn'], /unknown option --jsn\. Did you mean --json\?\n {2}holdfast balance --help/],
    [['balance', wallet, wallet], /what is \w+\?/],
    [['simulate'], /the amount is missing/],
    [['stake'], /the amount is missing/],
    [['simulate', '1e3'], /an amount of SOL greater than 0/],
    [['simulate', '0'], /an amount of SOL greater than 0/],
    [['simulate', '1', '--days', '0'], /--days must be a whole number from 1 to 3650/],
    [['simulate', '1', '--days'], /--days needs a value/],
    [['balance', '--keypair', '--json'], /--keypair needs a value/],
    [['balance', '--yes=no'], /--yes takes no value/],
    [['balance', '--keypair', '/nowhere/id.json'], /ENOENT/],
    [['rewards', wallet, '--csv', '--json'], /not both/],
    [['completion', 'tcsh'], /completion is for bash, zsh, fish/],
    [['help', 'stak'], /unknown command stak\. Did you mean stake\?/],
    // Before the missing keypair file.
    [['stake', '2', '--priority', 'nonsense'], /--priority is none, low, medium, high, .* not nonsense/],
    [['stake', '2', '--direct'], /stake needs a service\./],
    [['balance', wallet, '--url', 'ftp://x'], /--url: /],
    [['call', 'balance'], /balance needs walletAddress\n {2}holdfast call --help/],
    [['verify', 'AAAA', '--offline', '--wallet', wallet], /--offline requires --vote/],
  ];
  for (const [argv, problem] of cases) {
    const { code, stdout, stderr } = await holdfast(argv, { environment: { HOLDFAST_URL: service.url } });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    if (argv.includes('--json')) assert.match(JSON.parse(stderr).message, problem);
    else assert.match(stderr, problem);
  }
  assert.equal(service.seen.length, 0);
});

test('a refusal gives its retry time to programs as a number and to users as text', async (t) => {
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

test('no response exits with 3, a refusal with 1, and programs get the service’s own error body', async (t) => {
  const silent = await holdfast(['epoch', '--json', ...nowhere]);
  assert.deepEqual([silent.code, silent.stdout], [3, '']);
  assert.equal(silent.error().errorCode, 'NETWORK');
  const down = await holdfast(['epoch', ...nowhere]);
  assert.match(
    down.stderr,
    /No response from http:\/\/127\.0\.0\.1:1.*\n {2}Check that the service is running there/,
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

test('an interrupt exits with 130', async (t) => {
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

test('colors only on a terminal that supports them', () => {
  assert.equal(wantsColour(true, {}, false), true);
  assert.equal(wantsColour(false, {}, false), false);
  assert.equal(wantsColour(true, { NO_COLOR: '1' }, false), false);
  assert.equal(wantsColour(true, { TERM: 'dumb' }, false), false);
  assert.equal(wantsColour(true, {}, true), false);
  assert.equal(createPaint(true)('red', 'x'), '\u001b[31mx\u001b[39m');
  assert.equal(createPaint(false)('red', 'x'), 'x');
});

test('the version is that of the project', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  assert.equal(VERSION, version);
  for (const argv of [['--version'], ['version']])
    assert.equal((await holdfast(argv)).stdout, `${version}\n`);
});
