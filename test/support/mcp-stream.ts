// A minimal client for the older MCP transport (HTTP+SSE). Tests can read the stream event by event and drop it
// at any time.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Scope } from './temporary-folder.ts';

/** An open stream. */
interface McpStream {
  /** URL for messages. */
  readonly endpoint: URL;
  /** Posts a message. Returns the HTTP response. */
  readonly post: (message: string, headers?: Record<string, string>) => Promise<Response>;
  /** Resolves with the JSON-RPC message with this id once it has arrived. */
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  readonly response: (id: number) => Promise<any>;
  readonly ended: Promise<void>;
  /** Number of keep-alives received. */
  readonly beats: () => number;
  readonly drop: () => void;
}

const opened = (
  url: string,
  headers: Record<string, string>,
): Promise<{ sent: ClientRequest; answer: IncomingMessage }> =>
  new Promise((resolve, reject) => {
    const sent = request(new URL('/mcp/sse', url), { agent: false, headers });
    sent.on('error', reject).on('response', (answer) => resolve({ sent, answer }));
    sent.end();
  });

/**
 * Opens a stream with the headers `as` on every request. Throws with the status if it is refused. Cuts the
 * stream when the scope ends.
 */
export const openMcpStream = async (
  scope: Scope,
  url: string,
  as: Record<string, string> = {},
): Promise<McpStream> => {
  const { sent, answer } = await opened(url, as);
  scope.after(() => void sent.destroy());
  if (answer.statusCode !== 200) {
    answer.resume();
    throw new Error(`the stream was refused: ${answer.statusCode}`);
  }
  const waiting = new Map<number, (message: unknown) => void>();
  const endpoint = Promise.withResolvers<URL>();
  let text = '';
  let beats = 0;
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const [name = '', data = ''] = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      if (name.startsWith(':')) beats += 1;
      if (name === 'event: endpoint') endpoint.resolve(new URL(data.slice('data: '.length), url));
      if (name !== 'event: message') continue;
      const message = JSON.parse(data.slice('data: '.length)) as { id?: number };
      waiting.get(message.id ?? -1)?.(message);
    }
  });
  const ended = new Promise<void>((resolve) => void answer.once('close', resolve));
  answer.on('error', () => {});
  sent.on('error', () => {});
  const at = await endpoint.promise;
  return {
    endpoint: at,
    post: (body, headers = {}) =>
      fetch(at, { method: 'POST', headers: { 'content-type': 'application/json', ...as, ...headers }, body }),
    response: (id) => new Promise((resolve) => waiting.set(id, resolve)),
    ended,
    beats: () => beats,
    drop: () => void sent.destroy(),
  };
};
