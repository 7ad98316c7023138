// Where agents find MCP, known without loading it.

/** Streamable HTTP. */
export const STREAMABLE_PATH = '/mcp';
/** The older transport's stream. */
export const SSE_PATH = '/mcp/sse';
/** Where the older transport's messages go. */
export const SSE_MESSAGES_PATH = '/mcp/messages';
