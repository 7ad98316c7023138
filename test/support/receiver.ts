// A real HTTP server that receives webhooks, keeps the requests, and responds as a test specifies.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { SelfSigned } from './self-signed-certificate.ts';
import type { Scope } from './temporary-folder.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Requests in the order in which their bodies were complete. */
  readonly received: readonly Received[];
  /** Resolves when `count` requests have arrived in total. */
  readonly got: (count: number) => Promise<void>;
}

/** Responds to one request. Default: 204. */
export type Respond = (request: Received, response: ServerResponse) => void;

const accept: Respond = (_request, response) => void response.writeHead(204).end();

/** Listens on a free port of `address` until the scope ends. */
export const startReceiver = async (
  scope: Scope,
  respond: Respond = accept,
  tls?: SelfSigned,
  address = '127.0.0.1',
): Promise<Receiver> => {
  const received: Received[] = [];
  const watchers = new Set<() => void>();
  const onRequest = async (
    request: { url?: string | undefined; headers: IncomingHttpHeaders } & AsyncIterable<Buffer>,
    response: ServerResponse,
  ): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    received.push(one);
    respond(one, response);
    for (const watch of [...watchers]) watch();
  };
  const listener = (request: Parameters<typeof onRequest>[0], response: ServerResponse): void => {
    // The sender may disconnect early.
    onRequest(request, response).catch(() => undefined);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.keepAliveTimeout = 60_000;
  server.listen(0, address);
  await once(server, 'listening');
  scope.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${address}:${port}`,
    port,
    received,
    got: (count) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (received.length < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
  };
};

/**
 * Verifies a delivery with the official library. Throws if the library rejects it. `secret` is the raw bytes.
 */
export const verified = (secret: Uint8Array, { headers, body }: Received): unknown =>
  new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`).verify(
    body,
    headers as Record<string, string>,
  );
