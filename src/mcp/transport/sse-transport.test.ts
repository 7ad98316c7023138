// Tests changes while a message is in transit: the stream ends or fills up, the service stops, or the caller
// cancels the call.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { startMcpFixture } from '../../../test/support/mcp-fixture.ts';
import { toolMessage } from '../../../test/support/mcp-rpc.ts';
import { openMcpStream } from '../../../test/support/mcp-stream.ts';
import { patience } from '../../../test/support/patience.ts';

const wait = (id: number): string => toolMessage('legacy', 'wait', '{}', id);
const resource = (id: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'resources/read',
    params: { uri: 'holdfast://epoch/current' },
  });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Sends the headers of a message, which the service accepts with 100 Continue. `send` then sends the body and
 * returns the response.
 */
const begin = async (t: TestContext, endpoint: URL, message: string) => {
  const sent = request(endpoint, {
    method: 'POST',
    agent: false,
    signal: patience(),
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(message),
      expect: '100-continue',
    },
  });
  t.after(() => void sent.destroy());
  sent.flushHeaders();
  await once(sent, 'continue');
  return async (): Promise<{ status: number | undefined; code: string }> => {
    sent.end(message);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const body = JSON.parse(Buffer.concat(await answer.toArray()).toString()) as { errorCode: string };
    return { status: answer.statusCode, code: body.errorCode };
  };
};

test('a message whose stream ends while its body is in transit is not executed', async (t) => {
  const mcp = await startMcpFixture(t);
  const stream = await openMcpStream(t, mcp.url);
  const send = await begin(t, stream.endpoint, wait(1));
  stream.drop();
  while (mcp.streams() > 0) await turn();
  assert.deepEqual(await send(), { status: 404, code: 'NOT_FOUND' });
  assert.equal(mcp.seen.length, 0);
});

test('a message whose body arrives after shutdown began is refused, because no stream could carry the response', async (t) => {
  const mcp = await startMcpFixture(t);
  const stream = await openMcpStream(t, mcp.url);
  const send = await begin(t, stream.endpoint, wait(1));
  const closed = mcp.close();
  await stream.ended;
  assert.deepEqual(await send(), { status: 503, code: 'SHUTTING_DOWN' });
  await closed;
  assert.equal(mcp.seen.length, 0);
});

test('a stream that fills up while a body is in transit accepts no further call', async (t) => {
  const gate = Promise.withResolvers<void>();
  const mcp = await startMcpFixture(t, { gate: { open: gate.promise, entered: () => {} } });
  const { endpoint, post } = await openMcpStream(t, mcp.url);
  const send = await begin(t, endpoint, wait(32));
  for (let id = 0; id < 32; id += 1) assert.equal((await post(wait(id))).status, 202);
  assert.deepEqual(await send(), { status: 429, code: 'RATE_LIMITED' });
  gate.resolve();
});

test('a canceled resource read frees its slot although it never gets a response', async (t) => {
  const mcp = await startMcpFixture(t);
  const position = Promise.withResolvers<never>();
  const cluster = { epochPosition: () => position.promise, blockhash: () => position.promise };
  Object.assign(mcp.serving.ctx, { chain: { cluster } });
  const { post, response } = await openMcpStream(t, mcp.url);
  assert.equal((await post(resource(1))).status, 202);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  assert.equal((await post(JSON.stringify(cancel))).status, 202);
  position.reject(new Error('given up'));
  const answered = response(2);
  assert.equal((await post(wait(2))).status, 202);
  await answered;
  assert.equal((await post(wait(1))).status, 202, 'the id of the canceled read is free');
});
