// Streamable HTTP at one path, stateless: for the 2026-07-28 protocol and those of 2025. Requests are
// independent of each other.
import { createMcpHandler } from '@modelcontextprotocol/server';
import { type Exchange, UNCACHED_DATA_POLICY } from '../adapter/exchange.ts';
import { expectsBody } from '../adapter/read-body.ts';
import { EVENT_STREAM, sendKeyRefusal, sendRpcError } from './json-rpc-errors.ts';
import {
  callsOneShot,
  keyRefusal,
  objectOf,
  parseMessages,
  type ReadMessages,
  readBytes,
  toolInHeaders,
} from './json-rpc-messages.ts';
import { createMcpServer, type McpCaller, type McpServing } from './mcp-server.ts';
import { answerPlainCall } from './plain-tool-call.ts';

/** Maximum number of messages in a batch. The SDK refuses larger batches. */
const MAX_IN_BATCH = 100;
/**
 * Maximum number of streams that wait for change notifications. This service sends none, so each stream would
 * only hold a connection.
 */
const MAX_SUBSCRIPTIONS = 64;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

export interface Streamable {
  readonly serve: (exchange: Exchange) => Promise<void>;
  /** Ends the streams that would otherwise wait forever. Calls in progress continue. */
  readonly drain: () => void;
}

// Headers used by the protocol.
const READ_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

const webRequest = ({ request }: Exchange, signal: AbortSignal): Request => {
  const headers: [string, string][] = [];
  for (const name of READ_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.push([name, value]);
  }
  return new Request('http://holdfast/mcp', { method: 'POST', headers, signal });
};

/** Writes a stream as fast as the client reads it, until the stream ends or the client disconnects. */
const pump = async (exchange: Exchange, answer: Response, signal: AbortSignal): Promise<void> => {
  const response = exchange.takeOver();
  response.writeHead(answer.status, [
    'content-type',
    EVENT_STREAM,
    ...UNCACHED_DATA_POLICY,
    // Without this header, proxies buffer events.
    'x-accel-buffering',
    'no',
  ]);
  response.flushHeaders();
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) break;
      if (!response.write(value)) await drained(response, signal);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    response.end();
  }
};

const drained = (response: Exchange['response'], signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    response.once('drain', settle).once('close', settle);
    signal.addEventListener('abort', settle, { once: true });
  });

const send = async (exchange: Exchange, answer: Response, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  const contentType = answer.headers.get('content-type');
  if (answer.body !== null && contentType?.startsWith(EVENT_STREAM)) return pump(exchange, answer, signal);
  const bytes = answer.body === null ? '' : Buffer.from(await answer.arrayBuffer());
  exchange.send(answer.status, contentType, bytes, UNCACHED_DATA_POLICY);
};

/** Creates the handler. */
export const createStreamable = (serving: McpServing): Streamable => {
  const { tools, ctx } = serving;
  const callers = new WeakMap<Request, McpCaller>();
  const draining = new AbortController();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo);
      if (caller === undefined) throw new Error('a request came without its caller');
      return createMcpServer(serving, caller);
    },
    {
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      // The error's message may contain caller input, so only its name is logged.
      onerror: ({ name }) => ctx.logger.debug({ type: name }, 'an MCP request was refused'),
    },
  );

  /** Answers requests that must be refused, and returns true for them. */
  const refused = async (exchange: Exchange, read: ReadMessages): Promise<boolean> => {
    const { body } = read;
    const batch = Array.isArray(body) ? body : null;
    const over = batch && (await exchange.count(Math.min(batch.length, MAX_IN_BATCH) - 1));
    if (over) {
      exchange.fail(over);
      return true;
    }
    if (batch?.some((message) => callsOneShot(message, tools))) {
      const why =
        'A call that takes a secret key must be sent on its own, not in a batch; nothing in this batch was done';
      sendRpcError(exchange, 400, INVALID_REQUEST, why);
      return true;
    }
    const insecure = callsOneShot(body, tools) ? exchange.transportRefusal() : null;
    if (insecure) {
      exchange.fail(insecure);
      return true;
    }
    const exposed = keyRefusal(read, tools);
    if (exposed) sendKeyRefusal(exchange, exposed, body);
    return exposed !== null;
  };

  const answer = async (exchange: Exchange, { body, secret }: ReadMessages): Promise<void> => {
    const { signal } = exchange;
    const endless = objectOf(body)?.method === 'subscriptions/listen';
    const stop = endless ? AbortSignal.any([signal, draining.signal]) : signal;
    const request = webRequest(exchange, stop);
    callers.set(request, { client: exchange.client, secretOf: () => secret });
    await send(exchange, await handler.fetch(request, { parsedBody: body }), stop);
  };

  return {
    serve: async (exchange) => {
      const named = toolInHeaders(exchange.request);
      const insecure =
        named !== null && tools.get(named)?.carriesSecretKey === true ? exchange.transportRefusal() : null;
      // Refused before the body is read, because a key that was never read cannot leak.
      if (insecure) return exchange.fail(insecure);
      if (!expectsBody(exchange.request))
        return sendRpcError(exchange, 400, INVALID_REQUEST, 'The body must be a JSON-RPC message');
      exchange.invite();
      const read = await readBytes(exchange.request, parseMessages);
      if (read === null)
        return sendRpcError(exchange, 400, PARSE_ERROR, 'Parse error: the body is not valid JSON');
      using secrets = new DisposableStack();
      if (read.secret) secrets.use(read.secret);
      if (await refused(exchange, read)) return;
      if (!(await answerPlainCall(serving, exchange, read))) await answer(exchange, read);
    },
    drain: () => draining.abort(),
  };
};
