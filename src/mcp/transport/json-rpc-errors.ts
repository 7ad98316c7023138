// Responses that this MCP server sends without the SDK: JSON-RPC errors, and the refusal of a misplaced secret
// key.
import { type Exchange, UNCACHED_DATA_POLICY } from '../../adapter/exchange.ts';
import type { AppError } from '../../kernel/app-error.ts';

export const MCP_JSON = 'application/json';
export const EVENT_STREAM = 'text/event-stream';

/** Sends a JSON-RPC error with the `id` of the message that caused it; null if unknown. */
export const sendRpcError = (
  exchange: Exchange,
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): void =>
  exchange.send(
    status,
    MCP_JSON,
    JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }),
    UNCACHED_DATA_POLICY,
  );

const INVALID_PARAMS = -32602;

/** Refuses a message that contains a misplaced key. Nothing in the message is executed. */
export const sendKeyRefusal = (exchange: Exchange, refusal: AppError, body: unknown): void => {
  const id = (body as { id?: unknown } | null)?.id;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  sendRpcError(exchange, 400, INVALID_PARAMS, `${refusal.message} ${refusal.suggestedAction}`, known);
};
