// Opens MCP: the tools that the settings enable, and the targets of its three paths. The MCP library is loaded
// only once the service is listening.

import type { CachedResponses } from '../adapter/cached-responses.ts';
import { OTHER_PROTOCOL, type ReportedResponse, type Target } from '../adapter/exchange.ts';
import type { MetaSource } from '../adapter/response-meta.ts';
import type { Config } from '../config/config.ts';
import { INTERFACE_VERSION } from '../http/openapi/openapi.ts';
import { allRoutes } from '../http/routes/all-routes.ts';
import { SSE_MESSAGES_PATH, SSE_PATH, STREAMABLE_PATH } from '../mcp/mcp-paths.ts';
import type { McpServing } from '../mcp/mcp-server.ts';
import { createResourceUpdates } from '../mcp/resource-updates.ts';
import { describeTools } from '../mcp/tool-schemas.ts';
import { shownTools } from '../mcp/tools.ts';
import type { SseSessions } from '../mcp/transport/sse-sessions.ts';
import type { Streamable } from '../mcp/transport/streamable-http.ts';
import type { Context } from '../operations/context.ts';

interface McpOptions {
  readonly ctx: Context;
  readonly config: Pick<Config, 'oneShot'>;
  readonly source: MetaSource;
  readonly cachedResponses: CachedResponses;
  /** Called after every completed call, with `POST /mcp#tool` as its name; must not throw. */
  readonly onCall: (call: ReportedResponse) => void;
}

interface McpInterface {
  readonly mounts: readonly Target[];
  /**
   * Ends the streams that would delay shutdown, once the calls in progress on them have received a response.
   */
  readonly drain: () => void;
  /** Loads the library, so the first call does not wait for it. */
  readonly warm: () => void;
}

// Request headers that the MCP specification defines. Agents that run in a page of a listed origin may send
// them.
const PREFLIGHT = [
  'access-control-allow-methods',
  'GET, POST',
  'access-control-allow-headers',
  'Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  'access-control-max-age',
  '7200',
];

export const openMcp = ({ ctx, config, source, cachedResponses, onCall }: McpOptions): McpInterface => {
  const tools = shownTools(config.oneShot === 'on');
  const endpoints = new Map(allRoutes.map((route) => [route.operation, route]));
  const createServing = (): McpServing => ({
    ctx,
    source,
    cachedResponses,
    version: INTERFACE_VERSION,
    endpointOf: (operation) => endpoints.get(operation) ?? null,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    listed: describeTools(tools),
    updates: createResourceUpdates(ctx.chain.index, ctx.clock),
    onCall: ({ tool, status, durationMs }) =>
      onCall({ endpoint: `POST /mcp#${tool.name}`, status, durationMs, cache: null }),
    monotonicMs: () => performance.now(),
  });
  const transports = createTransports(createServing);
  // Shutdown waits for tool calls, because a tool may change the chain.
  const shared = {
    limited: true,
    browsers: 'listed',
    description: OTHER_PROTOCOL,
    preflightHeaders: PREFLIGHT,
    acts: true,
  } as const;
  return {
    mounts: [
      {
        ...shared,
        path: STREAMABLE_PATH,
        methods: ['POST'],
        serve: async (exchange) => (await transports.get()).streamable.serve(exchange),
      },
      {
        ...shared,
        path: SSE_PATH,
        methods: ['GET'],
        serve: async (exchange) => (await transports.get()).sse.open(exchange),
      },
      {
        ...shared,
        path: SSE_MESSAGES_PATH,
        methods: ['POST'],
        serve: async (exchange) => (await transports.get()).sse.deliver(exchange),
      },
    ],
    warm: () => {
      // If preloading fails, the next call reports the failure.
      transports.get().catch(() => undefined);
    },
    drain: transports.drain,
  };
};

interface Transports {
  readonly streamable: Streamable;
  readonly sse: SseSessions;
}

/**
 * Loads the two transports on first use. Their library takes a quarter of the startup time, and describing the
 * tools takes half of the time after the imports (2026-11).
 */
const createTransports = (createServing: () => McpServing) => {
  let loading: Promise<Transports> | null = null;
  let loaded: Transports | null = null;
  let isDraining = false;
  const drain = (): void => {
    isDraining = true;
    loaded?.streamable.drain();
    loaded?.sse.drain();
  };
  const load = async (): Promise<Transports> => {
    const [{ createStreamable }, { createSseSessions }] = await Promise.all([
      import('../mcp/transport/streamable-http.ts'),
      import('../mcp/transport/sse-sessions.ts'),
    ]);
    const serving = createServing();
    loaded = { streamable: createStreamable(serving), sse: createSseSessions(serving) };
    if (isDraining) drain();
    return loaded;
  };
  return {
    get: (): Promise<Transports> => {
      loading ??= load();
      return loading;
    },
    drain,
  };
};
