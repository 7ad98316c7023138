// Sends malformed and hostile messages. They must never cause a 5xx or a crash, no response may echo a secret
// key, and the server must respond as before afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startMcpFixture } from '../support/mcp-fixture.ts';
import { callTool, MCP_ENVELOPE, mcpHeaders, postMcp, toolMessage } from '../support/mcp-rpc.ts';
import { openMcpStream } from '../support/mcp-stream.ts';
import { newWallet } from '../support/wallets.ts';

const RUNS = process.env.HOLDFAST_TEST_FULL === '1' ? 20_000 : 400;

const { secretKey } = newWallet();

const methods = fc.constantFrom(
  ...['tools/call', 'tools/list', 'resources/read', 'resources/list', 'prompts/get', 'initialize', 'ping'],
  ...['server/discover', 'subscriptions/listen', 'notifications/cancelled', 'completion/complete', '', 'x'],
  ...['logging/setLevel', 'tasks/get', 'constructor', '__proto__'],
);
const names = fc.constantFrom('get_cached', 'wait', 'sign', 'nothing', '__proto__', 'constructor', '');
const values = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    MCP_ENVELOPE,
    {},
    [],
    null,
    { secretKey },
    { amountSol: Number.MAX_VALUE },
    { fail: 'app' },
  ),
);
// Values are mostly valid, so errors occur at any depth.
const mostly = <T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: values });
const params = fc.record(
  {
    name: mostly(names),
    arguments: mostly(fc.constantFrom({}, { amountSol: 1 }, { fail: 'app' }, { secretKey })),
    _meta: mostly(fc.constantFrom(MCP_ENVELOPE, {})),
    uri: mostly(fc.constantFrom('holdfast://epoch/current', 'file:///etc/passwd')),
    requestId: values,
  },
  { requiredKeys: ['name'] },
);
const message = fc.record(
  {
    jsonrpc: mostly(fc.constant('2.0')),
    id: mostly(fc.oneof(fc.integer(), fc.string())),
    method: mostly(methods),
    params: mostly(params),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
);
/** Generates messages, batches, other JSON, and truncated or altered text. */
const bodies = fc.oneof(
  { weight: 5, arbitrary: message.map((one) => JSON.stringify(one)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }).map((batch) => JSON.stringify(batch)) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(message, fc.nat(200), fc.string({ maxLength: 3 }))
      .map(([one, at, bend]) => JSON.stringify(one).slice(0, at) + bend),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(120), fc.string({ maxLength: 2 })).map(([at, bend]) => {
      const text = toolMessage('modern', 'sign', JSON.stringify({ secretKey }));
      return text.slice(0, at) + bend + text.slice(at + 1);
    }),
  },
);
const headers = fc
  .record(
    {
      'mcp-protocol-version': fc.constantFrom('2026-07-28', '2025-11-25', '2024-11-05', '1999-01-01', 'x'),
      'mcp-method': methods,
      'mcp-name': fc.oneof(names, fc.constantFrom('=?base64?c2lnbg==?=', '=?base64?%?=')),
      accept: fc.constantFrom(
        'application/json',
        'text/event-stream',
        '*/*',
        'text/html',
        'application/json, text/event-stream',
      ),
      'mcp-session-id': fc.constantFrom('x', crypto.randomUUID()),
    },
    { requiredKeys: [] },
  )
  .map((some) => ({ ...mcpHeaders('legacy', ''), ...some }) as Record<string, string>);

// A stream that waits for changes never ends by itself.
const isEndless = (body: string): boolean => body.includes('subscriptions/listen');

test(`${RUNS} malformed requests to /mcp cause no 5xx and no key in any response or in the log`, async (t) => {
  const mcp = await startMcpFixture(t);
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(bodies, headers, async (body, sent) => {
      const answer = await postMcp(mcp.url, body, sent);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      assert.ok(answer.status < 500, `${answer.status} to ${body}`);
      if (isEndless(body) && answer.headers.get('content-type')?.startsWith('text/event-stream')) {
        await answer.body?.cancel();
        return;
      }
      const text = await answer.text();
      assert.equal(text.includes(secretKey.slice(5, 25)), false, body);
    }),
    { numRuns: RUNS },
  );
  assert.ok((statuses.get(200) ?? 0) > 5 && (statuses.get(400) ?? 0) > 5, JSON.stringify([...statuses]));
  assert.equal(mcp.logged().includes(secretKey.slice(5, 25)), false);
  assert.equal(mcp.seen.filter(({ secret }) => secret !== undefined && !secret.wiped).length, 0);
  assert.equal((await callTool(mcp.url, 'wait')).structuredContent.memo, 'abc d');
});

test(`${RUNS / 4} malformed messages to a stream cause no 5xx, and the stream still responds`, async (t) => {
  const mcp = await startMcpFixture(t, { limits: { perClient: 1, inAll: 1 } });
  const stream = await openMcpStream(t, mcp.url);
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const answer = await stream.post(body);
      assert.ok(answer.status < 500, `${answer.status} to ${body}`);
      assert.equal((await answer.text()).includes(secretKey.slice(5, 25)), false);
    }),
    { numRuns: RUNS / 4 },
  );
  const answered = stream.response(424_242);
  assert.equal((await stream.post(toolMessage('legacy', 'wait', '{}', 424_242))).status, 202);
  assert.equal((await answered).result.structuredContent.memo, 'abc d');
});
