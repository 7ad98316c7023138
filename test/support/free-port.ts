// Finds a port for a server that must know its port before it listens; a server that can report its port uses
// 0 instead.
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a TCP port on 127.0.0.1 that was just free. Another process may take it first, so prefer port 0 if
 * possible.
 */
export const freePort = async (): Promise<number> => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the probe has no port');
  server.close();
  await once(server, 'close');
  return address.port;
};
