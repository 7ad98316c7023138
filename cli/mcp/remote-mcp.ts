// Calls the service's own MCP endpoint over HTTP, one message per request.
import type { ClientClock } from '../../client/client-clock.ts';
import { retryAfterSeconds } from '../../client/read-response.ts';
import { VERSION } from '../../client/version.ts';
import { LISTEN } from '../../src/mcp/resource-uris.ts';
import { readEvents } from './event-stream.ts';

export class RemoteMcpError extends Error {
  override readonly name = 'RemoteMcpError';
  /** JSON-RPC code. */
  readonly code: number;
  readonly data: unknown;
  /**
   * The service's error body if it refused the request before MCP could respond (rate limit, host,
   * transport).
   */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: number,
    message: string,
    more: { data?: unknown; body?: RemoteMcpError['body']; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.data = more.data;
    this.body = more.body;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

type Members = Readonly<Record<string, unknown>>;

export interface RemoteMcp {
  /** Makes one call. Rejects with `RemoteMcpError`, or with the signal's reason. */
  readonly request: (method: string, params: object, signal: AbortSignal) => Promise<Members>;
  /**
   * Listens for resource changes. Resolves when the service ends the stream, and rejects if the service
   * offers none. Ignores notifications about other resources.
   */
  readonly listen: (
    uris: readonly string[],
    on: { readonly onOpen: () => void; readonly onUpdate: (uri: string) => void },
    signal: AbortSignal,
  ) => Promise<void>;
}

const META = 'io.modelcontextprotocol/';
/** The protocol version that has notification streams. Each request states it. */
const REVISION = '2026-07-28';
const ENVELOPE = {
  [`${META}protocolVersion`]: REVISION,
  [`${META}clientInfo`]: { name: 'holdfast', version: VERSION },
  [`${META}clientCapabilities`]: {},
};

const INTERNAL_ERROR = -32603;
/** MCP clients give up after 60 s by default, so a call that can be repeated freely reports a failure earlier. */
const TIMEOUT_MS = 20_000;
/** As long as the service may take for a request that it signs again twice. */
const SUBMIT_TIMEOUT_MS = 180_000;

const noResponse = (origin: string, why: string): RemoteMcpError =>
  new RemoteMcpError(INTERNAL_ERROR, `No response from ${origin}: ${why}.`, {
    body: { error: 'No response', errorCode: 'NETWORK', message: `No response from ${origin}: ${why}.` },
  });

const parse = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the JSON-RPC response, which is sent as JSON or as the last event of a stream. */
const readMessage = (contentType: string | null, text: string): Members | undefined => {
  if (!contentType?.startsWith('text/event-stream')) return parse(text);
  const data = text.split(/\r?\n/).findLast((line) => line.startsWith('data:'));
  return data === undefined ? undefined : parse(data.slice('data:'.length));
};

/** Creates the client without sending a request. `baseUrl` has no trailing slash. */
export const createRemoteMcp = (baseUrl: string, clock: ClientClock): RemoteMcp => {
  const { origin } = new URL(baseUrl);
  let lastId = 0;

  const post = async (body: string, timeoutMs: number, signal: AbortSignal) => {
    const ended = new AbortController();
    const late = new AbortController();
    clock.sleep(timeoutMs, ended.signal).then(
      () => late.abort(),
      () => undefined,
    );
    try {
      const response = await fetch(`${baseUrl}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([signal, late.signal]),
      });
      return { response, text: await response.text() };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw noResponse(
        origin,
        late.signal.aborted ? `none within ${timeoutMs / 1000} s` : (error as Error).message,
      );
    } finally {
      ended.abort();
    }
  };

  return {
    request: async (method, params, signal) => {
      lastId += 1;
      const { response, text } = await post(
        JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }),
        (params as { readonly name?: unknown }).name === 'submit_transaction'
          ? SUBMIT_TIMEOUT_MS
          : TIMEOUT_MS,
        signal,
      );
      const message = readMessage(response.headers.get('content-type'), text);
      const error = message?.error;
      if (typeof error === 'object' && error !== null) {
        const { code, message: words, data } = error as { code?: unknown; message?: unknown; data?: unknown };
        throw new RemoteMcpError(Number(code ?? INTERNAL_ERROR), String(words ?? 'the service failed'), {
          data,
        });
      }
      // The service refused the request before MCP could respond, with the common error body.
      if (typeof message?.errorCode === 'string')
        throw new RemoteMcpError(INTERNAL_ERROR, String(message.message), {
          body: message,
          retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after'), clock.now()),
        });
      const result = message?.result;
      if (!response.ok || typeof result !== 'object' || result === null)
        throw noResponse(
          origin,
          `something other than this service responded with status ${response.status}`,
        );
      return result as Members;
    },

    listen: async (uris, { onOpen, onUpdate }, signal) => {
      lastId += 1;
      const params = { notifications: { resourceSubscriptions: uris }, _meta: ENVELOPE };
      const { body, headers } = await fetch(`${baseUrl}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': REVISION,
          'mcp-method': LISTEN,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method: LISTEN, params }),
        redirect: 'error',
        signal,
      });
      if (body === null || headers.get('content-type')?.startsWith('text/event-stream') !== true)
        throw noResponse(origin, 'the service does not notify about changes');
      for await (const message of readEvents(body)) {
        const { method, params: given } = message as { method?: unknown; params?: { uri?: unknown } };
        if (method === 'notifications/subscriptions/acknowledged') onOpen();
        const uri = method === 'notifications/resources/updated' ? given?.uri : undefined;
        if (typeof uri === 'string' && uris.includes(uri)) onUpdate(uri);
      }
    },
  };
};
