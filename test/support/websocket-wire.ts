// The two parts of RFC 6455 that scripted WebSocket servers implement: the response to the handshake, and a
// text frame.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Value defined by the RFC. */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT_FRAME = 0x81;

/** Accepts an upgrade request, and ignores later errors of the socket. */
export const acceptWebSocket = ({ headers }: IncomingMessage, socket: Duplex): void => {
  socket.on('error', () => {});
  const accept = createHash('sha1')
    .update(`${headers['sec-websocket-key']}${HANDSHAKE_GUID}`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
};

/** Returns an unmasked text frame, with a 16-bit length above 125 bytes. */
export const textFrame = (text: string): Buffer => {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126
      ? Buffer.of(TEXT_FRAME, payload.length)
      : Buffer.of(TEXT_FRAME, 126, payload.length >> 8, payload.length & 0xff);
  return Buffer.concat([head, payload]);
};
