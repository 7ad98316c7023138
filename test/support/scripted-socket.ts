// A WebSocket server as small as it gets, whose text frames a test decides on, one by one and in any order.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** Fixed by RFC 6455. */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT_FRAME = 0x81;
const MASK_BYTES = 4;

/** Called with every text that came in; `send` answers. */
export type SocketScript = (text: string, send: (text: string) => void) => void;

/** A running server. */
export interface ScriptedSocket extends AsyncDisposable {
  readonly url: string;
}

/** An unmasked text frame of up to 125 bytes, or with a 16-bit length. */
const frameOf = (text: string): Buffer => {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126
      ? Buffer.of(TEXT_FRAME, payload.length)
      : Buffer.of(TEXT_FRAME, 126, payload.length >> 8, payload.length & 0xff);
  return Buffer.concat([head, payload]);
};

/** The texts of whole masked frames in `bytes`. Clients here send short frames, one per chunk or several. */
const textsOf = (bytes: Buffer): readonly string[] => {
  const texts: string[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const opcode = bytes[at]! & 0x0f;
    const short = bytes[at + 1]! & 0x7f;
    const long = short === 126;
    const length = long ? bytes.readUInt16BE(at + 2) : short;
    const mask = at + (long ? 4 : 2);
    const start = mask + MASK_BYTES;
    const payload = bytes
      .subarray(start, start + length)
      .map((byte, i) => byte ^ bytes[mask + (i % MASK_BYTES)]!);
    if (opcode === 1) texts.push(Buffer.from(payload).toString());
    at = start + length;
  }
  return texts;
};

/** Starts a server on a free loopback port. */
export const startScriptedSocket = async (script: SocketScript): Promise<ScriptedSocket> => {
  const open = new Set<Duplex>();
  const server = createServer().on('upgrade', ({ headers }, socket) => {
    open.add(socket);
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}${HANDSHAKE_GUID}`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      for (const text of textsOf(bytes)) script(text, (answer) => socket.write(frameOf(answer)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
};
