// A wire between a client and a server on this machine that a test can cut and mend.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Scope } from './temporary-folder.ts';

/** The wire. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection, and every further one as soon as it is made. */
  readonly cut: () => void;
  readonly mend: () => void;
}

/** Forwards to `targetPort` until the scope ends. */
export const startTcpProxy = async (scope: Scope, targetPort: number): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (isCut) return void client.destroy();
    const target = keep(connect(targetPort, '127.0.0.1'));
    client.pipe(target).pipe(client);
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
  });
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  scope.after(async () => {
    cut();
    server.close();
    await once(server, 'close');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => {
      isCut = false;
    },
  };
};
