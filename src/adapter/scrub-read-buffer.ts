// Overwrites the buffer that Node's HTTP parser reads connections into, so that secret keys do not remain there.
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** The parser's block has 64 KiB. Four times as much, so that one of the reads fills it whatever the pieces were. */
const FILLER = Buffer.alloc(256 * 1024);
const ENDLESS_REQUEST = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${Number.MAX_SAFE_INTEGER}\r\n\r\n`;

let line: Promise<Socket | null> | null = null;
let isDue = false;

/** A connection of this process to itself, whose body never ends. Listens only until it is accepted; holds no process up. */
const openLine = (): Promise<Socket | null> =>
  new Promise((resolve) => {
    const lose = (): void => {
      line = null;
      server.close();
      resolve(null);
    };
    const server = createServer({ requestTimeout: 0 }, (request) => {
      request.on('error', lose).resume();
      // Nothing else is accepted. Not earlier: closing ends connections without a request.
      server.close();
    });
    server.on('error', lose).on('connection', (accepted) => accepted.unref());
    server.unref().listen(0, '127.0.0.1', () => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => resolve(socket));
      socket.unref().on('error', lose).on('close', lose).write(ENDLESS_REQUEST);
    });
  });

/**
 * To be called when a key was found in a request. Takes effect within a few turns of the event loop, once for all calls until then, and costs
 * about 0.1 ms. Without it up to five keys of requests that came in one packet stayed until the next read of that size (KEY-1). Never throws.
 */
export const scrubReadBuffer = (): void => {
  if (isDue) return;
  isDue = true;
  setImmediate(async () => {
    isDue = false;
    line ??= openLine();
    const socket = await line;
    // Where the last filler is still on its way, it does for this call as well.
    if (socket?.writableLength === 0) socket.write(FILLER);
  });
};
