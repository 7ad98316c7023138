// A WebSocket node that accepts the index's subscriptions and sends the test's messages, or nothing at all.
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { listenLocally } from './local-server.ts';
import { acceptWebSocket, textFrame } from './websocket-wire.ts';

/** A running node. */
interface ScriptedWebSocket extends AsyncDisposable {
  readonly url: string;
  /** Sends a message to all connected clients. */
  readonly say: (message: unknown) => void;
  /** Number of sockets opened so far. */
  readonly opened: () => number;
}

const frameOf = (message: unknown): Buffer => textFrame(JSON.stringify(message));

/**
 * Starts a node on a free loopback port. It confirms subscriptions 1 and 2 as soon as the socket is open,
 * whatever the requests.
 */
export const startScriptedWebSocket = async (options: { confirms: boolean }): Promise<ScriptedWebSocket> => {
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer();
  server.on('upgrade', (request, socket: Socket) => {
    opened += 1;
    sockets.add(socket);
    acceptWebSocket(request, socket);
    socket.on('close', () => sockets.delete(socket));
    // Ends this side when a close frame arrives or the other side ends.
    socket.on('data', (data) => (data[0] === 0x88 ? socket.end() : undefined));
    if (!options.confirms) return;
    for (const id of [1, 2]) socket.write(frameOf({ jsonrpc: '2.0', result: id + 20, id }));
  });
  const { port, close } = await listenLocally(server);
  return {
    url: `ws://127.0.0.1:${port}`,
    say: (message) => {
      for (const socket of sockets) socket.write(frameOf(message));
    },
    opened: () => opened,
    [Symbol.asyncDispose]: close,
  };
};
