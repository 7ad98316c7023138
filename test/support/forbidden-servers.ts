// Servers on loopback that must not be reached, and a counter of connections that this process opens.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Scope } from './temporary-folder.ts';

interface Canary {
  /** One port, the same on every address. */
  readonly port: number;
  /** Number of accepted connections. */
  readonly reached: () => number;
}

/** Listens on 127.0.0.1 and ::1, or on `addresses`, on one port until the scope ends. */
export const startCanary = async (
  scope: Scope,
  addresses: readonly string[] = ['127.0.0.1', '::1'],
  wantedPort = 0,
): Promise<Canary> => {
  let connections = 0;
  let port = wantedPort;
  for (const address of addresses) {
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).destroy();
    });
    server.listen(port, address);
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    scope.after(() => void server.close());
  }
  return { port, reached: () => connections };
};

/** Counts the client sockets that this process creates from now on, to any address. */
export const countSockets = (scope: Scope): (() => number) => {
  let sockets = 0;
  const count = (): void => {
    sockets += 1;
  };
  subscribe('net.client.socket', count);
  scope.after(() => void unsubscribe('net.client.socket', count));
  return () => sockets;
};
