// A TCP door before a port that a test can close and open: what WebSockets see of a network that goes away.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A running tunnel. */
export interface CuttableTunnel {
  readonly url: string;
  /** Cuts what is open and refuses what comes. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a tunnel to a `ws:` URL on a free loopback port. */
export const startCuttableTunnel = async (target: URL): Promise<CuttableTunnel> => {
  const sockets = new Set<Socket>();
  const track = (socket: Socket, peer: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      peer.destroy();
    });
  };
  const server = createServer((inside) => {
    const outside = connect(Number(target.port), target.hostname);
    track(inside, outside);
    track(outside, inside);
    inside.pipe(outside).pipe(inside);
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
    url: `ws://127.0.0.1:${port}`,
    down,
    up: () => listen(port),
    close: async () => {
      if (server.listening) await down();
    },
  };
};
