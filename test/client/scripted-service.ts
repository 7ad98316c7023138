// A local HTTP server that sends scripted responses: dropped connections, a proxy's error pages and outages.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from '../support/temporary-folder.ts';

interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A scripted response. `drop` closes the connection, and `hang` never responds. */
export type ScriptedResponse =
  | 'drop'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

interface ScriptedService {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Resolves when `count` requests have arrived. */
  readonly arrived: (count: number) => Promise<void>;
}

/** Creates a JSON response. */
export const json = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): ScriptedResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const answer = (response: ServerResponse, scripted: ScriptedResponse): void => {
  if (scripted === 'hang') return;
  if (scripted === 'drop') response.destroy();
  else response.writeHead(scripted.status, scripted.headers).end(scripted.body);
};

/**
 * Starts a server that sends the scripted responses in order and repeats the last one. Closes it when the
 * scope ends.
 */
export const startScriptedService = async (
  scope: Scope,
  responses: readonly ScriptedResponse[],
): Promise<ScriptedService> => {
  const seen: SeenRequest[] = [];
  const watchers = new Set<() => void>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    // The command line requests a sandbox's RPC node. This server has none, and the script does not count this
    // request.
    if (request.url === '/sandbox') {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"errorCode":"NOT_FOUND"}');
      return;
    }
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    answer(response, responses[Math.min(seen.length, responses.length) - 1]!);
    for (const watch of [...watchers]) watch();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    arrived: (count) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (seen.length < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
  };
};
