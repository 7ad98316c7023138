// A minimal WebSocket server whose text frames a test controls, one by one and in any order.
import { createServer } from 'node:http';
import { listenLocally } from './local-server.ts';
import { acceptWebSocket, textFrame } from './websocket-wire.ts';

const MASK_BYTES = 4;

/** Called with every received text. `send` responds. */
export type SocketScript = (text: string, send: (text: string) => void) => void;

interface ScriptedSocket extends AsyncDisposable {
  readonly url: string;
}

/**
 * Returns the texts of complete masked frames in `bytes`. The clients here send short frames, one or more per
 * chunk.
 */
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
  const server = createServer().on('upgrade', (request, socket) => {
    acceptWebSocket(request, socket);
    socket.on('data', (bytes: Buffer) => {
      for (const text of textsOf(bytes)) script(text, (response) => socket.write(textFrame(response)));
    });
  });
  const { port, close } = await listenLocally(server);
  return { url: `ws://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
};
