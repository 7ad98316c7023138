// The tools as `tools/list` shows them: made once, because turning schemas costs about a millisecond a tool.
import type { Tool } from '@modelcontextprotocol/server';
import type { McpTool } from './tool.ts';
import { inputSchemaOf, outputSchemaOf } from './tool-schemas.ts';

/** What a client learns of each of `tools`, in their order. */
export const describeTools = (tools: readonly McpTool[]): readonly Tool[] =>
  tools.map((tool) => {
    const { name, title, description, annotations } = tool;
    return {
      ...{ name, title, description },
      inputSchema: inputSchemaOf(tool) as Tool['inputSchema'],
      outputSchema: outputSchemaOf(tool) as Tool['outputSchema'],
      annotations: { title, ...annotations },
    };
  });
