// Paths of the MCP endpoints. A separate file, so that importing them does not load MCP.

/** Streamable HTTP. */
export const STREAMABLE_PATH = '/mcp';
/** The HTTP+SSE transport's stream. */
export const SSE_PATH = '/mcp/sse';
/** Path for messages of the HTTP+SSE transport. */
export const SSE_MESSAGES_PATH = '/mcp/messages';
