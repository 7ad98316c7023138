import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RpcError } from '../chain/rpc/rpc-error.ts';
import type { RpcPool } from '../chain/rpc/rpc-pool.ts';
import { AppError } from '../kernel/app-error.ts';
import type { Store } from '../store/store.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { observedPool, observedStore } from './metrics-observers.ts';
import { startMetricsServer } from './metrics-server.ts';
import { rpcNodeGauges } from './rpc-node-gauges.ts';

const linesOf = (metrics: Metrics): string[] => metrics.render([]).split('\n');
const response = { endpoint: 'GET /a/{b}', status: 200, durationMs: 3, cache: null } as const;

test('responses are counted by endpoint and status, and all requests without an endpoint are counted together', () => {
  const metrics = createMetrics();
  metrics.answered(response);
  metrics.answered({ ...response, status: 502 });
  metrics.answered({ ...response, status: 502 });
  metrics.answered({ ...response, endpoint: null, status: 404 });
  assert.deepEqual(
    linesOf(metrics).filter((text) => text.startsWith('holdfast_http_requests_total')),
    [
      'holdfast_http_requests_total{endpoint="GET /a/{b}",status="200"} 1',
      'holdfast_http_requests_total{endpoint="GET /a/{b}",status="502"} 2',
      'holdfast_http_requests_total{endpoint="other",status="404"} 1',
    ],
  );
});

test('the buckets of the histogram are cumulative, and the last one contains everything', () => {
  const metrics = createMetrics();
  for (const durationMs of [0.5, 3, 3, 200_000]) metrics.answered({ ...response, durationMs });
  const buckets = linesOf(metrics).filter((text) => text.includes('_bucket'));
  const value = (le: string) =>
    Number(
      buckets
        .find((text) => text.includes(`le="${le}"`))
        ?.split(' ')
        .at(-1),
    );
  assert.deepEqual(
    [value('0.001'), value('0.0025'), value('0.005'), value('90'), value('+Inf')],
    [1, 1, 3, 3, 4],
  );
  const counts = buckets.map((text) => Number(text.split(' ').at(-1)));
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  );
  assert.ok(linesOf(metrics).some((text) => /_sum\{.*\} 200\.0065$/.test(text)));
});

test('every line is valid Prometheus text, even with a label that needs escaping', () => {
  const metrics = createMetrics();
  metrics.answered({ ...response, endpoint: 'a "b" \\ \n c', cache: 'hit' });
  metrics.rpcCalled('getSlot', 'ok');
  metrics.storeFailed('intents.find');
  const text = metrics.render([
    { name: 'known', help: 'Known.', value: 2 },
    { name: 'unknown', help: 'Unknown.', value: null },
  ]);
  assert.ok(text.endsWith('\n'));
  for (const row of text.trimEnd().split('\n'))
    assert.match(
      row,
      /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="([^"\\\n]|\\["\\n])*"(,[a-z_]+="([^"\\\n]|\\["\\n])*")*\})? [0-9.e+-]+)$/,
    );
  assert.ok(text.includes('\nknown 2\n') && !text.includes('unknown'));
});

test('RPC calls are counted by outcome, and results and errors pass through unchanged', async () => {
  const ends: Record<string, () => Promise<unknown>> = {
    good: async () => 7,
    away: () => Promise.reject(new AppError('UPSTREAM_UNAVAILABLE', 'away')),
    wrong: () => Promise.reject(new RpcError(-32_602, 'wrong', undefined)),
    bug: () => Promise.reject(new TypeError('bug')),
  };
  const seen: string[] = [];
  const pool = observedPool(
    { call: ({ method }: { method: string }) => ends[method]!() } as unknown as RpcPool,
    { rpcCalled: (method, outcome) => void seen.push(`${method} ${outcome}`) },
  );
  const call = (method: string, signal = new AbortController().signal) =>
    pool.call({ method, params: [], schema: undefined as never }, { signal });
  assert.equal(await call('good'), 7);
  await assert.rejects(call('away'), /away/);
  await assert.rejects(call('wrong'), /wrong/);
  await assert.rejects(call('bug'), TypeError);
  await assert.rejects(call('away', AbortSignal.abort()), /away/);
  assert.deepEqual(seen, ['good ok', 'away unavailable', 'wrong refused', 'bug failed', 'away given-up']);
});

test('RPC nodes are numbered as in the settings, and their URLs never appear', () => {
  const node = { origin: 'https://rpc.example', lastOkAtMs: null, lastError: null };
  const pool = {
    health: () => [
      { ...node, index: 0, role: 'read', ok: true, latencyMs: 41 } as const,
      { ...node, index: 1, role: 'send', ok: false, latencyMs: null } as const,
    ],
  };
  const text = createMetrics().render(rpcNodeGauges(pool));
  assert.deepEqual(text.match(/^holdfast_rpc_node.*$/gm), [
    'holdfast_rpc_node_up{node="1",role="read"} 1',
    'holdfast_rpc_node_up{node="2",role="send"} 0',
    'holdfast_rpc_node_latency_seconds{node="1",role="read"} 0.041',
  ]);
  assert.ok(!text.includes('rpc.example'));
});

test('delivery attempts are counted by outcome, and a latency is only recorded for accepted ones', () => {
  const metrics = createMetrics();
  metrics.webhookAttempted({ outcome: 'timeout', durationMs: 15_000, latencyMs: 15_100 });
  metrics.webhookAttempted({ outcome: 'delivered', durationMs: 20, latencyMs: 400_000 });
  const rows = linesOf(metrics).filter((text) => text.startsWith('holdfast_webhook'));
  assert.deepEqual(
    rows.filter((text) => /_total|_count|_sum/.test(text)),
    [
      'holdfast_webhook_attempts_total{outcome="timeout"} 1',
      'holdfast_webhook_attempts_total{outcome="delivered"} 1',
      'holdfast_webhook_attempt_duration_seconds_sum{outcome="timeout"} 15',
      'holdfast_webhook_attempt_duration_seconds_count{outcome="timeout"} 1',
      'holdfast_webhook_attempt_duration_seconds_sum{outcome="delivered"} 0.02',
      'holdfast_webhook_attempt_duration_seconds_count{outcome="delivered"} 1',
      'holdfast_webhook_delivery_latency_seconds_sum{outcome="delivered"} 400',
      'holdfast_webhook_delivery_latency_seconds_count{outcome="delivered"} 1',
    ],
  );
  assert.ok(
    rows.includes('holdfast_webhook_delivery_latency_seconds_bucket{outcome="delivered",le="300"} 0'),
  );
  assert.ok(
    rows.includes('holdfast_webhook_delivery_latency_seconds_bucket{outcome="delivered",le="1800"} 1'),
  );
});

test('store failures are counted, but errors made by the caller are not', async () => {
  const seen: string[] = [];
  const failing = (error: Error) => ({ find: () => Promise.reject(error) });
  const port = { all: async () => new Map([['a', 1]]) };
  const store = observedStore(
    {
      intents: failing(new AppError('STORE_UNAVAILABLE', 'gone')),
      transactions: failing(new AppError('VALIDATION_ERROR', 'no cursor')),
      settledRewards: {},
      samples: {},
      watched: {},
      delegators: {},
      webhooks: {},
      outbox: {},
      policies: {},
      counters: port,
    } as unknown as Store,
    { storeFailed: (operation) => void seen.push(operation) },
  );
  await assert.rejects(store.intents.find(undefined as never), /gone/);
  await assert.rejects(store.transactions.find([]), /no cursor/);
  assert.deepEqual(await store.counters.all(), new Map([['a', 1]]));
  assert.deepEqual(seen, ['intents.find']);
});

test('the metrics have their own port with a single read-only path, which only accepts loopback host names', async (t) => {
  const server = await startMetricsServer(0, async () => 'up 1\n');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${server.port}/metrics`;
  const answered = await fetch(url);
  assert.deepEqual([answered.status, await answered.text()], [200, 'up 1\n']);
  assert.match(answered.headers.get('content-type') ?? '', /version=0\.0\.4/);
  assert.equal(answered.headers.get('access-control-allow-origin'), null);
  assert.equal((await fetch(new URL('/', url))).status, 404);
  assert.equal((await fetch(url, { method: 'POST' })).status, 405);
  const { request } = await import('node:http');
  const status = await new Promise((resolve) => {
    request(url, { headers: { host: 'evil.example' } }, ({ statusCode }) => resolve(statusCode)).end();
  });
  assert.equal(status, 403);
});
