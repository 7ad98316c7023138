// Forwards WebSocket connections to the runtime after the Origin and Host checks.

import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { refusalOf } from './gateway-guard.ts';
import { SignatureSlotStream } from './signature-slot-stream.ts';

// Without the last header, the runtime cannot negotiate compression, so its frames stay readable here.
const NOT_PASSED_ON = new Set(['host', 'origin', 'sec-websocket-extensions']);

/** WebSocket connections of a gateway. When one end closes, the other is closed too. */
export class WebSocketTunnel {
  readonly #target: URL;
  readonly #ownHost: string;
  readonly #absoluteSlot: (slotInEpoch: number) => number;

  constructor(runtimeWsUrl: string, ownHost: string, absoluteSlot: (slotInEpoch: number) => number) {
    this.#target = new URL(runtimeWsUrl);
    this.#ownHost = ownHost;
    this.#absoluteSlot = absoluteSlot;
  }

  /** Takes over the socket of an HTTP upgrade. The runtime itself completes the handshake. */
  accept(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const refusal = refusalOf(request, this.#ownHost);
    if (refusal !== null) {
      // Node passes the socket without an error listener, so a connection reset would crash the process.
      socket.on('error', () => socket.destroy());
      socket.end(
        `HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: ${refusal.length}\r\n\r\n${refusal}`,
      );
      // A client may never close its side, and closing the gateway would then wait forever.
      socket.destroySoon();
      return;
    }
    const upstream = connect({ host: this.#target.hostname, port: Number(this.#target.port) });
    const headers = Object.entries(request.headers)
      .filter(([name]) => !NOT_PASSED_ON.has(name))
      .map(([name, value]) => `${name}: ${String(value)}\r\n`);
    upstream.write(`GET / HTTP/1.1\r\nhost: ${this.#target.host}\r\n${headers.join('')}\r\n`);
    upstream.write(head);
    this.#join(socket, upstream);
    this.#join(upstream, socket);
    socket.pipe(upstream);
    upstream.pipe(new SignatureSlotStream(this.#absoluteSlot)).pipe(socket);
  }

  #join(from: Socket, to: Socket): void {
    from.setNoDelay(true);
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
  }
}
