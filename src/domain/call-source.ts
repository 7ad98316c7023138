// The interface a call came through: stored with records, and used to phrase guidance.

/** `rest`: a program of the caller's own. */
export const CALL_SOURCES = ['rest', 'page', 'client', 'cli', 'mcp-stdio', 'mcp', 'actions'] as const;

/** Through what a call came in. */
export type CallSource = (typeof CALL_SOURCES)[number];

/** The request header by which the page, the client, the command line and its MCP server name themselves. */
export const SOURCE_HEADER = 'holdfast-client';

const NAMED: ReadonlySet<string> = new Set(['page', 'client', 'cli', 'mcp-stdio'] satisfies CallSource[]);

/** What a REST request says of itself in `SOURCE_HEADER`; anything unknown is `rest`. Believed for statistics and phrases only. */
export const callSourceOf = (header: string | readonly string[] | undefined): CallSource =>
  typeof header === 'string' && NAMED.has(header) ? (header as CallSource) : 'rest';
