// Tests that the demo waits for the requested time when it reaches the rate limit, retries no other failure,
// and does not wait forever.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHttpClient, Refusal } from './http-client.ts';
import { createMcpClient } from './mcp-client.ts';
import { retryingRunner } from './run-command.ts';
import { patientSend, type Send } from './send-with-rate-limit.ts';

const TOO_OFTEN = { error: 'Rate limit exceeded', errorCode: 'RATE_LIMITED', message: 'Too often.' };

/** Returns these responses in order and records the requests. */
const scripted = (...responses: (() => Response)[]) => {
  const sent: string[] = [];
  const send: Send = async (url) => {
    const response = responses[Math.min(sent.length, responses.length - 1)] as () => Response;
    sent.push(url.pathname);
    return response();
  };
  return { send, sent };
};
const tooOften = (seconds?: string) => () =>
  Response.json(TOO_OFTEN, { status: 429, headers: seconds === undefined ? {} : { 'retry-after': seconds } });
const fine = () => Response.json({ sol: 10 });

const waiting = () => {
  const waits: number[] = [];
  return {
    waits,
    wait: async (seconds: number) => {
      waits.push(seconds);
    },
  };
};

test('after a 429, the request is sent again once Retry-After has passed, and its response is returned', async () => {
  const { waits, wait } = waiting();
  const { send, sent } = scripted(tooOften('56'), tooOften('1'), fine);
  const service = createHttpClient('http://127.0.0.1:3000', patientSend(wait, send));
  assert.deepEqual(await service.get('/api/v1/epoch'), { sol: 10 });
  assert.deepEqual([waits, sent.length], [[56, 1], 3]);
});

test('a 429 without a retry time, any other refusal, and the fourth 429 in a row are passed on', async () => {
  const { waits, wait } = waiting();
  for (const [response, tries] of [
    [tooOften(), 1],
    [() => Response.json({ error: 'No' }, { status: 503, headers: { 'retry-after': '5' } }), 1],
    [tooOften('2'), 4],
  ] as const) {
    const { send, sent } = scripted(response);
    const service = createHttpClient('http://127.0.0.1:3000', patientSend(wait, send));
    await assert.rejects(service.post('/sandbox/epoch'), Refusal);
    assert.equal(sent.length, tries);
  }
  assert.deepEqual(waits, [2, 2, 2]);
});

test('calls to MCP tools wait for the rate limit in the same way', async () => {
  const { waits, wait } = waiting();
  const response = () => Response.json({ jsonrpc: '2.0', id: 1, result: { structuredContent: { sol: 1 } } });
  const { send, sent } = scripted(tooOften('7'), response);
  const agent = createMcpClient('http://127.0.0.1:3000', patientSend(wait, send));
  assert.deepEqual(await agent.call('check_balance'), { sol: 1 });
  assert.deepEqual([waits, sent], [[7], ['/mcp', '/mcp']]);
});

test('a command refused by the rate limit runs again after its wait, while other refused commands do not', async () => {
  const { waits, wait } = waiting();
  const ends = [
    { code: 1, stdout: '', stderr: JSON.stringify({ ...TOO_OFTEN, retryAfterSeconds: 9 }) },
    { code: 0, stdout: '{}', stderr: '' },
    {
      code: 1,
      stdout: '',
      stderr: JSON.stringify({ errorCode: 'EPOCH_REWARDS_ACTIVE', retryAfterSeconds: 9 }),
    },
    { code: 2, stdout: '', stderr: '✗ no such command\n' },
  ];
  const run = retryingRunner(async () => ends.shift()!, wait);
  assert.equal((await run(['balance'])).code, 0);
  assert.equal((await run(['stake', '2'])).code, 1);
  assert.equal((await run(['nonsense'])).code, 2);
  assert.deepEqual(waits, [9]);
});
