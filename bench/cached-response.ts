// The cached read that the HTTP and MCP benchmarks measure, and the server settings that both use.
import { pino } from 'pino';
import { z } from 'zod';
import type { HttpConfig } from '../src/http/pipeline/http-config.ts';
import type { Route } from '../src/http/pipeline/route.ts';
import type { Logger } from '../src/kernel/log/logger.ts';
import { defineOperation } from '../src/operations/operation.ts';

/** Too high to be reached during a measurement. */
export const BENCH_RATE_LIMIT = 100_000_000;

// A body of 1.6 KB, about the size of a validator profile.
const members = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`member${index}`, 'x'.repeat(20)]),
);

/** Route whose response is cached for an hour. */
export const cachedRoute: Route = {
  operation: defineOperation({
    name: 'validatorProfile',
    summary: 'A cached response',
    description: 'A cached response.',
    effect: 'read',
    input: z.object({}),
    output: z.looseObject({}),
    errors: [],
    run: async () => ({ body: members }),
  }),
  method: 'GET',
  path: '/api/v1/validator',
  browsers: 'public',
  tag: 'Validator',
  cacheTtlSeconds: 3600,
};

export const benchConfig: HttpConfig = {
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  trustedProxies: [],
  allowedOrigins: [],
  rateLimit: BENCH_RATE_LIMIT,
  sandboxMode: false,
  oneShotLoopback: false,
};

/** Creates a logger like the service's default logger. */
export const benchLogger = pino({ level: 'info' }) as Logger;

/** Sends the port to the parent, and then the CPU time whenever the parent requests it. */
export const serveParent = (port: number): void => {
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
  process.send?.({ port });
};
