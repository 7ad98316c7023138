// A WebSocket node that accepts the index's subscriptions and says what a test tells it, or nothing at all.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A running node. */
export interface ScriptedWebSocket extends AsyncDisposable {
  readonly url: string;
  /** Sends a message to everybody connected. */
  readonly say: (message: unknown) => void;
  /** How many sockets were ever opened. */
  readonly opened: () => number;
}

const HANDSHAKE_KEY = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** RFC 6455: one unmasked text frame. */
const frameOf = (message: unknown): Buffer => {
  const payload = Buffer.from(JSON.stringify(message));
  const header = payload.length < 126 ? Buffer.from([0x81, payload.length]) : Buffer.from([0x81, 126, 0, 0]);
  if (payload.length >= 126) header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
};

/** Starts a node on a free loopback port. It confirms subscriptions 1 and 2 as soon as the socket is open, whatever was asked. */
export const startScriptedWebSocket = async (options: { confirms: boolean }): Promise<ScriptedWebSocket> => {
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer();
  server.on('upgrade', (request, socket: Socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    // A close frame, or any end of the other side, ends this one.
    socket.on('data', (data) => (data[0] === 0x88 ? socket.end() : undefined));
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}${HANDSHAKE_KEY}`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    if (!options.confirms) return;
    for (const id of [1, 2]) socket.write(frameOf({ jsonrpc: '2.0', result: id + 20, id }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    say: (message) => {
      for (const socket of sockets) socket.write(frameOf(message));
    },
    opened: () => opened,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
