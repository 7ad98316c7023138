// Runs one of the two servers of the cached GET benchmark in its own process: `control` is bare node:http
// with the rate limiter and the headers, `service` is the real server.
import { createServer } from 'node:http';
import { createRateLimit } from '../src/http/guards/rate-limit.ts';
import { createHttpServer } from '../src/http/pipeline/server.ts';
import { systemClock } from '../src/kernel/clock.ts';
import type { Context } from '../src/operations/context.ts';
import { BENCH_RATE_LIMIT, benchConfig, benchLogger, cachedRoute, serveParent } from './cached-response.ts';

const startService = async (): Promise<number> => {
  const server = await createHttpServer({
    routes: [cachedRoute],
    ctx: { service: {} } as Context,
    config: benchConfig,
    clusterName: () => 'bench',
    logger: benchLogger,
    clock: systemClock,
  });
  return server.port;
};

/** Starts a minimal server that sends the same bytes and headers and uses the same rate limiter. */
const startControl = async (service: number): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${service}${cachedRoute.path}`);
  const body = Buffer.from(await answer.arrayBuffer());
  const own = ['connection', 'date', 'keep-alive', 'ratelimit', 'ratelimit-policy', 'x-request-id'];
  const fixed = [...answer.headers].filter(([name]) => !own.includes(name)).flat();
  const limit = createRateLimit(BENCH_RATE_LIMIT, () => performance.now());
  let count = 0;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== cachedRoute.path) {
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
serveParent(process.argv[2] === 'control' ? await startControl(service) : service);
