// A plain HTTP proxy in front of an RPC node that counts requests by method, can rewrite or hold responses, and
// can be stopped and restarted.
import { createServer, type ServerResponse } from 'node:http';
import { listenLocally } from './local-server.ts';

export interface RpcCounter {
  readonly url: string;
  /** Returns the number of requests of `method` since startup whose parameters contain `text`. */
  readonly asked: (method: string, text?: string) => number;
  /** Returns the methods of all requests since startup, in order. */
  readonly methods: () => readonly string[];
  /** If true, every request is cut off. */
  readonly cut: (isCut: boolean) => void;
  /** Holds every response from now on until the returned function is called. */
  readonly hold: () => () => void;
  /**
   * From now on, sends no responses (`before`), or only half of each (`inside`). Null restores normal operation
   * and cuts off hanging requests.
   */
  readonly hang: (where: 'before' | 'inside' | null) => void;
  /** From now on, passes the text of every response through `change`. */
  readonly rewrite: (change: (method: string, text: string) => string) => void;
  readonly close: () => Promise<void>;
}

/** Starts a proxy that forwards everything to `rpcUrl`. */
export const startRpcCounter = async (rpcUrl: string): Promise<RpcCounter> => {
  const requests: { readonly method: string; readonly body: string }[] = [];
  let cutOff = false;
  let hanging: 'before' | 'inside' | null = null;
  const hung = new Set<ServerResponse>();
  let rewritten = (_method: string, text: string): string => text;
  let released: Promise<void> = Promise.resolve();
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const { method = '' } = JSON.parse(body) as { method?: string };
      requests.push({ method, body });
      await released;
      if (cutOff) throw new Error('cut off');
      if (hanging === 'before') return void hung.add(response);
      const answer = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const text = rewritten(method, await answer.text());
      if (hanging === 'inside') {
        hung.add(response);
        response.writeHead(200, { 'content-type': 'application/json' }).write(text.slice(0, text.length / 2));
        return;
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    } catch {
      response.destroy();
    }
  });
  const { port, close } = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked: (method, text = '') =>
      requests.filter((request) => request.method === method && request.body.includes(text)).length,
    methods: () => requests.map(({ method }) => method),
    cut: (isCut) => {
      cutOff = isCut;
      if (isCut) server.closeAllConnections();
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      return resolve;
    },
    hang: (where) => {
      hanging = where;
      if (where !== null) return;
      for (const response of hung) response.destroy();
      hung.clear();
    },
    rewrite: (change) => {
      rewritten = change;
    },
    close,
  };
};
