// Finds a port for a server that must know its port before it listens. A server that can report its port uses
// port 0 instead.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Listens on a port of 127.0.0.1 and stops immediately. Returns null if the port is taken. */
const probe = async (port: number): Promise<number | null> => {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the probe has no port');
  server.close();
  await once(server, 'close');
  return address.port;
};

/**
 * Returns a TCP port on 127.0.0.1 that is free at this time. Another process may take it first, so prefer port
 * 0 if possible.
 */
export const freePort = async (): Promise<number> => (await probe(0))!;

/**
 * Returns a free TCP port for a server that stops and starts again. The port is below the range for outgoing
 * connections (from 32,768 on Linux), so none of these takes it in the meantime.
 */
export const lastingPort = async (): Promise<number> => {
  for (;;) {
    const port = await probe(randomInt(20_000, 32_000));
    if (port !== null) return port;
  }
};

/** Refuses connections. No process is given this port, whereas a free port may be taken by another test. */
export const DEAD_ORIGIN = 'http://127.0.0.1:4';
