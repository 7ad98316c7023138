// Parses a node's HTTP response: a result, a JSON-RPC error, or a failure that records whether the request
// may have arrived.
import { neverArrivedCodes, responseTimeoutCodes } from '../../kernel/network/connection-errors.ts';
import { NodeFailure, RpcError, rpcErrorCodes } from './rpc-error.ts';

/** Classifies a connection error. The request may have reached the node unless no connection was made. */
export const connectionFailure = (error: unknown): NodeFailure => {
  const code = (error as { code?: unknown }).code;
  if (neverArrivedCodes.has(code))
    return new NodeFailure('unreachable', { mayHaveArrived: false, cause: error });
  const options = { mayHaveArrived: true, cause: error };
  if (responseTimeoutCodes.has(code)) return new NodeFailure('timeout', options);
  return new NodeFailure(code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' ? 'garbage' : 'reset', options);
};

/** Parses `Retry-After` in whole seconds (dates are ignored), at most a minute. */
const retryAfterMsOf = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d+$/.test(header) ? Math.min(Number(header), 60) * 1000 : undefined;

interface JsonRpcResponse {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
}

/**
 * Status codes that providers use to refuse unsupported methods or parameters. The body is then a JSON-RPC
 * error.
 */
const refusingStatuses = new Set([403, 404, 405, 410, 501]);

/**
 * Returns the JSON-RPC error in the body of a refusing status, as an error for an unsupported method; null if
 * there is none.
 */
const refusalIn = (status: number, text: string): RpcError | null => {
  if (!refusingStatuses.has(status)) return null;
  try {
    const { error } = (parseRpcJson(text) ?? {}) as JsonRpcResponse;
    if (typeof error?.code !== 'number') return null;
    return new RpcError(rpcErrorCodes.methodNotFound, String(error.message), error.data);
  } catch {
    return null;
  }
};

/**
 * Returns the failure for a status that carries no response, or null if the body may contain a response. Some
 * providers send JSON-RPC errors with status 400.
 */
export const statusFailure = (
  status: number,
  retryAfter: string | string[] | undefined,
  text: string,
): NodeFailure | RpcError | null => {
  if (status === 200 || status === 400) return null;
  if (status !== 429)
    return refusalIn(status, text) ?? new NodeFailure('http-error', { mayHaveArrived: true });
  const retryAfterMs = retryAfterMsOf(retryAfter);
  return new NodeFailure('rate-limited', {
    mayHaveArrived: false,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
};

/**
 * Returns the result of the response to request `id`. Throws `RpcError` for a JSON-RPC error, and
 * `NodeFailure` for other text.
 */
export const resultOf = (text: string, id: number): unknown => {
  let response: JsonRpcResponse | null;
  try {
    response = parseRpcJson(text) as JsonRpcResponse | null;
  } catch (error) {
    throw new NodeFailure('garbage', { mayHaveArrived: true, cause: error });
  }
  if (typeof response !== 'object' || response === null)
    throw new NodeFailure('garbage', { mayHaveArrived: true });
  const { error } = response;
  if (typeof error === 'object' && error !== null && typeof error.code === 'number') {
    if (error.code === 429 || error.code === -32429) {
      throw new NodeFailure('rate-limited', { mayHaveArrived: false });
    }
    throw new RpcError(error.code, String(error.message), error.data);
  }
  if (response.id !== id || response.result === undefined)
    throw new NodeFailure('garbage', { mayHaveArrived: true });
  return response.result;
};

const longDigits = /\d{16}/;
const integer = /^-?\d+$/;

/** A reviver of `JSON.parse`, to which it passes the source text of a primitive since ECMAScript 2026. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const keepBigIntegers: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && integer.test(source)
    ? BigInt(source)
    : value;

/**
 * Parses a response. A reviver makes parsing about eight times slower (it visits every field), so one is used
 * only if the text contains a run of 16 digits, the shortest integer that a double can round.
 */
export const parseRpcJson = (text: string): unknown =>
  longDigits.test(text)
    ? JSON.parse(text, keepBigIntegers as Parameters<typeof JSON.parse>[1])
    : JSON.parse(text);
