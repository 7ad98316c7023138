// Tests that commands run as in a user's shell: against the given service, without a terminal for questions,
// and with all output returned.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { type TestContext, test } from 'node:test';
import { listenLocally } from '../test/support/local-server.ts';
import { commandRunner, retryingRunner } from './run-command.ts';

/** Starts a service that gives the same response to every request. */
const service = async (t: TestContext, status: number, answer: object) => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const local = await listenLocally(server);
  t.after(local.close);
  return { url: `http://127.0.0.1:${local.port}`, asked };
};

test('a command is sent to the given service, and its output is returned unchanged', async (t) => {
  const { url, asked } = await service(t, 200, { epoch: 797, note: '– “ünïcödé” ✓' });
  const { code, stdout, stderr } = await commandRunner(url, tmpdir())(['call', 'epoch', '--json']);
  assert.deepEqual([code, stderr, asked], [0, '', ['/api/v1/epoch']]);
  assert.deepEqual(JSON.parse(stdout), { epoch: 797, note: '– “ünïcödé” ✓' });
});

test('a refusal is a normal result with its code and message, and no exception is thrown', async (t) => {
  const { url } = await service(t, 400, { error: 'No', errorCode: 'VALIDATION_ERROR', message: 'Wrong.' });
  const run = retryingRunner(commandRunner(url, tmpdir()), () => assert.fail('nothing here requests a wait'));
  const { code, stdout, stderr } = await run(['call', 'epoch', '--json']);
  assert.deepEqual([code, stdout, JSON.parse(stderr).errorCode], [1, '', 'VALIDATION_ERROR']);
});

test('a command is repeated only if it was rate-limited with a retry time, several times if necessary', async () => {
  const limited = (more: object) => ({
    code: 1,
    stdout: '',
    stderr: JSON.stringify({ errorCode: 'RATE_LIMITED', ...more }),
  });
  for (const [ends, expected] of [
    [
      [limited({ retryAfterSeconds: 3 }), limited({ retryAfterSeconds: 1 })],
      [3, 1],
    ],
    [[limited({})], []],
    [[limited({ retryAfterSeconds: 0 })], []],
    [[{ code: null, stdout: '', stderr: '' }], []],
    [
      [{ code: 0, stdout: '', stderr: JSON.stringify({ errorCode: 'RATE_LIMITED', retryAfterSeconds: 9 }) }],
      [],
    ],
  ] as const) {
    const waits: number[] = [];
    const last = { code: 0, stdout: 'done', stderr: '' };
    const script = [...ends, last];
    const run = retryingRunner(
      async () => script.shift()!,
      async (seconds) => void waits.push(seconds),
    );
    const end = await run(['balance']);
    assert.deepEqual([waits, end], [expected, expected.length > 0 ? last : ends[0]]);
  }
});

test('if the service keeps responding with 429, the command is repeated three times before the refusal is returned', async () => {
  const refusal = { code: 1, stdout: '', stderr: '{"errorCode":"RATE_LIMITED","retryAfterSeconds":60}' };
  const waited: number[] = [];
  const end = await retryingRunner(
    async () => refusal,
    async (seconds) => void waited.push(seconds),
  )([]);
  assert.deepEqual([end, waited], [refusal, [60, 60, 60]]);
});
