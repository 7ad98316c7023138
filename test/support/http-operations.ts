// A few small operations that together cover every part of the HTTP interface without a chain.

import { pino } from 'pino';
import { z } from 'zod';
import { formatSol } from '../../src/domain/lamports.ts';
import type { HttpConfig } from '../../src/http/pipeline/http-config.ts';
import type { Route } from '../../src/http/pipeline/route.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/http/pipeline/server.ts';
import { AppError } from '../../src/kernel/app-error.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { type OperationName, step } from '../../src/kernel/guidance.ts';
import type { Logger } from '../../src/kernel/log/logger.ts';
import type { Context } from '../../src/operations/context.ts';
import { defineOperation } from '../../src/operations/operation.ts';
import { addressSchema, idempotencyKeySchema, sol, solAmount } from '../../src/operations/shared-schemas.ts';

const rawJson = (JSON as unknown as { rawJSON: (text: string) => number }).rawJSON;

/** A valid address for requests. */
export const WALLET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';

/** A read that echoes its parsed input. */
export const readEcho = defineOperation({
  name: 'readEcho' as OperationName,
  summary: 'Echo a wallet.',
  description: 'Gives back what was understood of the request.',
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    limit: z.number().int().min(1).max(200).default(50).meta({ description: 'How many.' }),
    all: z.boolean().optional().meta({ description: 'Everything.' }),
  }),
  output: z.object({ walletAddress: z.string(), limit: z.number(), all: z.boolean().nullable() }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  run: async ({ input }) => ({ body: { ...input, all: input.all ?? null } }),
});

/** A build that echoes the exact amount. */
export const buildEcho = defineOperation({
  name: 'buildEcho' as OperationName,
  summary: 'Echo an amount.',
  description: 'Gives back the amount in SOL, exact to the lamport.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    amountSol: solAmount('The amount.'),
    events: z
      .array(z.enum(['one', 'two']))
      .min(1)
      .max(2)
      .optional()
      .meta({ description: 'Which.' }),
    idempotencyKey: idempotencyKeySchema,
  }),
  output: z.object({ amountSol: sol('The amount.'), idempotencyKey: z.string().nullable() }),
  errors: ['INSUFFICIENT_BALANCE', 'NOT_A_STAKE_ACCOUNT', 'UPSTREAM_UNAVAILABLE'],
  failureTitle: 'Echo failed',
  presentation: { NOT_A_STAKE_ACCOUNT: { title: 'Invalid stake account' } },
  run: async ({ input }) => ({
    body: { amountSol: rawJson(formatSol(input.amountSol)), idempotencyKey: input.idempotencyKey ?? null },
    meta: { nextSteps: { again: step('buildEcho' as OperationName) } },
  }),
});

/** The gate that `actOnGate` waits for, with a record of its calls. One per test. */
export interface Gate {
  readonly open: Promise<void>;
  readonly entered: () => void;
}

/** Creates an operation that responds when the gate opens, or fails on request. */
const createActOnGate = (gate: Gate) =>
  defineOperation({
    name: 'actOnGate' as OperationName,
    summary: 'Wait for the gate.',
    description: 'Answers once the gate is open.',
    effect: 'act',
    input: z.object({ fail: z.enum(['app', 'bug']).optional().meta({ description: 'How to fail.' }) }),
    output: z.object({ done: z.boolean() }),
    errors: ['SUBMISSION_FAILED'],
    failureTitle: 'Act failed',
    run: async ({ input }) => {
      gate.entered();
      await gate.open;
      if (input.fail === 'app')
        throw new AppError('SUBMISSION_FAILED', 'The chain refused.', { body: { signature: 'sig' } });
      if (input.fail === 'bug') throw new TypeError('inner detail at /home/secret');
      return { body: { done: true } };
    },
  });

/** A probe like the service's. */
const probe = defineOperation({
  name: 'health',
  summary: 'Tell whether the process serves.',
  description: 'Answers as soon as the process can serve.',
  effect: 'read',
  input: z.object({}),
  output: z.object({ status: z.string() }),
  errors: ['SHUTTING_DOWN'],
  run: async () => ({ body: { status: 'ok' } }),
});

export const OPEN_GATE: Gate = { open: Promise.resolve(), entered: () => {} };

export const createTestRoutes = (gate: Gate = OPEN_GATE): Route[] => [
  {
    operation: readEcho,
    method: 'GET',
    path: '/read/{walletAddress}',
    browsers: 'public',
    tag: 'Wallet',
    related: { build: 'buildEcho' as OperationName },
  },
  { operation: buildEcho, method: 'POST', path: '/build', browsers: 'public', tag: 'Stake' },
  { operation: createActOnGate(gate), method: 'POST', path: '/act', browsers: 'own-page', tag: 'Stake' },
  { operation: probe, method: 'GET', path: '/health', browsers: 'public', tag: 'Service', unlimited: true },
];

/** A configuration with a free loopback port and a rate limit that tests do not reach. */
export const TEST_CONFIG: HttpConfig = {
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  trustedProxies: [],
  allowedOrigins: [],
  rateLimit: 1_000_000,
  sandboxMode: false,
  oneShotLoopback: false,
};

/** The groups stay empty, because these operations use nothing from the context. */
const NO_CONTEXT = { chain: {}, store: {}, validator: {}, events: {}, service: {} } as Context;

/** Starts a server with the test routes. The test closes it. */
export const startTestServer = (
  options: Partial<Omit<HttpServerOptions, 'config'>> & { config?: Partial<HttpConfig> } = {},
): Promise<HttpServer> =>
  createHttpServer({
    routes: createTestRoutes(),
    ctx: NO_CONTEXT,
    clusterName: () => 'sandbox',
    logger: pino({ level: 'silent' }) as Logger,
    clock: systemClock,
    ...options,
    config: { ...TEST_CONFIG, ...options.config },
  });
