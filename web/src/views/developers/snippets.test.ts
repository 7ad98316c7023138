// Tests that the lines to copy send the same request in every language, and print the promised part of the
// response.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createHoldfastClient } from '../../../../client/holdfast-client.ts';
import { holdfast } from '../../../../test/cli/cli-runner.ts';
import { listenLocally } from '../../../../test/support/local-server.ts';
import { type Language, makeSnippets, NO_WALLET } from './snippets.ts';

const walletAddress = '7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ';
const asked: object[] = [];
let refusal: object | null = null;
const server = createServer(async (request, response) => {
  const body = await text(request);
  const { method, url } = request;
  asked.push({ method, url, ...(body === '' ? {} : { body: JSON.parse(body) }) });
  response.writeHead(refusal === null ? 200 : 400, { 'content-type': 'application/json' });
  const answer = {
    estimatedEpochEnd: 'shown',
    recommendedAction: 'shown',
    projections: 'shown',
    transaction: 'shown',
  };
  response.end(JSON.stringify(refusal ?? answer));
});
const local = await listenLocally(server);
after(() => local.close());
const origin = `http://127.0.0.1:${local.port}`;

const EXPECTED: Readonly<Record<string, object>> = {
  epoch: { method: 'GET', url: '/api/v1/epoch' },
  summary: { method: 'GET', url: `/api/v1/stake/summary/${walletAddress}` },
  simulate: {
    method: 'POST',
    url: '/api/v1/stake/simulate',
    body: { amountSol: 10, durationDays: 365 },
  },
  build: { method: 'POST', url: '/api/v1/stake/transaction', body: { walletAddress, amountSol: 2 } },
};

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => (...given: unknown[]) => Promise<void>;

/**
 * Runs a module's lines in this process, with objects of the test in place of their imports. Returns the
 * printed output.
 */
const runHere = async (code: string): Promise<unknown[]> => {
  const printed: unknown[] = [];
  const lines = code.replace(/^import .*$/gm, '');
  await new AsyncFunction('console', 'createHoldfastClient', lines)(
    { log: (value: unknown) => printed.push(value) },
    createHoldfastClient,
  );
  return printed;
};
const execute = promisify(execFile);
const isThere = (program: string) =>
  execute(program, ['--version']).then(
    () => true,
    () => false,
  );

const codeOf = (key: string, language: Language, wallet: string | null = walletAddress): string =>
  makeSnippets({ origin, walletAddress: wallet }).find((snippet) => snippet.key === key)!.code[language];

beforeEach(() => {
  asked.length = 0;
  refusal = null;
});

describe('each call', () => {
  for (const [key, expected] of Object.entries(EXPECTED)) {
    it(`${key}: sends the same request in JavaScript and with the typed client, and prints it`, async () => {
      for (const language of ['javascript', 'client'] as const) {
        asked.length = 0;
        assert.deepEqual(await runHere(codeOf(key, language)), ['shown'], language);
        assert.deepEqual(asked, [expected], language);
      }
    });

    it(`${key}: is a valid command of this project’s command line`, async () => {
      const [, , program, ...args] = codeOf(key, 'cli').split(' ');
      assert.equal(program, 'holdfast');
      await holdfast([...args, '--json']);
      // The command uses the service's default duration.
      const body = { amountSol: 10 };
      assert.deepEqual(asked, [key === 'simulate' ? { ...expected, body } : expected]);
    });
  }

  it('sends the same request when pasted into a shell with curl', async (t) => {
    if (!(await isThere('curl'))) return t.skip('no curl here');
    for (const key of Object.keys(EXPECTED)) {
      const { stdout } = await execute('sh', ['-c', codeOf(key, 'curl')]);
      assert.equal(JSON.parse(stdout).transaction, 'shown');
    }
    assert.deepEqual(asked, Object.values(EXPECTED));
  });

  it('sends the same request in Python', async (t) => {
    if (!(await isThere('python3'))) return t.skip('no python3 here');
    for (const key of ['epoch', 'build'])
      assert.equal((await execute('python3', ['-c', codeOf(key, 'python')])).stdout.trim(), 'shown');
    assert.deepEqual(asked, [EXPECTED.epoch, EXPECTED.build]);
  });
});

it('a refusal ends the script with its code and its message', async () => {
  refusal = { error: 'No', errorCode: 'BELOW_MINIMUM_STAKE', message: 'Too little.' };
  await assert.rejects(runHere(codeOf('build', 'javascript')), /^Error: BELOW_MINIMUM_STAKE: Too little\.$/);
});

it('without a wallet every snippet has a placeholder, and none contains "null"', () => {
  for (const { key, code } of makeSnippets({ origin, walletAddress: null }))
    for (const [language, lines] of Object.entries(code)) {
      assert.equal(lines.includes(NO_WALLET), key === 'summary' || key === 'build', `${language} ${key}`);
      assert.doesNotMatch(lines, /null|undefined/);
    }
});
