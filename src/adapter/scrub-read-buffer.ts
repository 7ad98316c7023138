// Overwrites the buffer that Node's HTTP parser reads connections into, so that no secret key remains there.
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** The parser's buffer has 64 KiB. Sending four times as much ensures that one read fills it completely. */
const FILLER = Buffer.alloc(256 * 1024);
const ENDLESS_REQUEST = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${Number.MAX_SAFE_INTEGER}\r\n\r\n`;

let line: Promise<Socket | null> | null = null;
let isDue = false;

/** A connection of this process to itself whose body never ends. Listens only until it is accepted; does not keep the process alive. */
const openLine = (): Promise<Socket | null> =>
  new Promise((resolve) => {
    const lose = (): void => {
      line = null;
      server.close();
      resolve(null);
    };
    const server = createServer({ requestTimeout: 0 }, (request) => {
      request.on('error', lose).resume();
      // Stops accepting further connections. Closing earlier would end connections without a request.
      server.close();
    });
    server.on('error', lose).on('connection', (accepted) => accepted.unref());
    server.unref().listen(0, '127.0.0.1', () => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => resolve(socket));
      socket.unref().on('error', lose).on('close', lose).write(ENDLESS_REQUEST);
    });
  });

/**
 * Called when a request contained a key. Takes effect within a few turns of the event loop, once for all calls until then, and costs
 * about 0.1 ms. Without it, up to five keys from requests in one packet remained until the next read of that size (KEY-1). Never throws.
 */
export const scrubReadBuffer = (): void => {
  if (isDue) return;
  isDue = true;
  setImmediate(async () => {
    isDue = false;
    line ??= openLine();
    const socket = await line;
    // A filler already being sent also serves this call.
    if (socket?.writableLength === 0) socket.write(FILLER);
  });
};
