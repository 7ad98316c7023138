// A proxy between a client and the service that records what the client sends and can change the responses.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from '../support/temporary-folder.ts';

interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Everything that the client sent: the request line, headers and body. */
  readonly sent: string;
}

/** Changes a response: returns the new JSON body, or undefined to forward the response unchanged. */
type Change = (
  exchange: Exchange,
  body: Record<string, unknown>,
) => { status?: number; body: Record<string, unknown> } | undefined;

interface ForwardingProxy {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  change: Change | undefined;
  /** Headers that override those of the request. */
  headers: ((path: string) => Readonly<Record<string, string>>) | undefined;
  readonly cutConnections: () => void;
}

/** Starts a proxy in front of `target`. Closes it when the scope ends. */
export const startForwardingProxy = async (scope: Scope, target: string): Promise<ForwardingProxy> => {
  const exchanges: Exchange[] = [];
  const { host } = new URL(target);
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const exchange: Exchange = {
      method: incoming.method!,
      path: incoming.url!,
      sent: `${incoming.url}\n${incoming.rawHeaders.join('\n')}\n${body}`,
    };
    exchanges.push(exchange);
    const forwarded = request(
      new URL(incoming.url!, target),
      { method: incoming.method!, headers: { ...incoming.headers, ...proxy.headers?.(incoming.url!), host } },
      async (received) => {
        if (received.headers['content-type']?.startsWith('text/event-stream')) {
          response.writeHead(received.statusCode!, received.headers);
          response.flushHeaders();
          // Either side may close the connection early.
          response.on('close', () => received.destroy());
          received.on('error', () => response.destroy()).pipe(response);
          return;
        }
        const back: Buffer[] = [];
        for await (const part of received) back.push(part as Buffer);
        const text = Buffer.concat(back).toString();
        const isJson = received.headers['content-type']?.includes('json') ?? false;
        const changed = isJson
          ? proxy.change?.(exchange, JSON.parse(text) as Record<string, unknown>)
          : undefined;
        const { 'content-length': _, ...headers } = received.headers;
        response.writeHead(changed?.status ?? received.statusCode!, headers);
        response.end(changed ? JSON.stringify(changed.body) : text);
      },
    );
    forwarded.on('error', () => response.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy: ForwardingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    change: undefined,
    headers: undefined,
    cutConnections: () => server.closeAllConnections(),
  };
  return proxy;
};
