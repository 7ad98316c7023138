// Carries WebSocket connections to the runtime byte for byte, once their Origin and Host have been found harmless.

import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { refusalOf } from './gateway-guard.ts';

/** Every open WebSocket of a gateway. */
export class WebSocketTunnel {
  readonly #target: URL;
  readonly #ownHost: string;
  readonly #sockets = new Set<Socket>();

  constructor(runtimeWsUrl: string, ownHost: string) {
    this.#target = new URL(runtimeWsUrl);
    this.#ownHost = ownHost;
  }

  /** Takes over the socket of an HTTP upgrade: the runtime itself answers the handshake. */
  accept(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const refusal = refusalOf(request, this.#ownHost);
    if (refusal !== null) {
      socket.end(
        `HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: ${refusal.length}\r\n\r\n${refusal}`,
      );
      return;
    }
    const upstream = connect({ host: this.#target.hostname, port: Number(this.#target.port) });
    const headers = Object.entries(request.headers)
      .filter(([name]) => name !== 'host' && name !== 'origin')
      .map(([name, value]) => `${name}: ${String(value)}\r\n`);
    upstream.write(`GET / HTTP/1.1\r\nhost: ${this.#target.host}\r\n${headers.join('')}\r\n`);
    upstream.write(head);
    this.#join(socket, upstream);
    this.#join(upstream, socket);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }
}
