// Tool calls over Streamable HTTP: exact amounts, failures an agent can act on, nothing of the insides, and the short way of kept answers.
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

    test('the operation hears that MCP asked, and for whom', async () => {
      await call('wait', '{}');
      assert.equal(mcp.seen.at(-1)?.source, 'mcp');
      assert.equal(mcp.seen.at(-1)?.client, '127.0.0.1');
    });

    test('text of outsiders arrives without control characters and without line breaks', async () => {
      const { result } = await call('wait', '{}');
      assert.equal(result.structuredContent.memo, 'abc d');
      assert.equal(result.isError, undefined);
    });

    test('a failure that the caller can act on is a result with the error body', async () => {
      const { result } = await call('wait', '{"fail":"app"}');
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent.errorCode, 'SUBMISSION_FAILED');
      assert.equal(result.structuredContent._meta.endpoint, '/wait');
      assert.equal(result._meta['holdfast/retryAfterSeconds'], 7);
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
      assert.equal(mcp.calls.at(-1), 'wait 502');
    });

    test('a failure inside is a protocol error without its words, and stands in the log', async () => {
      const answer = await callToolRaw(mcp.url, 'wait', '{"fail":"bug"}', { era });
      const text = await answer.text();
      assert.doesNotMatch(text, /inner detail|home/);
      assert.match(text, /-32603/);
      assert.match(text, /Internal error/);
      assert.match(mcp.logged(), /inner detail/);
    });

    test('an unknown tool and a wrong shape are protocol errors', async () => {
      assert.equal((await call('nothing', '{}')).error.code, -32602);
      assert.equal((await call('wait', '[]')).error.code, -32602);
    });

    test('what is no JSON is a parse error that quotes nothing', async () => {
      for (const body of [
        '{"MARKED',
        'MARKED',
        `${toolMessage(era, 'wait', '{}')}x`,
        '{"a":"\u0001MARKED"}',
      ]) {
        const answer = await postMcp(mcp.url, body, mcpHeaders(era, 'tools/call', 'wait'));
        assert.equal(answer.status, 400);
        const text = await answer.text();
        assert.equal(JSON.parse(text).error.code, -32700);
        assert.doesNotMatch(text, /MARKED/);
      }
    });

    test('a kept answer is given the short way exactly as the SDK gives it', async () => {
      const url = new URL('/cached', mcp.url);
      const rest = (await (await fetch(url)).json()) as {
        fills: number;
        _meta: { relatedEndpoints: object };
      };
      // An id of an unusual kind, or a member that the short way does not know, goes to the SDK.
      const unusual = toolMessage(era, 'get_cached', '{}', 7).replace(
        '"params":{',
        '"params":{"extra":true,',
      );
      const bySdk = await rpcResponse(
        await postMcp(mcp.url, unusual, mcpHeaders(era, 'tools/call', 'get_cached')),
      );
      const shortly = async (id: string | number) => {
        const body = toolMessage(era, 'get_cached', '{}', id);
        const answer = await postMcp(mcp.url, body, mcpHeaders(era, 'tools/call', 'get_cached'));
        assert.equal(answer.headers.get('content-type'), 'application/json');
        return answer.json() as Promise<object>;
      };
      // Twice each: parsed, then known by its bytes.
      for (const id of [7, 7, 8, 1_234_567, 'a', 'b c', 'a"b', 'é', '', 0])
        assert.deepEqual(await shortly(id), { ...bySdk, id });
      const { relatedEndpoints, ...meta } = rest._meta;
      assert.deepEqual(bySdk.result.structuredContent, {
        ...rest,
        _meta: { ...meta, relatedTools: relatedEndpoints },
      });
      assert.equal(rest.fills, 1, 'one fill serves both windows');
    });

    test('an id that stands elsewhere is never taken for that of the message', async () => {
      const nested = (inner: number, id: number): string =>
        toolMessage(era, 'get_cached', `{"id":${inner}}`, id)
          .replace(/^\{"jsonrpc":"2\.0","id":\d+,/, '{"jsonrpc":"2.0",')
          .replace(/\}$/, `,"id":${id}}`);
      for (const [inner, id] of [
        [1, 1],
        [2, 1],
        [2, 3],
      ] as const) {
        const answer = await postMcp(mcp.url, nested(inner, id), mcpHeaders(era, 'tools/call', 'get_cached'));
        assert.equal((await rpcResponse(answer)).id, id);
      }
    });
  });

test('headers that disagree with a known body are refused as the first time', async (t) => {
  const mcp = await startMcpFixture(t);
  await fetch(new URL('/cached', mcp.url));
  const body = toolMessage('modern', 'get_cached', '{}');
  const headers = mcpHeaders('modern', 'tools/call', 'get_cached');
  const ask = async (changed: Record<string, string>) =>
    (await postMcp(mcp.url, body, { ...headers, ...changed })).status;
  assert.deepEqual([await ask({}), await ask({})], [200, 200]);
  assert.equal(await ask({ 'mcp-name': 'wait' }), 400);
  assert.equal(await ask({ 'mcp-method': 'tools/list' }), 400);
  assert.equal(await ask({ 'mcp-protocol-version': '2099-01-01' }), 400);
  assert.equal(await ask({}), 200);
});

test('a batch of 2025 is answered message by message, and counted so', async (t) => {
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

test('a client that goes away is heard by the operation', async (t) => {
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

test('a call that waits tells a client that asked for progress', async (t) => {
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

test('every request carries its envelope, and is told what is missing', async (t) => {
  const mcp = await startMcpFixture(t);
  const { 'io.modelcontextprotocol/clientCapabilities': _missing, ...partial } = MCP_ENVELOPE;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_cached', arguments: {}, _meta: partial },
  });
  const answer = await postMcp(mcp.url, body, mcpHeaders('modern', 'tools/call', 'get_cached'));
  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /clientCapabilities/);
});
