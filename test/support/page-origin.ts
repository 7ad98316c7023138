// The page's origin in this process. Its modules read `location.origin` only once, so all their tests share one
// server.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

let answer: RequestListener = (_request, response) => void response.writeHead(404).end();
const server = createServer((request, response) => answer(request, response));
server.keepAliveTimeout = 65_000;
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
// Neither the server nor an idle connection keeps the process alive.
server.unref();
server.on('connection', (socket) => socket.unref());

/** The origin, for example `http://127.0.0.1:40123`. */
export const pageOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** From now on, handles requests to the origin with `listener`. */
export const respondWith = (listener: RequestListener): void => {
  answer = listener;
};
