// Runs the whole MCP interface with three small operations inside the test's process, without a chain and with
// internals that a test can count.

import { pino } from 'pino';
import { z } from 'zod';
import { createCachedResponses } from '../../src/adapter/cached-responses.ts';
import { OTHER_PROTOCOL } from '../../src/adapter/exchange.ts';
import type { HttpConfig } from '../../src/http/pipeline/http-config.ts';
import type { Route } from '../../src/http/pipeline/route.ts';
import { createHttpServer } from '../../src/http/pipeline/server.ts';
import { AppError } from '../../src/kernel/app-error.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import type { OperationName } from '../../src/kernel/guidance.ts';
import type { Logger } from '../../src/kernel/log/logger.ts';
import type { SecretBytes } from '../../src/kernel/secret-bytes.ts';
import { SSE_MESSAGES_PATH } from '../../src/mcp/mcp-paths.ts';
import type { McpServing } from '../../src/mcp/mcp-server.ts';
import { createResourceUpdates } from '../../src/mcp/resource-updates.ts';
import { ACTS, type McpTool, READS } from '../../src/mcp/tool.ts';
import { describeTools } from '../../src/mcp/tool-schemas.ts';
import { createSseSessions } from '../../src/mcp/transport/sse-sessions.ts';
import type { StreamLimits } from '../../src/mcp/transport/stream-limits.ts';
import { createStreamable } from '../../src/mcp/transport/streamable-http.ts';
import { secretKeySchema } from '../../src/operations/act/one-shot-schemas.ts';
import type { Context } from '../../src/operations/context.ts';
import { defineOperation } from '../../src/operations/operation.ts';
import { solAmount } from '../../src/operations/shared-schemas.ts';
import { printGuidance } from './guidance-text.ts';
import { type Gate, OPEN_GATE, TEST_CONFIG } from './http-operations.ts';
import type { Scope } from './temporary-folder.ts';

/** A recorded call of an operation. */
interface SeenCall {
  readonly name: string;
  readonly source: string;
  readonly client: string;
  readonly amountLamports?: bigint;
  readonly secret?: SecretBytes;
  readonly signal: AbortSignal;
}

const operationsOver = (gate: Gate, seen: SeenCall[]) => {
  const counts = { fills: 0 };
  const cached = defineOperation({
    name: 'cached' as OperationName,
    summary: 'A cached response',
    description: 'Cached.',
    effect: 'read',
    input: z.object({}),
    output: z.object({ fills: z.number(), text: z.string() }),
    errors: [],
    run: async () => {
      counts.fills += 1;
      return { body: { fills: counts.fills, text: 'one "quoted" ’word’' } };
    },
  });
  const wait = defineOperation({
    name: 'wait' as OperationName,
    summary: 'Waits',
    description: 'Answers when the gate opens, or fails as told.',
    effect: 'act',
    input: z.object({
      amountSol: solAmount('An amount.').optional(),
      fail: z.enum(['app', 'bug']).optional(),
    }),
    output: z.object({ memo: z.string() }),
    errors: ['SUBMISSION_FAILED'],
    run: async ({ input, source, client, signal }) => {
      seen.push({
        name: 'wait',
        source,
        client,
        signal,
        ...(input.amountSol === undefined ? {} : { amountLamports: input.amountSol }),
      });
      gate.entered();
      await gate.open;
      if (input.fail === 'app')
        throw new AppError('SUBMISSION_FAILED', 'The chain refused.', { retryAfterSeconds: 7 });
      if (input.fail === 'bug') throw new TypeError('inner detail at /home/secret');
      return { body: { memo: 'a\u0000b\u202ec\nd' } };
    },
  });
  const sign = defineOperation({
    name: 'sign' as OperationName,
    summary: 'Signs',
    description: 'Takes a key.',
    effect: 'act',
    input: z.object({ secretKey: secretKeySchema }),
    output: z.object({ keyBytes: z.number() }),
    errors: ['INVALID_SECRET_KEY'],
    run: async ({ input, source, client, signal }) => {
      if (input.secretKey.length === 0) throw new AppError('INVALID_SECRET_KEY', 'That is not a key.');
      seen.push({ name: 'sign', source, client, secret: input.secretKey, signal });
      gate.entered();
      await gate.open;
      // The key must still exist after the wait, because it is wiped only when the call has ended.
      return { body: { keyBytes: input.secretKey.use((bytes) => bytes.length) } };
    },
  });
  return { cached, wait, sign };
};

export interface McpFixture {
  readonly url: string;
  readonly seen: readonly SeenCall[];
  readonly calls: readonly string[];
  readonly logged: () => string;
  readonly streams: () => number;
  readonly serving: McpServing;
  /** Stops the interface as the service does. */
  readonly close: () => Promise<void>;
}

/** Starts the interface. Closes it when the scope ends. */
export const startMcpFixture = async (
  scope: Scope,
  options: {
    readonly gate?: Gate;
    readonly limits?: Partial<StreamLimits>;
    readonly clock?: Clock;
    readonly config?: Partial<HttpConfig>;
    readonly index?: Parameters<typeof createResourceUpdates>[0];
  } = {},
): Promise<McpFixture> => {
  const { gate = OPEN_GATE, limits = {}, clock = systemClock, config } = options;
  const seen: SeenCall[] = [];
  const calls: string[] = [];
  const { cached, wait, sign } = operationsOver(gate, seen);
  const shared = { browsers: 'public', tag: 'Service' } as const;
  const routes: Route[] = [
    { ...shared, operation: cached, method: 'GET', path: '/cached', cacheTtlSeconds: 60 },
    { ...shared, operation: wait, method: 'POST', path: '/wait' },
    { ...shared, operation: sign, method: 'POST', path: '/sign', carriesSecretKey: true },
  ];
  const tools: McpTool[] = [
    { name: 'get_cached', title: 'Cached', description: 'Cached.', operation: cached, annotations: READS },
    { name: 'wait', title: 'Wait', description: 'Waits.', operation: wait, annotations: ACTS },
    {
      name: 'sign',
      title: 'Sign',
      description: 'Signs.',
      operation: sign,
      annotations: ACTS,
      carriesSecretKey: true,
    },
  ];
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) as Logger;
  const ctx = { clock, logger, service: { publicUrl: () => 'http://here' } } as unknown as Context;
  const source = { documentationUrl: 'http://here/docs', clusterName: () => 'test', printGuidance };
  const responses = createCachedResponses({ ctx, source, clock });
  const serving: McpServing = {
    ctx,
    source,
    cachedResponses: responses,
    version: '1.0.0',
    endpointOf: (operation) => routes.find((route) => route.operation === operation) ?? null,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    listed: describeTools(tools),
    updates: createResourceUpdates(options.index ?? null, clock),
    onCall: ({ tool, status }) => void calls.push(`${tool.name} ${status}`),
    monotonicMs: () => performance.now(),
  };
  const streamable = createStreamable(serving, limits);
  const sse = createSseSessions(serving, limits);
  const mount = { description: OTHER_PROTOCOL, limited: true, browsers: 'listed', acts: true } as const;
  const server = await createHttpServer({
    routes,
    ctx,
    logger,
    clock,
    cachedResponses: responses,
    clusterName: source.clusterName,
    mounts: [
      { ...mount, path: '/mcp', methods: ['POST'], serve: streamable.serve },
      { ...mount, path: '/mcp/sse', methods: ['GET'], serve: sse.open },
      { ...mount, path: SSE_MESSAGES_PATH, methods: ['POST'], serve: sse.deliver },
    ],
    config: { ...TEST_CONFIG, sandboxMode: true, ...config },
  });
  const close = (): Promise<void> => {
    streamable.drain();
    sse.drain();
    return server.close();
  };
  scope.after(close);
  return { url: server.url, seen, calls, logged: () => lines.join(''), streams: sse.size, serving, close };
};
