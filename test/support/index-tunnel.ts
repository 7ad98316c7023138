// A TCP tunnel to a port, which a test can close and open. A closed tunnel looks to WebSockets like a network
// failure.
import { connect, createServer } from 'node:net';
import { listenLocally } from './local-server.ts';

interface CuttableTunnel {
  readonly url: string;
  /** Cuts open connections and refuses new ones. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a tunnel to a `ws:` URL on a free loopback port. */
export const startCuttableTunnel = async (target: URL): Promise<CuttableTunnel> => {
  const server = createServer((inside) => {
    const outside = connect(Number(target.port), target.hostname).on('error', () => {});
    inside.on('close', () => outside.destroy());
    outside.on('close', () => inside.destroy());
    inside.pipe(outside).pipe(inside);
  });
  const { port, down, up, close } = await listenLocally(server);
  return { url: `ws://127.0.0.1:${port}`, down, up, close };
};
