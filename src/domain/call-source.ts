// The interface through which a call was made. Stored with records and used to phrase guidance.

/**
 * Names of the interfaces. `rest` is any REST client that does not identify itself, such as the caller's own
 * program.
 */
export const CALL_SOURCES = ['rest', 'page', 'client', 'cli', 'mcp-stdio', 'mcp', 'actions'] as const;

export type CallSource = (typeof CALL_SOURCES)[number];

/**
 * Request header with which the page, the client, the command line and its MCP server identify themselves.
 */
export const SOURCE_HEADER = 'holdfast-client';

const NAMED: ReadonlySet<string> = new Set(['page', 'client', 'cli', 'mcp-stdio'] satisfies CallSource[]);

/**
 * Parses the `SOURCE_HEADER` of a REST request; unknown values become `rest`. Only used for statistics and
 * phrasing.
 */
export const callSourceOf = (header: string | readonly string[] | undefined): CallSource =>
  typeof header === 'string' && NAMED.has(header) ? (header as CallSource) : 'rest';
