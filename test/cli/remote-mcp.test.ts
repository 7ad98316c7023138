// Checks calls to the service's MCP endpoint: JSON and event-stream responses, protocol errors, refusals
// before the protocol, and servers that are not the service.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createRemoteMcp, RemoteMcpError } from '../../cli/mcp/remote-mcp.ts';
import { machineClock } from '../../client/client-clock.ts';
import { json, type ScriptedResponse, startScriptedService } from '../client/scripted-service.ts';
import { createManualClock } from '../support/steerable-clock.ts';

const idle = () => new AbortController().signal;

const ask = async (t: TestContext, response: ScriptedResponse) => {
  const service = await startScriptedService(t, [response]);
  const remote = createRemoteMcp(service.url, machineClock);
  return { service, answered: remote.request('tools/list', { cursor: 'c' }, idle()) };
};

const refused = async (t: TestContext, response: ScriptedResponse): Promise<RemoteMcpError> => {
  const { answered } = await ask(t, response);
  const error = await answered.then(
    () => assert.fail('the request succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RemoteMcpError, String(error));
  return error;
};

test('a result is read from JSON or from the last event of a stream', async (t) => {
  const result = { tools: [{ name: 'a' }] };
  const { service, answered } = await ask(t, json(200, { jsonrpc: '2.0', id: 1, result }));
  assert.deepEqual(await answered, result);
  const [{ url, method, body, headers }] = service.seen as [(typeof service.seen)[0]];
  assert.deepEqual([method, url], ['POST', '/mcp']);
  assert.deepEqual(JSON.parse(body), {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: { cursor: 'c' },
  });
  assert.match(String(headers.accept), /application\/json.*text\/event-stream/);
  const events = `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\nevent: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
  const streamed = await ask(t, {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: events,
  });
  assert.deepEqual(await streamed.answered, result);
});

test('a protocol error keeps its code, message and data', async (t) => {
  const error = await refused(
    t,
    json(400, { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no such tool', data: { a: 1 } } }),
  );
  assert.deepEqual(
    [error.code, error.message, error.data, error.body],
    [-32602, 'no such tool', { a: 1 }, undefined],
  );
});

test('a refusal outside the MCP protocol keeps the error body', async (t) => {
  const body = { error: 'Rate limit exceeded', errorCode: 'RATE_LIMITED', message: 'Slow down.' };
  const error = await refused(t, json(429, body));
  assert.deepEqual(error.body, body);
  assert.equal(error.message, 'Slow down.');
});

test('an unreachable server, or one that is not the service, is reported as NETWORK', async (t) => {
  for (const response of [
    { status: 200, body: '<html>' },
    { status: 404, body: '' },
    json(200, {}),
    json(502, { result: {} }),
    { status: 200, headers: { 'content-type': 'text/event-stream' }, body: ': nothing\n\n' },
    'drop',
  ] as const)
    assert.equal((await refused(t, response)).body?.errorCode, 'NETWORK');
});

test('a redirect is not followed', async (t) => {
  const elsewhere = await startScriptedService(t, [json(200, { result: {} })]);
  const error = await refused(t, { status: 307, headers: { location: `${elsewhere.url}/mcp` }, body: '' });
  assert.equal(error.body?.errorCode, 'NETWORK');
  assert.equal(elsewhere.seen.length, 0);
});

test('a call waits up to 20 seconds and a submission three minutes, and ends early if the signal is aborted', async (t) => {
  const service = await startScriptedService(t, ['hang']);
  const clock = createManualClock();
  const remote = createRemoteMcp(service.url, clock);
  for (const [arrivals, method, params, seconds] of [
    [1, 'tools/list', {}, 20],
    [2, 'tools/call', { name: 'submit_transaction', arguments: {} }, 180],
  ] as const) {
    const late = assert.rejects(
      remote.request(method, params, idle()),
      new RegExp(`none within ${seconds} s`),
    );
    await service.arrived(arrivals);
    assert.deepEqual(clock.due(), [seconds * 1_000]);
    clock.advance(seconds * 1_000);
    await late;
  }
  const stop = new AbortController();
  const reason = new Error('enough');
  const ended = assert.rejects(remote.request('tools/list', {}, stop.signal), reason);
  await service.arrived(3);
  stop.abort(reason);
  await ended;
  assert.deepEqual(clock.due(), []);
});
