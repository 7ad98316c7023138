// Runs the server of the MCP benchmark in its own process. Serves one cached read over REST and MCP, and
// reports its CPU time on request.

import { createCachedResponses } from '../src/adapter/cached-responses.ts';
import { createGuidancePrinter } from '../src/adapter/print-guidance.ts';
import { createHttpServer } from '../src/http/pipeline/server.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createResourceUpdates } from '../src/mcp/resource-updates.ts';
import { type McpTool, READS } from '../src/mcp/tool.ts';
import { describeTools } from '../src/mcp/tool-schemas.ts';
import { createStreamable } from '../src/mcp/transport/streamable-http.ts';
import type { Context } from '../src/operations/context.ts';
import { benchConfig, benchLogger, cachedRoute, serveParent } from './cached-response.ts';

const tool: McpTool = {
  name: 'get_validator_info',
  title: 'A cached response',
  description: 'A cached response.',
  operation: cachedRoute.operation,
  annotations: READS,
};

const ctx = {
  clock: systemClock,
  logger: benchLogger,
  service: { publicUrl: () => 'http://bench' },
} as unknown as Context;
const source = {
  documentationUrl: 'http://bench/docs',
  clusterName: () => 'bench',
  printGuidance: createGuidancePrinter({
    routes: [cachedRoute],
    tools: [tool],
    publicUrl: ctx.service.publicUrl,
  }),
};
const cachedResponses = createCachedResponses({ ctx, source, clock: systemClock });
const { serve } = createStreamable({
  ctx,
  source,
  cachedResponses,
  version: '1.0.0',
  endpointOf: () => cachedRoute,
  tools: new Map([[tool.name, tool]]),
  listed: describeTools([tool]),
  updates: createResourceUpdates(null, systemClock),
  onCall: () => {},
  monotonicMs: () => performance.now(),
});

const server = await createHttpServer({
  routes: [cachedRoute],
  mounts: [{ path: '/mcp', methods: ['POST'], limited: true, browsers: 'listed', acts: true, serve }],
  cachedResponses,
  ctx,
  config: benchConfig,
  clusterName: source.clusterName,
  logger: benchLogger,
  clock: systemClock,
});
serveParent(server.port);
process.once('SIGINT', () => process.exit());
