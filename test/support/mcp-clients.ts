// Connects the official client over every supported transport: both protocol versions over Streamable HTTP, and
// the older HTTP+SSE.
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Scope } from './temporary-folder.ts';

type McpWay = 'auto' | '2026-07-28' | '2025' | 'sse';

export const MCP_WAYS: readonly McpWay[] = ['auto', '2026-07-28', '2025', 'sse'];

const modeOf = (way: McpWay) =>
  way === 'auto' ? 'auto' : way === '2026-07-28' ? { pin: '2026-07-28' } : ('legacy' as const);

/** Connects to the service at `url`. Closes the connection when the scope ends. */
export const connectMcp = async (
  scope: Scope,
  url: string,
  way: McpWay = 'auto',
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> => {
  const client = new Client({ name: 'holdfast-test', version: '1' }, {
    versionNegotiation: { mode: modeOf(way) },
  } as ConstructorParameters<typeof Client>[1]);
  const requestInit = { headers: { ...headers } };
  await client.connect(
    way === 'sse'
      ? new SSEClientTransport(new URL('/mcp/sse', url), { requestInit })
      : new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }),
  );
  scope.after(() => client.close());
  return client;
};
