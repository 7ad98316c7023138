// A webhook receiver in its own process. It responds to everything with 204, so only the sender is measured.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`);
