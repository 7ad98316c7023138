// Requests and errors of JSON-RPC 2.0.

import { stringifyJson } from '../runtime-client.ts';

/** One request. `params` is empty unless positional parameters were sent. */
export type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };

/** Formats an error response as text. */
export function rpcError(id: unknown, code: number, message: string, data?: unknown): string {
  return stringifyJson({
    jsonrpc: '2.0',
    error: { code, message, ...(data === undefined ? {} : { data }) },
    id,
  });
}

/** Returns the call in a parsed body, or `null` if the body contains none. */
export function callOf(value: unknown): Call | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id = null, method, params } = value as Record<string, unknown>;
  if (typeof method !== 'string') return null;
  return { id, method, params: Array.isArray(params) ? params : [] };
}
