// Tests running a command line, from arguments to the exit code: sources of settings, output of failures, and
// bugs, which must not look like refusals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineClock } from '../client/client-clock.ts';
import { HoldfastError } from '../client/holdfast-error.ts';
import { CALL_ABORTED } from '../client/send-call.ts';
import { Declined } from '../client/staking/staking-errors.ts';
import { keypairFile } from '../test/cli/cli-runner.ts';
import { json, type ScriptedResponse, startScriptedService } from '../test/client/scripted-service.ts';
import { createManualClock } from '../test/support/steerable-clock.ts';
import type { Command, CommandCall } from './command.ts';
import { printDocument, printResponse } from './command.ts';
import { runCli } from './run-cli.ts';
import type { Terminal } from './show/terminal.ts';
import { UsageError } from './usage-error.ts';

const terminalOf = (environment: Terminal['environment'] = {}) => {
  const printed = { out: '', err: '' };
  const terminal: Terminal = {
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    environment,
    isScreen: false,
    columns: 80,
    canAsk: false,
    paintOut: (_tone, text) => text,
    paintErr: (tone, text) => `<${tone} ${text}>`,
    ask: () => assert.fail('there is no user to ask'),
    clock: machineClock,
  };
  return { terminal, printed };
};
/** Runs a command whose `run` is `act`. */
const run = async (
  argv: readonly string[],
  act: (call: CommandCall) => Promise<'ok' | 'refused'>,
  environment: Terminal['environment'] = {},
) => {
  const { terminal, printed } = terminalOf(environment);
  const command: Command = {
    name: 'act',
    summary: 'Act',
    usage: '[wallet]',
    takes: [0, 1],
    examples: ['act'],
    run: act,
  };
  const code = await runCli(argv, [command], terminal, new AbortController().signal);
  return { code, ...printed };
};
const failing = (error: unknown) => () => Promise.reject(error);

test('a successful command exits with 0, and a command with a negative result with 1, both without further output', async () => {
  assert.deepEqual(await run(['act'], async () => 'ok'), { code: 0, out: '', err: '' });
  assert.deepEqual(await run(['act'], async () => 'refused'), { code: 1, out: '', err: '' });
});

test('a failure is printed on stderr: as text with a hint, or as one JSON document', async () => {
  const mistake = failing(new UsageError('name the thing'));
  assert.deepEqual(await run(['act'], mistake), {
    code: 2,
    out: '',
    err: '<red ✗> name the thing\n  Help: holdfast act --help\n',
  });
  const { err, code } = await run(['act', '--json'], mistake);
  assert.deepEqual(
    [code, JSON.parse(err)],
    [2, { error: 'Usage', errorCode: 'USAGE', message: 'name the thing' }],
  );
  const elsewhere = failing(new UsageError('name the thing', 'other'));
  assert.match((await run(['act'], elsewhere)).err, /holdfast other --help/);
  assert.equal(
    (await run(['act'], failing(new Declined('No.', {} as never)))).err,
    '<red ✗> No.\n<dim   DECLINED>\n',
  );
});

test('Ctrl-C at a prompt exits as an interruption; a bug at a prompt is still reported as a bug', async () => {
  const { terminal, printed } = terminalOf();
  const stop = new AbortController();
  const asking = (error: () => unknown): Command => ({
    name: 'act',
    summary: 'Act',
    usage: '',
    takes: [0, 0],
    examples: ['act'],
    run: async () => {
      stop.abort(new Error('interrupted'));
      throw error();
    },
  });
  // `readline` and an aborted wait reject with these errors.
  for (const error of [() => new DOMException('aborted', 'AbortError'), () => stop.signal.reason])
    assert.equal(await runCli(['act', '--json'], [asking(error)], terminal, stop.signal), 130);
  assert.equal(JSON.parse(printed.err.split('\n')[0]!).errorCode, 'ABORTED');
  const called = (idempotencyKey?: string) =>
    asking(
      () =>
        new HoldfastError({ errorCode: 'ABORTED', operation: 'x', message: CALL_ABORTED, idempotencyKey }),
    );
  printed.err = '';
  await runCli(['act'], [called()], terminal, stop.signal);
  await runCli(['act'], [called('k')], terminal, stop.signal);
  assert.equal(printed.err, `<red ✗> Interrupted.\n<red ✗> ${CALL_ABORTED}\n`);
  const bug = asking(() => new TypeError('bug'));
  await assert.rejects(runCli(['act'], [bug], terminal, stop.signal), TypeError);
});

test('a bug prints its stack trace, even with --json', async () => {
  for (const argv of [['act'], ['act', '--json']])
    await assert.rejects(run(argv, failing(new TypeError('bug'))), TypeError);
});

test('--url overrides HOLDFAST_URL, an empty URL counts as absent, and the error for an invalid URL does not repeat it', async () => {
  const urlOf = async (argv: readonly string[], environment: Terminal['environment'] = {}) => {
    let url = '';
    const look = async ({ client }: CommandCall) => {
      url = client.baseUrl;
      return 'ok' as const;
    };
    await run(['act', ...argv], look, environment);
    return url;
  };
  const environment = { HOLDFAST_URL: 'http://env.example' };
  assert.equal(await urlOf(['-u', 'http://arg.example/a/'], environment), 'http://arg.example/a');
  assert.equal(await urlOf([], environment), 'http://env.example');
  assert.equal(await urlOf([], { HOLDFAST_URL: '' }), 'http://127.0.0.1:3000');
  for (const url of ['https://u:hunter2@x.example', 'https://x.example/?key=hunter2', 'hunter2']) {
    const { code, err } = await run(['act', '--url', url], async () => assert.fail('it ran'));
    assert.equal(code, 2);
    assert.match(err, /--url(: baseUrl| must begin with) /);
    assert.doesNotMatch(err, /hunter2/);
  }
});

test('a wait for a retry is shown with its cause, except with --json', async (t) => {
  for (const [argv, status, errorCode, shown] of [
    [['act'], 429, 'RATE_LIMITED', '  The service limits requests, trying again in 12 s\n'],
    [['act'], 502, 'UPSTREAM_UNAVAILABLE', '  M. Trying again in 12 s\n'],
    [['act', '--json'], 429, 'RATE_LIMITED', ''],
  ] as const) {
    const limited: ScriptedResponse = {
      status,
      headers: { 'content-type': 'application/json', 'retry-after': '11' },
      body: JSON.stringify({ error: 'E', errorCode, message: 'M.' }),
    };
    const service = await startScriptedService(t, [limited, json(200, { status: 'ok', _meta: {} })]);
    const { terminal, printed } = terminalOf({ HOLDFAST_URL: service.url });
    const clock = createManualClock();
    const command: Command = {
      name: 'act',
      summary: 'Act',
      usage: '',
      takes: [0, 0],
      examples: ['act'],
      run: async ({ client }) => {
        await client.health();
        return 'ok';
      },
    };
    const run = runCli(argv, [command], { ...terminal, clock }, new AbortController().signal);
    await service.arrived(1);
    // The timer of the attempt ends with the response. After that only the wait remains.
    while (!clock.due().some((ms) => ms < 12_000)) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(printed.err, shown);
    clock.advance(12_000);
    assert.equal(await run, 0);
  }
});

test('on a terminal, a service that does not respond is named after four seconds, except with --json', async (t) => {
  for (const [argv, canAsk, isShown] of [
    [['act'], true, true],
    [['act'], false, false],
    [['act', '--json'], true, false],
  ] as const) {
    const service = await startScriptedService(t, ['hang']);
    const { terminal, printed } = terminalOf({ HOLDFAST_URL: service.url });
    const clock = createManualClock();
    const stop = new AbortController();
    const command: Command = {
      name: 'act',
      summary: 'Act',
      usage: '',
      takes: [0, 0],
      examples: ['act'],
      run: async ({ client, signal }) => {
        await client.health({}, { signal });
        return 'ok';
      },
    };
    const run = runCli(argv, [command], { ...terminal, clock, canAsk }, stop.signal);
    await service.arrived(1);
    clock.advance(4_000);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(
      printed.err,
      isShown ? `  Waiting for ${service.url} to respond, for 26 s at most\n` : '',
      argv.join(' '),
    );
    stop.abort();
    assert.equal(await run, 130);
  }
});

test('the wallet comes from the argument, --keypair or HOLDFAST_KEYPAIR, in this order of precedence', async (t) => {
  const [one, other] = [keypairFile(t), keypairFile(t)];
  const environment = { HOLDFAST_KEYPAIR: other.path };
  const walletOf = async (argv: readonly string[]) => {
    let wallet = '';
    const look = async (call: CommandCall) => {
      wallet = call.walletAddress(call.args[0]);
      return 'ok' as const;
    };
    await run(['act', ...argv], look, environment);
    return wallet;
  };
  const { walletAddress } = keypairFile(t);
  assert.equal(await walletOf([walletAddress, '-k', '/nowhere']), walletAddress, 'and no file is read');
  assert.equal(await walletOf(['-k', one.path]), one.walletAddress);
  assert.equal(await walletOf([]), other.walletAddress);
});

test('--help prints the help without running the command, with exit code 0', async () => {
  for (const argv of [['act', '--help'], ['act', 'a', 'b', '-h'], ['--help'], []]) {
    const { code, out, err } = await run(argv, async () => assert.fail('it ran'));
    assert.deepEqual([code, err], [0, ''], argv.join(' '));
    assert.match(out, /^Usage: holdfast /m);
  }
});

test('with --json, the response is printed byte for byte; otherwise it is formatted without losing a digit of a lamport amount', () => {
  const { terminal, printed } = terminalOf();
  const sent = { text: '{"lamports":9007199254740993}', body: { lamports: 9_007_199_254_740_992 } };
  printResponse({ json: true, terminal }, sent, () => assert.fail('it was shown'));
  printResponse({ json: false, terminal }, sent, () => ['a', 'b']);
  printDocument({ json: true, terminal }, { lamports: 9_007_199_254_740_993n, at: [1n] }, () => []);
  printDocument({ json: false, terminal }, {}, () => ['c']);
  assert.equal(printed.out, `${sent.text}\na\nb\n{"lamports":"9007199254740993","at":["1"]}\nc\n`);
});
