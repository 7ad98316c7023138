// Serves Streamable HTTP at one path, stateless, for protocol 2026-07-28 and the 2025 protocols. Requests are
// independent of each other.
import { createMcpHandler } from '@modelcontextprotocol/server';
import { type Exchange, UNCACHED_DATA_POLICY } from '../../adapter/exchange.ts';
import { expectsBody } from '../../adapter/read-body.ts';
import { createMcpServer, type McpCaller, type McpServing } from '../mcp-server.ts';
import { respondToPlainCall } from '../plain-tool-call.ts';
import { LISTEN, MAX_WATCHED, watchedIn } from '../resource-uris.ts';
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
import { allStreamsInUse, crowdedNetwork, STREAM_LIMITS, type StreamLimits } from './stream-limits.ts';

/** Maximum number of messages in a batch. The SDK refuses larger batches. */
const MAX_IN_BATCH = 100;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

export interface Streamable {
  readonly serve: (exchange: Exchange) => Promise<void>;
  /** Ends the streams that would otherwise stay open forever. Calls in progress continue. */
  readonly drain: () => void;
}

// Request headers that the protocol uses.
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

const idOf = (message: unknown): string | number | null => {
  const id = objectOf(message)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

export const createStreamable = (serving: McpServing, given: Partial<StreamLimits> = {}): Streamable => {
  const { tools, ctx, updates } = serving;
  const limits = { ...STREAM_LIMITS, ...given };
  const callers = new WeakMap<Request, McpCaller>();
  /** The client of each open `subscriptions/listen` stream. */
  const listening: string[] = [];
  const draining = new AbortController();
  const handler = createMcpHandler(
    ({ requestInfo, era }) => {
      const caller = requestInfo && callers.get(requestInfo);
      if (caller === undefined) throw new Error('a request came without its caller');
      // Requests of the 2025 protocols are independent of each other here, so their clients cannot be notified.
      return createMcpServer(serving, era === 'modern' ? { ...caller, updates: 'stream' } : caller);
    },
    {
      maxSubscriptions: limits.inAll,
      // The error's message may contain caller input, so only the error's name is logged.
      onerror: ({ name }) => ctx.logger.debug({ type: name }, 'an MCP request was refused'),
    },
  );

  /** Responds to requests that must be refused. Returns true if it did. */
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

  const answer = async (
    exchange: Exchange,
    { body, secret }: ReadMessages,
    stop = exchange.signal,
  ): Promise<void> => {
    const request = webRequest(exchange, stop);
    callers.set(request, { client: exchange.client, secretOf: () => secret });
    await send(exchange, await handler.fetch(request, { parsedBody: body }), stop);
  };

  /** Serves a stream of change notifications until the client or a shutdown ends it. */
  const listen = async (exchange: Exchange, read: ReadMessages): Promise<void> => {
    const { client, signal } = exchange;
    const crowded =
      crowdedNetwork(client, listening, limits) ??
      (listening.length < limits.inAll ? null : allStreamsInUse());
    if (crowded) return exchange.fail(crowded);
    const { message: body, uris } = watchedIn(read.body, updates.isWatchable);
    if (uris.length > MAX_WATCHED)
      return sendRpcError(
        exchange,
        200,
        INVALID_PARAMS,
        `A stream may subscribe to ${MAX_WATCHED} resources.`,
        idOf(body),
      );
    // The library sends each change to all streams that asked for it, so all watches use the same function.
    const ends = uris.map((uri) => updates.watch(uri, handler.notify.resourceUpdated));
    listening.push(client);
    try {
      await answer(exchange, { ...read, body }, AbortSignal.any([signal, draining.signal]));
    } finally {
      listening.splice(listening.indexOf(client), 1);
      for (const end of ends) end?.();
    }
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
      if (objectOf(read.body)?.method === LISTEN) return listen(exchange, read);
      if (!(await respondToPlainCall(serving, exchange, read))) await answer(exchange, read);
    },
    drain: () => draining.abort(),
  };
};
