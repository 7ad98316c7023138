// Checks tool calls over Streamable HTTP: amounts are exact, agents can respond to failures, no internals leak,
// and plain calls get the same responses as from the SDK.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connectMcp } from '../support/mcp-clients.ts';
import { type McpFixture, startMcpFixture } from '../support/mcp-fixture.ts';
import {
  callToolRaw,
  MCP_ENVELOPE,
  type McpEra,
  mcpHeaders,
  postMcp,
  rpcResponse,
  toolMessage,
} from '../support/mcp-rpc.ts';
import { createManualClock } from '../support/steerable-clock.ts';

const META = 'io.modelcontextprotocol/';
const ERAS: readonly McpEra[] = ['modern', 'legacy'];

for (const era of ERAS)
  describe(`${era} requests`, () => {
    let mcp: McpFixture;
    before(async () => {
      mcp = await startMcpFixture({ after: () => {} });
    });
    after(() => mcp.close());
    const call = async (name: string, rawArguments: string) =>
      rpcResponse(await callToolRaw(mcp.url, name, rawArguments, { era }));

    test('amounts are read from the JSON text, never through a double', async () => {
      await call('wait', '{"amountSol":8999999.999999999}');
      assert.equal(mcp.seen.at(-1)?.amountLamports, 8_999_999_999_999_999n);
      const { result } = await call('wait', '{"amountSol":1.0000000001}');
      assert.equal(result.structuredContent.errorCode, 'VALIDATION_ERROR');
    });

    test('the operation receives the source MCP and the client’s address', async () => {
      await call('wait', '{}');
      assert.equal(mcp.seen.at(-1)?.source, 'mcp');
      assert.equal(mcp.seen.at(-1)?.client, '127.0.0.1');
    });

    test('text from outsiders arrives without control characters or line breaks', async () => {
      const { result } = await call('wait', '{}');
      assert.equal(result.structuredContent.memo, 'abc d');
      assert.equal(result.isError, undefined);
    });

    test('a failure that the caller can fix is returned as a result with the error body', async () => {
      const { result } = await call('wait', '{"fail":"app"}');
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent.errorCode, 'SUBMISSION_FAILED');
      assert.equal(result.structuredContent._meta.endpoint, '/wait');
      assert.equal(result._meta['holdfast/retryAfterSeconds'], 7);
      assert.ok(result.content[0].text.includes('errorCode: SUBMISSION_FAILED'));
      assert.equal(mcp.calls.at(-1), 'wait 502');
    });

    test('an internal failure becomes a protocol error without its message, which is only logged', async () => {
      const response = await callToolRaw(mcp.url, 'wait', '{"fail":"bug"}', { era });
      const text = await response.text();
      assert.doesNotMatch(text, /inner detail|home/);
      assert.match(text, /-32603/);
      assert.match(text, /Internal error/);
      assert.match(mcp.logged(), /inner detail/);
    });

    test('an unknown tool and malformed parameters are protocol errors', async () => {
      assert.equal((await call('nothing', '{}')).error.code, -32602);
      assert.equal((await call('wait', '[]')).error.code, -32602);
    });

    test('invalid JSON is a parse error that does not quote the input', async () => {
      for (const body of [
        '{"MARKED',
        'MARKED',
        `${toolMessage(era, 'wait', '{}')}x`,
        '{"a":"\u0001MARKED"}',
      ]) {
        const response = await postMcp(mcp.url, body, mcpHeaders(era, 'tools/call', 'wait'));
        assert.equal(response.status, 400);
        const text = await response.text();
        assert.equal(JSON.parse(text).error.code, -32700);
        assert.doesNotMatch(text, /MARKED/);
      }
    });

    test('a cached response equals the REST response and has the call’s id', async () => {
      const rest = (await (await fetch(new URL('/cached', mcp.url))).json()) as {
        fills: number;
        _meta: { relatedEndpoints: object };
      };
      const { relatedEndpoints, ...meta } = rest._meta;
      for (const id of [7, 1_234_567, 'a', 'b c', 'a"b', 'é', '', 0]) {
        const body = toolMessage(era, 'get_cached', '{}', id);
        const response = await rpcResponse(
          await postMcp(mcp.url, body, mcpHeaders(era, 'tools/call', 'get_cached')),
        );
        assert.equal(response.id, id);
        assert.deepEqual(response.result.structuredContent, {
          ...rest,
          _meta: { ...meta, relatedTools: relatedEndpoints },
        });
      }
      assert.equal(rest.fills, 1, 'both interfaces share one cache fill');
    });

    test('an id elsewhere in a message is never mistaken for the message’s id', async () => {
      const nested = (inner: number, id: number): string =>
        toolMessage(era, 'get_cached', `{"id":${inner}}`, id)
          .replace(/^\{"jsonrpc":"2\.0","id":\d+,/, '{"jsonrpc":"2.0",')
          .replace(/\}$/, `,"id":${id}}`);
      for (const [inner, id] of [
        [1, 1],
        [2, 1],
        [2, 3],
      ] as const) {
        const response = await postMcp(
          mcp.url,
          nested(inner, id),
          mcpHeaders(era, 'tools/call', 'get_cached'),
        );
        assert.equal((await rpcResponse(response)).id, id);
      }
    });
  });

test('a plain call gets the same response as from the SDK', async (t) => {
  const mcp = await startMcpFixture(t, { clock: createManualClock() });
  for (const [name, given] of [
    ['get_cached', '{}'],
    ['wait', '{}'],
    ['wait', '{"amountSol":1.5}'],
    ['wait', '{"fail":"app"}'],
    ['wait', '{"fail":"bug"}'],
    ['sign', '{}'],
    ['nothing', '{}'],
  ] as const) {
    const plain = toolMessage('modern', name, given, 5);
    // A message with any extra field bypasses the fast path and is handled by the SDK.
    const unusual = plain.replace('"params":{', '"params":{"extra":true,');
    const [one, other] = await Promise.all(
      [plain, unusual].map(async (body) => {
        const response = await postMcp(mcp.url, body, mcpHeaders('modern', 'tools/call', name));
        return {
          status: response.status,
          type: response.headers.get('content-type'),
          body: await response.json(),
        };
      }),
    );
    assert.deepEqual(one, other, `${name} ${given}`);
  }
});

test('a nearly plain call is refused if the protocol forbids it', async (t) => {
  const mcp = await startMcpFixture(t);
  // biome-ignore lint/suspicious/noExplicitAny: messages are changed in ways that no type allows.
  const ask = async (change: (message: any, headers: any) => void): Promise<any> => {
    const message = JSON.parse(toolMessage('modern', 'wait', '{}', 5));
    const headers = mcpHeaders('modern', 'tools/call', 'wait');
    change(message, headers);
    const response = await postMcp(mcp.url, JSON.stringify(message), headers);
    const text = await response.text();
    return text === '' ? {} : JSON.parse(text);
  };
  const envelope = (change: object) =>
    ask(({ params }) => {
      params._meta = { ...MCP_ENVELOPE, ...change };
    });
  assert.ok((await ask(() => {})).result);
  for (const [what, refused] of Object.entries({
    'another tool in the headers': ask((_message, headers) => Object.assign(headers, { 'mcp-name': 'sign' })),
    'another method in the headers': ask((_message, headers) =>
      Object.assign(headers, { 'mcp-method': 'tools/list' }),
    ),
    'another protocol in the headers': ask((_message, headers) =>
      Object.assign(headers, { 'mcp-protocol-version': '2099-01-01' }),
    ),
    'another content type': ask((_message, headers) =>
      Object.assign(headers, { 'content-type': 'text/plain' }),
    ),
    'another version of JSON-RPC': ask((message) => Object.assign(message, { jsonrpc: '1.0' })),
    'an id that is not an integer': ask((message) => Object.assign(message, { id: 1.5 })),
    'no id': ask((message) => delete message.id),
    'a name that is a number': ask(({ params }) => Object.assign(params, { name: 7 })),
    'arguments that are a list': ask(({ params }) => Object.assign(params, { arguments: [] })),
    'an envelope of another protocol': envelope({ [`${META}protocolVersion`]: '2025-11-25' }),
    'an envelope without capabilities': envelope({ [`${META}clientCapabilities`]: undefined }),
    'capabilities that are a string': envelope({ [`${META}clientCapabilities`]: 'all' }),
    'a client without a version': envelope({ [`${META}clientInfo`]: { name: 'n' } }),
  }))
    assert.equal((await refused).result, undefined, what);
  assert.equal(mcp.seen.length, 1, 'only the plain call ran');
});

test('each message in a 2025 batch gets its own response and is counted separately', async (t) => {
  const mcp = await startMcpFixture(t, { config: { rateLimit: 5 } });
  const batch = (count: number): string =>
    `[${Array.from({ length: count }, (_, at) => toolMessage('legacy', 'wait', '{}', at)).join(',')}]`;
  const headers = mcpHeaders('legacy', 'tools/call');
  const first = await postMcp(mcp.url, batch(3), headers);
  assert.equal(first.status, 200);
  assert.equal((await first.text()).match(/"result"/g)?.length, 3);
  assert.equal(first.headers.get('ratelimit')?.match(/r=(\d+)/)?.[1], '2');
  const over = await postMcp(mcp.url, batch(3), headers);
  assert.equal(over.status, 429);
  assert.equal(((await over.json()) as { errorCode: string }).errorCode, 'RATE_LIMITED');
  assert.equal(mcp.seen.length, 3);
});

test('the operation is notified when its client disconnects', async (t) => {
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const mcp = await startMcpFixture(t, { gate: { open: gate.promise, entered: entered.resolve } });
  const client = await connectMcp(t, mcp.url, '2026-07-28');
  const stop = new AbortController();
  const call = client.callTool({ name: 'wait', arguments: {} }, { signal: stop.signal });
  await entered.promise;
  const { signal } = mcp.seen[0]!;
  const heard = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  stop.abort();
  await assert.rejects(call);
  await heard;
  gate.resolve();
});

test('a waiting call sends progress to a client that requested it', async (t) => {
  const gate = Promise.withResolvers<void>();
  const mcp = await startMcpFixture(t, { gate: { open: gate.promise, entered: () => {} } });
  for (const way of ['2026-07-28', '2025', 'sse'] as const) {
    const client = await connectMcp(t, mcp.url, way);
    const progressed = await new Promise<{ progress: number; message?: string }>((resolve, reject) => {
      client.callTool({ name: 'wait', arguments: {} }, { onprogress: resolve }).catch(reject);
    });
    assert.equal(progressed.progress, 0);
    assert.match(progressed.message ?? '', /sending to the cluster/);
  }
  gate.resolve();
});

test('every request needs its envelope, and a refusal names the missing field', async (t) => {
  const mcp = await startMcpFixture(t);
  const { 'io.modelcontextprotocol/clientCapabilities': _missing, ...partial } = MCP_ENVELOPE;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_cached', arguments: {}, _meta: partial },
  });
  const response = await postMcp(mcp.url, body, mcpHeaders('modern', 'tools/call', 'get_cached'));
  assert.equal(response.status, 400);
  assert.match(await response.text(), /clientCapabilities/);
});
