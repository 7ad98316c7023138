// A connection between a client and a server on this machine that a test can cut and restore.
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Scope } from './temporary-folder.ts';

/** The connection. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection. From then on, also ends every new connection immediately. */
  readonly cut: () => void;
  readonly mend: () => void;
  /** Resolves at the next connection attempt. */
  readonly attempt: () => Promise<void>;
  /**
   * From now on, no bytes pass: over new connections until they are restored, and over existing ones forever.
   * Neither side is notified, as if the network were lost.
   */
  readonly silence: () => void;
}

/** Forwards to `targetPort` until the scope ends. */
export const startTcpProxy = async (scope: Scope, targetPort: number): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  const silenced = new EventEmitter().setMaxListeners(0);
  let isCut = false;
  let isSilent = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (isCut) return void client.destroy();
    if (isSilent) return void client.pause();
    const target = keep(connect(targetPort, '127.0.0.1'));
    client.pipe(target).pipe(client);
    silenced.on('silence', () => {
      client.unpipe(target).pause();
      target.unpipe(client).pause();
    });
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
      isSilent = false;
    },
    attempt: async () => void (await once(server, 'connection')),
    silence: () => {
      isSilent = true;
      silenced.emit('silence');
    },
  };
};
