// Serves the metrics on a separate loopback port, not on the public interface.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../config/start-error.ts';
import type { Context } from '../operations/context.ts';
import type { Gauge, Metrics } from './metrics.ts';

interface MetricsServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

const LOOPBACK_NAMES = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

const plain = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

/** Listens on 127.0.0.1. Rejects if the port is in use. `port` 0 picks any free port. */
export const startMetricsServer = async (
  port: number,
  text: () => Promise<string>,
): Promise<MetricsServer> => {
  const server = createServer((request, response) => {
    // Without this check, a web page whose host name resolves to 127.0.0.1 could read the metrics.
    if (!LOOPBACK_NAMES.test(request.headers.host ?? '')) response.writeHead(403, plain).end('Forbidden\n');
    else if (request.url?.split('?')[0] !== '/metrics') response.writeHead(404, plain).end('Not found\n');
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      response.writeHead(405, { ...plain, allow: 'GET, HEAD' }).end('Method not allowed\n');
    else
      void text().then((body) =>
        response
          .writeHead(200, { ...plain, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
          .end(body),
      );
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new StartError(
          `The metrics cannot be served on port ${port}: ${cause.code ?? 'unknown reason'}. Set HOLDFAST_METRICS_PORT to another port.`,
          { cause },
        ),
      ),
    );
    server.listen(port, '127.0.0.1', () => {
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Returns the gauges that are read during a scrape. */
const gaugesOf = ({ chain: { index, submitter }, store: { flights } }: Context): readonly Gauge[] => {
  const health = index?.health();
  const { rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    {
      name: 'holdfast_index_ready',
      help: '1 if the index of stake accounts is ready.',
      value: health ? Number(health.ready) : null,
    },
    {
      name: 'holdfast_index_age_seconds',
      help: 'Time since the list was last known to be complete.',
      value: health?.ageSeconds ?? null,
    },
    {
      name: 'holdfast_index_accounts',
      help: 'Stake accounts in the index.',
      value: health?.accounts ?? null,
    },
    { name: 'holdfast_intents_in_flight', help: 'Intents in progress.', value: flights.size },
    {
      name: 'holdfast_submissions_in_flight',
      help: 'Transactions waiting for confirmation.',
      value: submitter.inFlight,
    },
    { name: 'process_resident_memory_bytes', help: 'Resident memory.', value: rss },
    {
      name: 'process_cpu_seconds_total',
      help: 'User and system CPU time.',
      value: (user + system) / 1e6,
      type: 'counter',
    },
  ];
};

/** Builds the text of one scrape. */
export const metricsText = (metrics: Metrics, ctx: Context, more: readonly Gauge[] = []): string =>
  metrics.render([...gaugesOf(ctx), ...more]);
