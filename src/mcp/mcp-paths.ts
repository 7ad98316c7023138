// Paths of the MCP endpoints, in a separate file, so importing them does not load MCP.

export const STREAMABLE_PATH = '/mcp';
/** Path of the HTTP+SSE transport's stream. */
export const SSE_PATH = '/mcp/sse';
/** Path for messages to the HTTP+SSE transport. */
export const SSE_MESSAGES_PATH = '/mcp/messages';
