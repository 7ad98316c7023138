// One contestant of the cached GET, as a process of its own: `control` is bare node:http with the limiter and the headers, `service` is the real window.
import { createServer } from 'node:http';
import { pino } from 'pino';
import { z } from 'zod';
import { createRateLimit } from '../src/http/rate-limit.ts';
import { createHttpServer } from '../src/http/server.ts';
import { systemClock } from '../src/kernel/clock.ts';
import type { Logger } from '../src/kernel/logger.ts';
import type { Context } from '../src/operations/context.ts';
import { defineOperation } from '../src/operations/operation.ts';

const PATH = '/api/v1/validator';
const LIMIT = 100_000_000;
// 1.6 KB, about the size of a validator profile.
const members = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`member${index}`, 'x'.repeat(20)]),
);

const profile = defineOperation({
  name: 'profile',
  summary: 'A cached answer',
  description: 'A cached answer.',
  effect: 'read',
  input: z.object({}),
  output: z.looseObject({}),
  errors: [],
  run: async () => ({ body: members }),
});

const startService = async (): Promise<number> => {
  const server = await createHttpServer({
    routes: [
      {
        operation: profile,
        method: 'GET',
        path: PATH,
        browsers: 'public',
        tag: 'Validator',
        cacheTtlSeconds: 3600,
      },
    ],
    ctx: {} as Context,
    config: {
      host: '127.0.0.1',
      port: 0,
      allowedHosts: [],
      trustedProxies: [],
      rateLimit: LIMIT,
      sandboxMode: false,
      oneShotLoopback: false,
    },
    clusterName: () => 'bench',
    logger: pino({ level: 'info' }) as Logger,
    clock: systemClock,
  });
  return server.port;
};

/** The least that answers the same bytes with the same headers behind the same limiter. */
const startControl = async (service: number): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${service}${PATH}`);
  const body = Buffer.from(await answer.arrayBuffer());
  const own = ['connection', 'date', 'keep-alive', 'ratelimit', 'ratelimit-policy', 'x-request-id'];
  const fixed = [...answer.headers].filter(([name]) => !own.includes(name)).flat();
  const limit = createRateLimit(LIMIT, () => performance.now());
  let count = 0;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== PATH) {
      response.writeHead(404).end();
      return;
    }
    count += 1;
    const { headers } = limit(request.socket.remoteAddress ?? '');
    response.writeHead(200, ['x-request-id', `control-${count.toString(36)}`, ...headers, ...fixed]);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
};

const service = await startService();
const port = process.argv[2] === 'control' ? await startControl(service) : service;
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.send?.({ port });
