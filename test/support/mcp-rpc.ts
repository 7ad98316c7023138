// A minimal MCP client that sends one JSON-RPC message with fetch, so tests see the wire format.
import { patience } from './patience.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

/** Protocol version of a request. */
export type McpEra = 'modern' | 'legacy';

const META = 'io.modelcontextprotocol/';

/** The envelope of requests in protocol version 2026-07-28. */
export const MCP_ENVELOPE = {
  [`${META}protocolVersion`]: '2026-07-28',
  [`${META}clientInfo`]: { name: 'by-hand', version: '1' },
  [`${META}clientCapabilities`]: {},
};

export const mcpHeaders = (era: McpEra, method: string, name?: string): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...(era === 'modern' ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method } : {}),
  ...(era === 'modern' && name !== undefined ? { 'mcp-name': name } : {}),
});

/** Returns the text of a message that calls a tool. `rawArguments` is JSON text. */
export const toolMessage = (
  era: McpEra,
  name: string,
  rawArguments: string,
  id: string | number = 1,
): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${rawArguments}${
    era === 'modern' ? `,"_meta":${JSON.stringify(MCP_ENVELOPE)}` : ''
  }}}`;

/** Reads the JSON-RPC response from an HTTP response, as JSON or as a server-sent event. */
export const rpcResponse = async (response: Response): Promise<Json> => {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return JSON.parse(text);
  const data = text.split('\n').findLast((line) => line.startsWith('data: '));
  return JSON.parse(data!.slice('data: '.length));
};

export const postMcp = (url: string, body: string, headers: Record<string, string>): Promise<Response> =>
  fetch(new URL('/mcp', url), { method: 'POST', headers, body, signal: patience() });

/** Calls a tool and returns the HTTP response. */
export const callToolRaw = (
  url: string,
  name: string,
  rawArguments: string,
  { era = 'modern', headers = {} }: { era?: McpEra; headers?: Record<string, string> } = {},
): Promise<Response> =>
  postMcp(url, toolMessage(era, name, rawArguments), { ...mcpHeaders(era, 'tools/call', name), ...headers });

/** Calls a tool and returns its result: content, structuredContent, isError. */
export const callTool = async (
  url: string,
  name: string,
  args: object = {},
  era: McpEra = 'modern',
): Promise<Json> => {
  const { result, error } = await rpcResponse(await callToolRaw(url, name, JSON.stringify(args), { era }));
  if (error) throw new Error(`${name}: ${error.code} ${error.message}`);
  return result;
};
