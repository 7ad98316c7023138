// A server on a free loopback port that tracks its connections, so a test can stop and restart it.
import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

/**
 * Longer than any client here keeps an idle connection open. A server that closes first can cut off a request
 * being sent, which happened under load with Node's default of 5 s.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

interface LocalServer {
  readonly port: number;
  /** Refuses connections and cuts open ones. */
  readonly down: () => Promise<void>;
  /** Accepts connections again, on the same port. */
  readonly up: () => Promise<void>;
  /** Closes the server permanently. May be called while the server is down. */
  readonly close: () => Promise<void>;
}

/** Prepares a server on a free port. It does not listen yet. */
export const listenLocally = async (server: Server): Promise<LocalServer> => {
  if (server instanceof HttpServer) server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const down = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    down,
    up: () => listen(port),
    close: async () => {
      if (server.listening) await down();
    },
  };
};
