// Checks that a client whose WebSocket was refused can neither crash the sandbox nor delay its shutdown.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WebSocketTunnel } from './websocket-tunnel.ts';

const UPGRADE = [
  'GET / HTTP/1.1',
  'host: 127.0.0.1',
  'origin: https://elsewhere.example',
  'connection: upgrade',
  'upgrade: websocket',
  '\r\n',
].join('\r\n');

/**
 * Starts a server whose tunnel refuses WebSockets. Returns the sockets at both ends of a refused upgrade, after
 * its response has been read.
 */
const refused = async (t: TestContext) => {
  const tunnel = new WebSocketTunnel('ws://127.0.0.1:9', '127.0.0.1', (slot) => slot);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = Promise.withResolvers<Socket>();
  server.on('upgrade', (request, socket: Socket, head) => {
    tunnel.accept(request, socket, head);
    accepted.resolve(socket);
  });
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  t.after(() => {
    client.destroy();
    server.close();
  });
  client.write(UPGRADE);
  const [response] = (await once(client, 'data')) as [Buffer];
  assert.match(response.toString(), /^HTTP\/1\.1 403 /);
  return { client, server, socket: await accepted.promise };
};

test('a refused client that resets its connection affects no other connection', async (t) => {
  const { client, socket } = await refused(t);
  client.resetAndDestroy();
  if (!socket.closed) await once(socket, 'close');
  // Node would throw this error if there were no listener.
  socket.emit('error', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
});

test('a refused client that never closes its side does not delay the server’s shutdown', async (t) => {
  const { client, server } = await refused(t);
  const closed = once(server, 'close');
  server.close();
  await closed;
  assert.equal(client.writable, true, 'the client still keeps its side open');
});
