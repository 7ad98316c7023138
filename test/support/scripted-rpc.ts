// An HTTP JSON-RPC server that returns the test's responses, including broken ones, and records the requests.
import { createServer, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { createRequestWatch } from './await-requests.ts';
import { listenLocally } from './local-server.ts';

export interface ScriptedRequest {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the parameters of any method that they script.
  readonly params: readonly any[];
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
}

/** A scripted response: a result, a JSON-RPC error, raw HTTP, a broken connection, or silence. */
export type ScriptedResponse =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly status: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | 'reset'
  | 'silence';

/** Chooses the response to each request. */
export type Script = (request: ScriptedRequest) => ScriptedResponse | Promise<ScriptedResponse>;

/** A running server. `script` may be replaced at any time. */
export interface ScriptedRpc extends AsyncDisposable {
  readonly url: string;
  script: Script;
  readonly requests: ScriptedRequest[];
  /** Returns the number of requests of `method`. */
  readonly count: (method: string) => number;
  /** Resolves when `method` has been requested `times` times in total. */
  readonly asked: (method: string, times?: number) => Promise<void>;
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
}

/** Returns a response with a context slot, as most methods do. */
export const atSlot = (slot: number, value: unknown): ScriptedResponse => ({
  result: { context: { slot }, value },
});

/** Writes digits unchanged. TypeScript 7.0's type library does not include this function yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** Starts a server on a free loopback port. */
export const startScriptedRpc = async (script: Script): Promise<ScriptedRpc> => {
  const requests: ScriptedRequest[] = [];
  const watch = createRequestWatch();
  const server = createServer(async (incoming, response) => {
    // A client may be killed during a request.
    const text = await readText(incoming).catch(() => null);
    if (text === null) return;
    const { id, method, params } = JSON.parse(text);
    const request = { method, params: params ?? [], headers: incoming.headers, path: incoming.url ?? '' };
    requests.push(request);
    watch.notify();
    const answer = await rpc.script(request);
    if (answer === 'silence') return;
    if (answer === 'reset') incoming.socket.destroy();
    else if ('status' in answer) response.writeHead(answer.status, answer.headers).end(answer.text);
    else {
      const body = JSON.stringify({ jsonrpc: '2.0', id, ...answer }, (_key, value) =>
        typeof value === 'bigint' ? rawJson(String(value)) : value,
      );
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }
  });
  const { port, down, up, close } = await listenLocally(server);
  const count = (method: string) => requests.filter((r) => r.method === method).length;
  const rpc: ScriptedRpc = {
    url: `http://127.0.0.1:${port}`,
    script,
    requests,
    count,
    asked: (method, times = 1) => watch.until(() => count(method), times),
    down,
    up,
    [Symbol.asyncDispose]: close,
  };
  return rpc;
};
