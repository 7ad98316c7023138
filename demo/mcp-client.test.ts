// Tests that the demo's MCP client reads responses in both forms, and distinguishes a tool's refusal from a
// protocol error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from './http-client.ts';
import { createMcpClient } from './mcp-client.ts';

const SSE = 'text/event-stream; charset=utf-8';

/** Creates a client whose server responds to each request with `body`. `sent` contains the requests. */
const clientOf = (body: string | object, type = 'application/json', status = 200) => {
  const sent: { headers: Headers; message: { id: number; method: string; params: { _meta: object } } }[] = [];
  const client = createMcpClient('http://127.0.0.1:3000/ignored', async (url, init) => {
    assert.equal(url.href, 'http://127.0.0.1:3000/mcp');
    sent.push({ headers: new Headers(init.headers), message: JSON.parse(String(init.body)) });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers: { 'content-type': type } });
  });
  return { client, sent };
};
const result = (content: object) => ({ jsonrpc: '2.0', id: 1, result: content });
const response = JSON.stringify(result({ structuredContent: { sol: 1 } }));
const progress = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });

test('a response is either a JSON body or the last event of a stream, after any progress events', async () => {
  for (const [body, type] of [
    [response, 'application/json; charset=utf-8'],
    [`event: message\ndata: ${response}\n\n`, SSE],
    [`: hello\n\ndata: ${progress}\n\ndata: ${progress}\n\ndata: ${response}\n\n: bye\n\n`, SSE],
    [`event: message\r\ndata: ${response}\r\n\r\n`, SSE],
  ] as const)
    assert.deepEqual(await clientOf(body, type).client.call('check_balance'), { sol: 1 }, body);
});

test('every request has its own id and also states its method in a header', async () => {
  const { client, sent } = clientOf(
    result({ tools: [{ name: 'a' }, { name: 'b' }], contents: [{ text: '{"epoch":1}' }] }),
  );
  assert.deepEqual(await client.tools(), ['a', 'b']);
  assert.deepEqual(await client.read('holdfast://epoch'), { epoch: 1 });
  assert.deepEqual(
    sent.map(({ headers, message }) => [
      message.id,
      message.method,
      headers.get('mcp-method'),
      headers.get('mcp-name'),
    ]),
    [
      [1, 'tools/list', 'tools/list', null],
      [2, 'resources/read', 'resources/read', 'holdfast://epoch'],
    ],
  );
  for (const { headers, message } of sent)
    assert.ok(JSON.stringify(message.params._meta).includes(headers.get('mcp-protocol-version')!));
});

test('refusals by a tool, refusals by the service before the tool runs, and protocol errors are distinguished', async () => {
  const refusal = { error: 'No', errorCode: 'BELOW_MINIMUM_STAKE', message: 'Too little.' };
  const call = (...given: Parameters<typeof clientOf>) => clientOf(...given).client.call('stake');
  await assert.rejects(
    call(result({ isError: true, structuredContent: refusal })),
    (error) => error instanceof Refusal && error.status === 400 && error.errorCode === 'BELOW_MINIMUM_STAKE',
  );
  await assert.rejects(
    call({ ...refusal, errorCode: 'RATE_LIMITED' }, 'application/json', 429),
    (error) => error instanceof Refusal && error.status === 429 && error.errorCode === 'RATE_LIMITED',
  );
  await assert.rejects(
    call({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }),
    (error) => !(error instanceof Refusal) && /^Error: tools\/call: Method not found$/.test(String(error)),
  );
});
