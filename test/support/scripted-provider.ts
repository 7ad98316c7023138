// A statistics provider over real HTTP that returns the test's responses, including broken ones, and records
// the requests.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createRequestWatch } from './await-requests.ts';
import { listenLocally } from './local-server.ts';

export interface ProviderCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * A scripted response. `promised`: a content length that differs from the body's. `cut`: the connection breaks
 * after this many bytes. `silence`: there is never a response.
 */
export type ProviderResponse =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string | Buffer;
      readonly promised?: number;
      readonly cutAfter?: number;
      /** True if the response never ends: the body is sent, and the connection stays open. */
      readonly unfinished?: boolean;
    }
  | 'reset'
  | 'silence';

/** A running server. `script` may be replaced at any time. */
interface ScriptedProvider extends AsyncDisposable {
  readonly url: string;
  script: (call: ProviderCall) => ProviderResponse | Promise<ProviderResponse>;
  readonly calls: ProviderCall[];
  /** Resolves when `times` requests have arrived in total. */
  readonly asked: (times: number) => Promise<void>;
}

const send = (response: ServerResponse, answer: Exclude<ProviderResponse, string>): void => {
  const body = Buffer.from(answer.body as string);
  const length = answer.promised ?? (answer.unfinished ? body.length + 1 : body.length);
  response.writeHead(answer.status ?? 200, {
    'content-type': 'application/json',
    'content-length': length,
    ...answer.headers,
  });
  if (answer.cutAfter !== undefined)
    response.write(body.subarray(0, answer.cutAfter), () => response.destroy());
  else if (answer.unfinished) response.write(body);
  else response.end(body, () => length !== body.length && response.destroy());
};

/** Starts a server on a free loopback port. */
export const startScriptedProvider = async (
  script: ScriptedProvider['script'],
): Promise<ScriptedProvider> => {
  const calls: ProviderCall[] = [];
  const watch = createRequestWatch();
  const server = createServer({ keepAlive: true }, async (incoming, response) => {
    incoming.on('error', () => {});
    response.on('error', () => {});
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { method = '', url = '', headers } = incoming;
    const call = { method, url, headers, body: Buffer.concat(parts).toString() };
    calls.push(call);
    watch.notify();
    const answer = await provider.script(call);
    if (answer === 'reset') incoming.socket.resetAndDestroy();
    else if (answer !== 'silence') send(response, answer);
  });
  const { port, close } = await listenLocally(server);
  const provider: ScriptedProvider = {
    url: `http://127.0.0.1:${port}`,
    script,
    calls,
    asked: (times) => watch.until(() => calls.length, times),
    [Symbol.asyncDispose]: close,
  };
  return provider;
};
