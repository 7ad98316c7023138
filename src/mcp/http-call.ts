// What these handlers need of the HTTP window that mounts them; the composition root brings both together.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '../kernel/app-error.ts';

/** A request that passed the guards (Host, Origin, rate limit), and the one answer to it. */
export interface McpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The caller's network as the rate limit counts it. */
  readonly client: string;
  /** Why a secret key may not come this way; null when it may. Judged from the headers alone. */
  readonly judgeTransport: () => AppError | null;
  /** Sends the whole answer, also in parts. `policy` are further headers, names and values in turn. */
  readonly send: (
    status: number,
    contentType: string | null,
    body: string | Buffer | readonly Buffer[],
    policy: readonly string[],
  ) => void;
  /** Hands the response over, the headers of every answer set. */
  readonly takeOver: () => ServerResponse;
}

/** One mounted call. */
export interface McpHttpCall {
  readonly exchange: McpExchange;
  /** Sends the failure in the service's own error shape. */
  readonly fail: (error: unknown) => void;
  /** Aborts when the caller goes away or the service stops waiting. */
  readonly signal: AbortSignal;
  /** Tells a client that waits for `100 Continue` to send its body now. */
  readonly invite: () => void;
  /** Counts `more` further requests of this client; the refusal where the limit is passed. */
  readonly count: (more: number) => Promise<AppError | null>;
}

/** Headers of answers that nobody may keep or frame. */
export const MCP_POLICY: readonly string[] = [
  'content-security-policy',
  "default-src 'none'; frame-ancestors 'none'",
  'cache-control',
  'no-store',
];

export const MCP_JSON = 'application/json';
export const EVENT_STREAM = 'text/event-stream';

/** Sends a JSON-RPC error; `id` of the message it answers, null where that cannot be told. */
export const sendRpcError = (
  exchange: McpExchange,
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): void =>
  exchange.send(
    status,
    MCP_JSON,
    JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }),
    MCP_POLICY,
  );

const INVALID_PARAMS = -32602;

/** Refuses a message because of a key in it; nothing of it is run. */
export const sendKeyRefusal = (exchange: McpExchange, refusal: AppError, body: unknown): void => {
  const id = (body as { id?: unknown } | null)?.id;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  sendRpcError(exchange, 400, INVALID_PARAMS, `${refusal.message} ${refusal.suggestedAction}`, known);
};
