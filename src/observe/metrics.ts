// Metrics of the running service as Prometheus text, with fixed names, labels from closed sets, and never an
// address, a key or a URL.

type Labels = Readonly<Record<string, string>>;

/** A gauge that is read during the scrape. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Null if currently unknown, in which case the gauge is omitted. */
  readonly value: number | null;
  /** Default: `gauge`. */
  readonly type?: 'gauge' | 'counter';
  /** Labels with values from closed sets. Gauges with the same name must be listed consecutively. */
  readonly labels?: Labels;
}

/** Result of an RPC call. */
export type RpcOutcome = 'ok' | 'refused' | 'unavailable' | 'given-up' | 'failed';

interface ObservedResponse {
  /** Null for pages and unknown paths. */
  readonly endpoint: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly cache: 'hit' | 'fill' | null;
}

interface ObservedAttempt {
  readonly outcome: string;
  readonly durationMs: number;
  /** Time from the event to the end of the attempt. */
  readonly latencyMs: number;
}

/** Counters in memory. They restart at zero with the process, as Prometheus expects. */
export interface Metrics {
  readonly answered: (response: ObservedResponse) => void;
  readonly rpcCalled: (method: string, outcome: RpcOutcome) => void;
  readonly storeFailed: (operation: string) => void;
  readonly webhookAttempted: (attempt: ObservedAttempt) => void;
  /** Counts a request to the operator console without the operator's token. */
  readonly operatorRefused: () => void;
  /** Builds the text of `GET /metrics`, followed by `gauges`. */
  readonly render: (gauges: readonly Gauge[]) => string;
}

/** Upper bounds of the latency buckets in seconds, ranging from cached responses to confirmed submissions. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90];
/**
 * Upper bounds of the delivery latency buckets in seconds, ranging from the first attempt to the last retry
 * three days later.
 */
const LATENCY_BUCKETS_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400, 259_200];

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const line = (name: string, labels: Labels, value: number): string => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
};

const head = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

class Counter {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<string, { readonly labels: Labels; count: number }>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  add(labels: Labels): void {
    const key = Object.values(labels).join('\n');
    const series = this.#series.get(key);
    if (series) series.count += 1;
    else this.#series.set(key, { labels, count: 1 });
  }

  lines(): string[] {
    return [
      ...head(this.#name, 'counter', this.#help),
      ...[...this.#series.values()].map(({ labels, count }) => line(this.#name, labels, count)),
    ];
  }
}

class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #label: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { readonly counts: number[]; sum: number; count: number }>();

  constructor(name: string, help: string, label: string, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#label = label;
    this.#bounds = bounds;
  }

  observe(value: string, seconds: number): void {
    const known = this.#series.get(value);
    const series = known ?? { counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
    if (known === undefined) this.#series.set(value, series);
    const bucket = this.#bounds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.counts[bucket]! += 1;
    series.sum += seconds;
    series.count += 1;
  }

  lines(): string[] {
    const lines = head(this.#name, 'histogram', this.#help);
    for (const [value, { counts, sum, count }] of this.#series) {
      const labels = { [this.#label]: value };
      let below = 0;
      for (const [i, bound] of this.#bounds.entries()) {
        below += counts[i]!;
        lines.push(line(`${this.#name}_bucket`, { ...labels, le: String(bound) }, below));
      }
      lines.push(
        line(`${this.#name}_bucket`, { ...labels, le: '+Inf' }, count),
        line(`${this.#name}_sum`, labels, sum),
        line(`${this.#name}_count`, labels, count),
      );
    }
    return lines;
  }
}

/** Creates counters that start at zero. */
export const createMetrics = (): Metrics => {
  const requests = new Counter('holdfast_http_requests_total', 'Responses by endpoint and status.');
  const durations = new Histogram(
    'holdfast_http_request_duration_seconds',
    'Time from routing until the response is sent.',
    'endpoint',
    BUCKETS_SECONDS,
  );
  const cache = new Counter('holdfast_http_cache_total', 'Requests to cached endpoints, by hit or fill.');
  const rpc = new Counter('holdfast_rpc_calls_total', 'RPC calls by method and outcome, including failover.');
  const attempts = new Counter(
    'holdfast_webhook_attempts_total',
    'Attempts to deliver a webhook by outcome.',
  );
  const attemptDurations = new Histogram(
    'holdfast_webhook_attempt_duration_seconds',
    'Time from composing until the end of the response.',
    'outcome',
    BUCKETS_SECONDS,
  );
  const latency = new Histogram(
    'holdfast_webhook_delivery_latency_seconds',
    'Time from the event until the receiver accepts it.',
    'outcome',
    LATENCY_BUCKETS_SECONDS,
  );
  const refused = new Counter(
    'holdfast_operator_refused_total',
    'Requests to the operator console without its token.',
  );
  const store = new Counter('holdfast_store_errors_total', 'Store operations that failed.');
  return {
    answered: ({ endpoint, status, durationMs, cache: result }) => {
      const name = endpoint ?? 'other';
      requests.add({ endpoint: name, status: String(status) });
      durations.observe(name, durationMs / 1_000);
      if (result !== null) cache.add({ result });
    },
    rpcCalled: (method, outcome) => rpc.add({ method, outcome }),
    operatorRefused: () => refused.add({}),
    storeFailed: (operation) => store.add({ operation }),
    webhookAttempted: ({ outcome, durationMs, latencyMs }) => {
      attempts.add({ outcome });
      attemptDurations.observe(outcome, durationMs / 1_000);
      if (outcome === 'delivered') latency.observe(outcome, latencyMs / 1_000);
    },
    render: (gauges) =>
      [
        ...[requests, durations, cache, rpc, store, refused, attempts, attemptDurations, latency].flatMap(
          (metric) => metric.lines(),
        ),
        ...gauges
          .filter(({ value }) => value !== null)
          .flatMap(({ name, help, value, type = 'gauge', labels = {} }, at, known) => [
            ...(known[at - 1]?.name === name ? [] : head(name, type, help)),
            line(name, labels, value!),
          ]),
        '',
      ].join('\n'),
  };
};
