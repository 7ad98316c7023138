import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';
import { openSocket } from '../../../test/support/http-raw.ts';
import { listenLocally } from '../../../test/support/local-server.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { SecretBytes } from '../../kernel/secret-bytes.ts';
import { SseSession } from './sse-session.ts';

const newKey = (): SecretBytes => SecretBytes.take(new Uint8Array(64).fill(7));
const call = (id: string | number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
const answer = (id: string | number) => ({ jsonrpc: '2.0', id, result: {} }) as const;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Opens a session on a real stream whose client reads only on command. `heard` contains the messages that
 * reached the server.
 */
const open = async (t: TestContext) => {
  const opened = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => opened.resolve(response));
  const { port, close } = await listenLocally(server);
  const client = await openSocket(port);
  t.after(async () => {
    client.destroy();
    await close();
  });
  client.pause().write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const response = await opened.promise;
  response.on('error', () => {});
  const transport = new SSEServerTransport('/messages', response);
  const heard: unknown[] = [];
  transport.onmessage = (message) => void heard.push(message);
  const clock = createManualClock();
  const session = new SseSession('203.0.113.7', transport, response, clock);
  await transport.start();
  session.watch();
  return { session, transport, response, client, clock, heard };
};

test('a key is found by the exact id of its call, and is wiped when the response is sent', async (t) => {
  const { session, transport } = await open(t);
  const [one, other] = [newKey(), newKey()];
  assert.equal(await session.take(call(1), one), true);
  assert.equal(await session.take(call('1'), other), true, 'a string and a number are different ids');
  assert.deepEqual([session.secretOf(1) === one, session.secretOf('1') === other], [true, true]);
  await transport.send(answer(1));
  assert.deepEqual([one.wiped, other.wiped, session.secretOf(1)], [true, false, undefined]);
});

for (const [what, message] of [
  ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  ['a response to no request', answer(4)],
] as const)
  test(`a key in ${what} is wiped immediately and starts no call`, async (t) => {
    const { session, heard } = await open(t);
    const key = newKey();
    assert.equal(await session.take(message, key), true);
    assert.deepEqual([key.wiped, heard.length, session.idleSinceMs === null], [true, 1, false]);
  });

test('a call whose id is in use is refused: the first call keeps its key, and the caller still owns the second key', async (t) => {
  const { session, heard } = await open(t);
  const [first, second] = [newKey(), newKey()];
  await session.take(call(5), first);
  assert.equal(await session.take(call(5), second), false);
  assert.deepEqual([session.secretOf(5) === first, first.wiped, second.wiped], [true, false, false]);
  assert.equal(heard.length, 1);
});

test('an invalid message is refused, and a malformed request leaves neither a key nor a slot behind', async (t) => {
  const { session, heard } = await open(t);
  assert.equal(await session.take(null, null), false);
  const key = newKey();
  assert.equal(await session.take({ id: 3, method: 'tools/call', jsonrpc: '1.0' }, key), false);
  assert.deepEqual([key.wiped, session.idleSinceMs === null, heard.length], [true, false, 0]);
});

test('a message whose id is null or has the wrong type is not a request and takes no slot', async (t) => {
  const { session } = await open(t);
  for (const id of [null, {}, true]) await session.take({ ...call(1), id }, null);
  assert.notEqual(session.idleSinceMs, null);
});

test('a call that ends without a response, such as a canceled call, frees its slot in the next event-loop turn', async (t) => {
  const { session, clock } = await open(t);
  const key = newKey();
  await session.take(call(1), key);
  session.ended(1);
  assert.deepEqual([key.wiped, session.idleSinceMs], [true, null]);
  clock.advance(7);
  await turn();
  assert.equal(session.idleSinceMs, clock.now());
  session.ended(1);
  session.ended('never seen');
});

test('a stream is full with 32 calls, and counts as idle from the end of the last one', async (t) => {
  const { session, transport, clock } = await open(t);
  for (let id = 0; id < 32; id += 1) {
    assert.equal(session.full, false);
    await session.take(call(id), null);
  }
  assert.deepEqual([session.full, session.idleSinceMs], [true, null]);
  clock.advance(1_000);
  for (let id = 0; id < 32; id += 1) await transport.send(answer(id));
  assert.deepEqual([session.full, session.idleSinceMs], [false, clock.now()]);
});

test('a request from the service is not a response, even if it has the id of a call', async (t) => {
  const { session, transport } = await open(t);
  await session.take(call(1), null);
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  assert.equal(session.idleSinceMs, null);
});

test('draining ends an idle stream immediately and a busy one after its last response', async (t) => {
  const [idle, busy] = [await open(t), await open(t)];
  idle.session.drain();
  assert.equal(idle.response.writableEnded, true);
  await busy.session.take(call(1), null);
  await busy.session.take(call(2), null);
  busy.session.drain();
  await busy.transport.send(answer(1));
  assert.equal(busy.response.writableEnded, false);
  await busy.transport.send(answer(2));
  assert.equal(busy.response.writableEnded, true);
});

test('closing a stream wipes the keys of all running calls', async (t) => {
  const { session } = await open(t);
  const keys = [newKey(), newKey()];
  for (const [id, key] of keys.entries()) await session.take(call(id), key);
  await session.take(call('no key'), undefined);
  session.close();
  assert.deepEqual(
    keys.map(({ wiped }) => wiped),
    [true, true],
  );
  assert.equal(session.secretOf(0), undefined);
});

test('a client that does not read is disconnected once megabytes are queued for it', async (t) => {
  const { session, transport, response } = await open(t);
  const closed = once(response, 'close');
  const text = 'x'.repeat(1024 * 1024);
  let sent = 0;
  // The size of the socket buffers depends on the machine. Without a limit on unread bytes, this loop would run
  // for a long time.
  for (; !response.destroyed && sent < 64; sent += 1)
    await transport.send({ jsonrpc: '2.0', id: sent, result: { text } }).catch(() => undefined);
  assert.equal(response.destroyed, true);
  assert.ok(sent >= 4, 'at least 4 MiB were sent');
  await closed;
  session.close();
});

test('a message that arrives after its stream ended is dropped and does not end the process', async (t) => {
  const { session, transport, response } = await open(t);
  const errors: unknown[] = [];
  response.on('error', (error) => errors.push(error));
  const key = newKey();
  await session.take(call(1), key);
  assert.equal(session.over, false);
  session.end();
  assert.equal(session.over, true);
  session.keepAlive();
  await transport.send(answer(1));
  await turn();
  assert.deepEqual(errors, []);
  assert.deepEqual(
    [key.wiped, session.idleSinceMs === null],
    [true, false],
    'the call has ended nevertheless',
  );
});

test('a client that does not read its stream to the end is disconnected when the stream is ended again', async (t) => {
  const { session, response } = await open(t);
  const closed = once(response, 'close');
  session.end();
  assert.equal(response.destroyed, false);
  session.end();
  assert.equal(response.destroyed, true);
  await closed;
});
