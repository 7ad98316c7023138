// Checks that the guards of the MCP paths (origin, host, rate, secret keys) enforce the same rules as those of
// REST, before any call runs.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { startMcpFixture } from '../support/mcp-fixture.ts';
import {
  callToolRaw,
  MCP_ENVELOPE,
  mcpHeaders,
  postMcp,
  rpcResponse,
  toolMessage,
} from '../support/mcp-rpc.ts';
import { openMcpStream } from '../support/mcp-stream.ts';
import { newWallet } from '../support/wallets.ts';

const { secretKey } = newWallet();
const signArguments = JSON.stringify({ secretKey });
const cachedCall = toolMessage('modern', 'get_cached', '{}');
const cachedHeaders = mcpHeaders('modern', 'tools/call', 'get_cached');

/** Sends headers that `fetch` does not allow. Returns the status and the body. */
const raw = (
  url: URL,
  method: string,
  headers: Record<string, string>,
  body = '',
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        resolve({ status: response.statusCode ?? 0, text });
        sent.destroy();
      }
    });
    sent.on('error', reject);
    sent.end(body);
  });

describe('host and origin', () => {
  const PLACES = [
    ['POST', '/mcp'],
    ['GET', '/mcp/sse'],
    ['POST', '/mcp/messages?sessionId=x'],
  ] as const;

  test('unknown hosts and pages of other origins get 403 on all three paths, and no call runs', async (t) => {
    const { url, seen } = await startMcpFixture(t, {
      config: { allowedOrigins: ['https://friend.example'] },
    });
    const body = toolMessage('modern', 'wait', '{}');
    const headers = mcpHeaders('modern', 'tools/call', 'wait');
    for (const [method, path] of PLACES) {
      const at = new URL(path, url);
      const ask = (more: Record<string, string>) =>
        raw(at, method, { ...headers, ...more }, method === 'POST' ? body : '');
      const rebound = await ask({ host: 'evil.example' });
      assert.deepEqual([rebound.status, JSON.parse(rebound.text).errorCode], [403, 'HOST_NOT_ALLOWED'], path);
      const page = await ask({ origin: 'https://evil.example' });
      assert.deepEqual([page.status, JSON.parse(page.text).errorCode], [403, 'ORIGIN_NOT_ALLOWED'], path);
      const friend = await ask({ origin: 'https://friend.example' });
      assert.notEqual(friend.status, 403, path);
    }
    assert.equal(seen.length, 1, 'only the listed page called the tool');
  });

  test('a listed page may use the headers and methods of the protocol', async (t) => {
    const { url } = await startMcpFixture(t, { config: { allowedOrigins: ['https://friend.example'] } });
    const preflight = await fetch(new URL('/mcp', url), {
      method: 'OPTIONS',
      headers: { origin: 'https://friend.example', 'access-control-request-method': 'POST' },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://friend.example');
  });
});

describe('method, type and size', () => {
  test('GET and DELETE return 405, other media types 415, more than 64 KiB 413, and no body 400', async (t) => {
    const { url } = await startMcpFixture(t);
    for (const method of ['GET', 'DELETE'])
      assert.equal((await fetch(new URL('/mcp', url), { method })).status, 405);
    assert.equal(
      (await postMcp(url, cachedCall, { ...cachedHeaders, 'content-type': 'text/plain' })).status,
      415,
    );
    const large = cachedCall.replace('"arguments":{}', `"arguments":{"a":"${'x'.repeat(65_536)}"}`);
    assert.equal((await postMcp(url, large, cachedHeaders)).status, 413);
    const chunked = new Blob([large]).stream();
    const streamed = { method: 'POST', headers: cachedHeaders, body: chunked, duplex: 'half' } as RequestInit;
    assert.equal((await fetch(new URL('/mcp', url), streamed)).status, 413);
    assert.equal((await postMcp(url, '', cachedHeaders)).status, 400);
  });

  test('HEAD does not open a stream', async (t) => {
    const { url, streams } = await startMcpFixture(t);
    assert.equal((await fetch(new URL('/mcp/sse', url), { method: 'HEAD' })).status, 200);
    assert.equal(streams(), 0);
  });
});

test('calls and REST requests share one limit, and a call above it gets a 429 with the error body', async (t) => {
  const { url, seen } = await startMcpFixture(t, { config: { rateLimit: 4 } });
  const statuses = [
    (await fetch(new URL('/cached', url))).status,
    (await postMcp(url, cachedCall, cachedHeaders)).status,
    (await callToolRaw(url, 'wait', '{}', { era: 'legacy' })).status,
    (await callToolRaw(url, 'wait', '{}')).status,
  ];
  assert.deepEqual(statuses, [200, 200, 200, 200]);
  const over = await callToolRaw(url, 'wait', '{}');
  assert.equal(over.status, 429);
  assert.ok(Number(over.headers.get('retry-after')) > 0);
  assert.match(over.headers.get('ratelimit') ?? '', /r=0/);
  assert.equal(((await over.json()) as { errorCode: string }).errorCode, 'RATE_LIMITED');
  assert.equal((await fetch(new URL('/cached', url))).status, 429);
  assert.equal(seen.length, 2);
});

describe('a secret key', () => {
  const INSECURE: Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.7' },
    { forwarded: 'for=203.0.113.7' },
  ];

  test('over an insecure connection is refused with 403 on every transport, and the tool does not run', async (t) => {
    const mcp = await startMcpFixture(t);
    for (const headers of INSECURE) {
      for (const era of ['modern', 'legacy'] as const) {
        const response = await callToolRaw(mcp.url, 'sign', signArguments, { era, headers });
        assert.equal(response.status, 403);
        const body = (await response.json()) as { errorCode: string; message: string };
        assert.equal(body.errorCode, 'INSECURE_TRANSPORT');
        assert.match(body.message, /Treat .* as exposed/);
      }
      const { post } = await openMcpStream(t, mcp.url);
      const response = await post(toolMessage('legacy', 'sign', signArguments), headers);
      assert.equal(response.status, 403);
    }
    assert.equal(mcp.seen.length, 0);
    assert.equal((await callToolRaw(mcp.url, 'wait', '{}', { headers: INSECURE[0]! })).status, 200);
  });

  test('over plain HTTP from this machine is refused unless the operator allows it', async (t) => {
    const mcp = await startMcpFixture(t, { config: { sandboxMode: false } });
    assert.equal((await callToolRaw(mcp.url, 'sign', signArguments)).status, 403);
    assert.equal(mcp.seen.length, 0);
  });

  test('is not even read if the headers announce it: a client that waits for 100 Continue never receives it', async (t) => {
    const { url } = await startMcpFixture(t, { config: { sandboxMode: false } });
    const invited = async (headers: Record<string, string>) => {
      const sent = request(new URL('/mcp', url), {
        method: 'POST',
        headers: { ...headers, expect: '100-continue', 'content-length': '10' },
        agent: false,
      });
      sent.flushHeaders();
      return new Promise<string>((resolve, reject) => {
        sent.on('continue', () => resolve('invited'));
        sent.on('response', ({ statusCode }) => resolve(String(statusCode)));
        sent.on('error', reject);
      }).finally(() => void sent.destroy());
    };
    assert.equal(await invited(mcpHeaders('modern', 'tools/call', 'sign')), '403');
    const sentinel = `=?base64?${Buffer.from('sign').toString('base64')}?=`;
    assert.equal(await invited(mcpHeaders('modern', 'tools/call', sentinel)), '403');
    assert.equal(await invited(mcpHeaders('modern', 'tools/call', 'wait')), 'invited');
  });

  test('is used and wiped, and appears in no response or log, wherever it occurs in the message', async (t) => {
    const mcp = await startMcpFixture(t);
    const { result } = await rpcResponse(await callToolRaw(mcp.url, 'sign', signArguments));
    assert.equal(result.structuredContent.keyBytes, 64);
    assert.equal(mcp.seen[0]?.secret?.wiped, true);
    const params = (rest: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sign","_meta":${JSON.stringify(MCP_ENVELOPE)},${rest}}}`;
    const key = JSON.stringify(secretKey);
    const misplaced = [
      `"arguments":{},"secretKey":${key}`,
      `"arguments":{"deep":{"secretKey":${key}}}`,
      `"arguments":{"secret_key":${key}}`,
      `"arguments":{"PrivateKey":${key}}`,
      `"arguments":{"secretKey":${key},"secretKey":${key}}`,
      `"arguments":{"secretKey":[${key}]}`,
      `"arguments":[{"secretKey":${key}}]`,
      `"arguments":{"secretKey":${key.slice(0, -3)}}`,
    ];
    for (const rest of misplaced) {
      const response = await postMcp(mcp.url, params(rest), mcpHeaders('modern', 'tools/call', 'sign'));
      const text = await response.text();
      assert.ok(response.status < 500);
      assert.match(text, /"isError":true|"error":/, rest);
      assert.equal(text.includes(secretKey.slice(5, 25)), false);
    }
    assert.equal(mcp.seen.length, 1);
    assert.equal(mcp.logged().includes(secretKey.slice(5, 25)), false);
  });

  test('sent to a tool with a cached response is refused as by every other tool', async (t) => {
    const { url } = await startMcpFixture(t);
    const filled = await rpcResponse(await callToolRaw(url, 'get_cached', '{}'));
    assert.equal(filled.result.structuredContent.fills, 1);
    const response = await callToolRaw(url, 'get_cached', JSON.stringify({ secretKey }));
    assert.equal(response.status, 400);
    assert.match(await response.text(), /must not contain a secret key/);
  });

  test('sent to a tool that takes none is refused, wiped and reported as exposed, and the tool does not run', async (t) => {
    const { url, seen } = await startMcpFixture(t);
    const stream = await openMcpStream(t, url);
    const key = JSON.stringify(secretKey);
    for (const given of [
      `{"secretKey":${key}}`,
      `{"private_key":${key}}`,
      `{"deep":[{"keypair":[1,2]}]}`,
      `{"wallet":{"secretKey":${key}}}`,
    ])
      for (const response of [
        await callToolRaw(url, 'wait', given),
        await stream.post(toolMessage('legacy', 'wait', given, 1)),
      ]) {
        const text = await response.text();
        assert.equal(response.status, 400, text);
        const { error, id } = JSON.parse(text) as { id: unknown; error: { code: number; message: string } };
        assert.deepEqual([error.code, id], [-32602, 1]);
        assert.match(error.message, /must not contain a secret key.*exposed.*new wallet/);
        assert.equal(text.includes(secretKey.slice(5, 25)), false);
      }
    assert.equal(seen.length, 0);
  });

  test('a refusal of a foreign host contains the path in _meta', async (t) => {
    const { url } = await startMcpFixture(t);
    const response = await raw(new URL('/mcp', url), 'POST', { host: 'foreign.example' }, '{}');
    const { _meta, errorCode } = JSON.parse(response.text) as {
      errorCode: string;
      _meta: { endpoint: string };
    };
    assert.deepEqual([response.status, errorCode, _meta.endpoint], [403, 'HOST_NOT_ALLOWED', '/mcp']);
  });

  test('in a batch is refused, because a batch may contain only calls without a key', async (t) => {
    const { url, seen } = await startMcpFixture(t);
    const batch = `[${toolMessage('legacy', 'wait', '{}', 1)},${toolMessage('legacy', 'sign', signArguments, 2)}]`;
    const response = await postMcp(url, batch, mcpHeaders('legacy', 'tools/call'));
    assert.equal(response.status, 400);
    assert.match(await response.text(), /must be sent on its own/);
    assert.equal(seen.length, 0);
  });
});
