// An MCP client such as a third party would write: it uses JSON-RPC over `fetch`, protocol 2026-07-28, and no
// code from this project.
import { Refusal } from './http-client.ts';
import { type Send, sendOnce } from './send-with-rate-limit.ts';

const PROTOCOL = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const ENVELOPE = {
  [`${META}protocolVersion`]: PROTOCOL,
  [`${META}clientInfo`]: { name: 'holdfast-demo', version: '1.0.0' },
  [`${META}clientCapabilities`]: {},
};

/** Reads the response to a request, which is JSON or the last event of a stream. */
// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
const readResponse = async (answer: Response): Promise<any> => {
  const text = await answer.text();
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return JSON.parse(text);
  const last = text.split('\n').findLast((line) => line.startsWith('data: '));
  return JSON.parse((last ?? 'data: {}').slice('data: '.length));
};

export const createMcpClient = (baseUrl: string, send: Send = sendOnce) => {
  let id = 0;
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  const request = async (method: string, params: Record<string, unknown>, name?: string): Promise<any> => {
    id += 1;
    const answer = await send(new URL('/mcp', baseUrl), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PROTOCOL,
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': name }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: ENVELOPE } }),
    });
    const response = await readResponse(answer);
    // The request was refused before its message was parsed, because of the rate limit or because a key was
    // sent over plain HTTP.
    if (response.errorCode !== undefined) throw new Refusal(answer.status, response);
    if (response.error !== undefined) throw new Error(`${method}: ${response.error.message}`);
    return response.result;
  };
  return {
    /** Lists the names of the tools. */
    tools: async (): Promise<readonly string[]> =>
      (await request('tools/list', {})).tools.map(({ name }: { name: string }) => name),
    /** Calls a tool. Rejects with a `Refusal` if the tool reports an error. */
    // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
    call: async (name: string, args: object = {}): Promise<any> => {
      const { structuredContent, isError } = await request('tools/call', { name, arguments: args }, name);
      if (isError) throw new Refusal(400, structuredContent);
      return structuredContent;
    },
    // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
    read: async (uri: string): Promise<any> =>
      JSON.parse((await request('resources/read', { uri }, uri)).contents[0].text),
  };
};

export type McpClient = ReturnType<typeof createMcpClient>;
