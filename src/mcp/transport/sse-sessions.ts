// HTTP+SSE transport: a stream for responses and a path for messages. It is the only transport with sessions,
// which are limited in number and end with their stream.
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';
import { type Exchange, UNCACHED_DATA_POLICY } from '../../adapter/exchange.ts';
import { expectsBody } from '../../adapter/read-body.ts';
import { AppError } from '../../kernel/app-error.ts';
import { SSE_MESSAGES_PATH } from '../mcp-paths.ts';
import { createMcpServer, type McpServing } from '../mcp-server.ts';
import { EVENT_STREAM, sendKeyRefusal, sendRpcError } from './json-rpc-errors.ts';
import { callsOneShot, keyRefusal, objectOf, parseMessages, readBytes } from './json-rpc-messages.ts';
import { SseSession } from './sse-session.ts';
import {
  allStreamsInUse,
  crowdedNetwork,
  STREAM_LIMITS,
  type StreamLimits,
  tooManyStreams,
} from './stream-limits.ts';

const KEEP_ALIVE_MS = 15_000;
/** Idle time, in ms, after which a stream without calls is ended. Clients can open a new one. */
const IDLE_MS = 3_600_000;

const NO_SESSION = new AppError('NOT_FOUND', 'There is no open stream with this sessionId.', {
  reason: 'NO_STREAM',
  suggestedAction: 'Open GET /mcp/sse first, and post to the address in its first event.',
});

const stopping = (): AppError =>
  new AppError('SHUTTING_DOWN', 'The service is stopping.', {
    reason: 'STREAM',
    suggestedAction:
      'Open a new stream and repeat the call; with an idempotencyKey it cannot take effect twice.',
    retryAfterSeconds: 5,
  });

export interface SseSessions {
  /** Serves a stream until it ends. */
  readonly open: (exchange: Exchange) => Promise<void>;
  /** Accepts one message for the stream named in the query. */
  readonly deliver: (exchange: Exchange) => Promise<void>;
  readonly size: () => number;
  /** Accepts no new calls, and ends each stream once it has no call in progress. */
  readonly drain: () => void;
}

/** Creates the transport without any streams. */
export const createSseSessions = (serving: McpServing, given: Partial<StreamLimits> = {}): SseSessions => {
  const limits = { ...STREAM_LIMITS, ...given };
  const { ctx, tools } = serving;
  const sessions = new Map<string, SseSession>();
  let draining = false;

  /**
   * Makes room for a stream by ending the longest-idle stream of the client with the most idle streams, so no
   * client locks out all others. Returns false if every stream is in use.
   */
  const makeRoom = (): boolean => {
    const unused = [...sessions].flatMap(([id, session]) =>
      session.idleSinceMs === null ? [] : [{ id, session, sinceMs: session.idleSinceMs }],
    );
    const byClient = Map.groupBy(unused, ({ session }) => session.client);
    const most = [...byClient.values()].sort((a, b) => b.length - a.length)[0];
    const oldest = most?.sort((a, b) => a.sinceMs - b.sinceMs)[0];
    if (oldest === undefined) return false;
    sessions.delete(oldest.id);
    oldest.session.end();
    return true;
  };

  const refusal = (client: string): AppError | null => {
    if (draining) return stopping();
    const clients = [...sessions.values()].map((session) => session.client);
    const crowded = crowdedNetwork(client, clients, limits);
    if (crowded) return crowded;
    return sessions.size < limits.inAll || makeRoom() ? null : allStreamsInUse();
  };

  /** Sends keep-alives until the stream ends. Ends the stream if it is idle for too long. */
  const tend = async (session: SseSession, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await ctx.clock.sleep(KEEP_ALIVE_MS, signal).catch(() => undefined);
      if (signal.aborted) break;
      const { idleSinceMs, over } = session;
      const isUnused = idleSinceMs !== null && ctx.clock.now() - idleSinceMs >= IDLE_MS;
      if (isUnused || over) session.end();
      else session.keepAlive();
    }
  };

  const open = async (exchange: Exchange): Promise<void> => {
    const { request, client, signal } = exchange;
    const refused = refusal(client);
    if (refused) return exchange.fail(refused);
    if (request.method === 'HEAD') return exchange.send(200, EVENT_STREAM, '', UNCACHED_DATA_POLICY);
    const response = exchange.takeOver();
    for (let at = 0; at < UNCACHED_DATA_POLICY.length; at += 2)
      response.setHeader(UNCACHED_DATA_POLICY[at]!, UNCACHED_DATA_POLICY[at + 1]!);
    response.setHeader('x-accel-buffering', 'no');
    const transport = new SSEServerTransport(SSE_MESSAGES_PATH, response);
    const session = new SseSession(client, transport, response, ctx.clock);
    const server = createMcpServer(serving, session);
    const ended = new Promise<void>((resolve) => response.once('close', resolve));
    // The stream was aborted: shutdown timed out, or the caller disconnected.
    signal.addEventListener('abort', () => response.destroy(), { once: true });
    sessions.set(transport.sessionId, session);
    try {
      await server.connect(transport);
      session.watch();
      await Promise.race([ended, tend(session, signal)]);
      await ended;
    } finally {
      sessions.delete(transport.sessionId);
      session.close();
      await server.close().catch(() => undefined);
    }
  };

  /** Returns the stream if it can accept a message, otherwise the refusal. */
  const place = (sessionId: string, client: string): SseSession | AppError => {
    if (draining) return stopping();
    const session = sessions.get(sessionId);
    // A client that learned the id of another client's stream gets the same response as for an invalid id.
    if (session === undefined || session.over || session.client !== client) return NO_SESSION;
    return session.full
      ? tooManyStreams('CALLS_OF_STREAM', 'Too many calls are in progress on this stream.')
      : session;
  };

  const deliver = async (exchange: Exchange): Promise<void> => {
    const { request } = exchange;
    const sessionId = new URLSearchParams(request.url?.split('?')[1]).get('sessionId') ?? '';
    const early = place(sessionId, exchange.client);
    if (early instanceof AppError) return exchange.fail(early);
    if (!expectsBody(request))
      return sendRpcError(exchange, 400, -32600, 'The body must be a JSON-RPC message');
    exchange.invite();
    const read = await readBytes(request, parseMessages);
    if (read === null) return sendRpcError(exchange, 400, -32700, 'Parse error: the body is not valid JSON');
    const { body, secret } = read;
    // Checked again: while the body arrived, the stream may have ended or filled up, or shutdown may have
    // begun.
    const session = place(sessionId, exchange.client);
    const refused =
      session instanceof AppError ? session : callsOneShot(body, tools) ? exchange.transportRefusal() : null;
    const exposed = refused === null ? keyRefusal(read, tools) : null;
    const accepted =
      refused === null &&
      exposed === null &&
      session instanceof SseSession &&
      (await session.take(objectOf(body), secret));
    if (!accepted) secret?.[Symbol.dispose]();
    if (refused) return exchange.fail(refused);
    if (exposed) return sendKeyRefusal(exchange, exposed, body);
    if (!accepted) return sendRpcError(exchange, 400, -32600, 'The body must be one new JSON-RPC message');
    exchange.send(202, 'text/plain', 'Accepted', UNCACHED_DATA_POLICY);
  };

  return {
    open,
    deliver,
    size: () => sessions.size,
    drain: () => {
      draining = true;
      for (const session of sessions.values()) session.drain();
    },
  };
};
