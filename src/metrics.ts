// What the service counts while it runs, as Prometheus text: fixed names and labels from closed sets, never an address, a key or a URL.

/** A gauge read when it is asked for. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Null: not known now, and left out. */
  readonly value: number | null;
  /** Default `gauge`. */
  readonly type?: 'gauge' | 'counter';
}

/** How an RPC call ended. */
export type RpcOutcome = 'ok' | 'refused' | 'unavailable' | 'given-up' | 'failed';

/** An answer of the HTTP window. */
export interface ObservedAnswer {
  /** Null: a page, or nothing of ours. */
  readonly endpoint: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly cache: 'hit' | 'fill' | null;
}

/** Counts in memory; they begin anew with the process, as Prometheus expects. */
export interface Metrics {
  readonly answered: (answer: ObservedAnswer) => void;
  readonly rpcCalled: (method: string, outcome: RpcOutcome) => void;
  readonly storeFailed: (operation: string) => void;
  /** The text of `GET /metrics`, with `gauges` at the end. */
  readonly render: (gauges: readonly Gauge[]) => string;
}

/** Upper bounds of the latency buckets, seconds: from answers out of memory to confirmed submissions. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90];

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

type Labels = Readonly<Record<string, string>>;

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
  readonly #series = new Map<string, { readonly counts: number[]; sum: number; count: number }>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  observe(endpoint: string, seconds: number): void {
    const known = this.#series.get(endpoint);
    const series = known ?? { counts: BUCKETS_SECONDS.map(() => 0), sum: 0, count: 0 };
    if (known === undefined) this.#series.set(endpoint, series);
    const bucket = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.counts[bucket]! += 1;
    series.sum += seconds;
    series.count += 1;
  }

  lines(): string[] {
    const lines = head(this.#name, 'histogram', this.#help);
    for (const [endpoint, { counts, sum, count }] of this.#series) {
      let below = 0;
      for (const [i, bound] of BUCKETS_SECONDS.entries()) {
        below += counts[i]!;
        lines.push(line(`${this.#name}_bucket`, { endpoint, le: String(bound) }, below));
      }
      lines.push(
        line(`${this.#name}_bucket`, { endpoint, le: '+Inf' }, count),
        line(`${this.#name}_sum`, { endpoint }, sum),
        line(`${this.#name}_count`, { endpoint }, count),
      );
    }
    return lines;
  }
}

/** Starts at zero. */
export const createMetrics = (): Metrics => {
  const requests = new Counter('holdfast_http_requests_total', 'Answers by endpoint and status.');
  const durations = new Histogram(
    'holdfast_http_request_duration_seconds',
    'From routing to the answer being sent.',
  );
  const cache = new Counter('holdfast_http_cache_total', 'Cached endpoints: hit or fill.');
  const rpc = new Counter('holdfast_rpc_calls_total', 'RPC calls by method and outcome, failover included.');
  const store = new Counter('holdfast_store_errors_total', 'Store operations that failed.');
  return {
    answered: ({ endpoint, status, durationMs, cache: result }) => {
      const name = endpoint ?? 'other';
      requests.add({ endpoint: name, status: String(status) });
      durations.observe(name, durationMs / 1_000);
      if (result !== null) cache.add({ result });
    },
    rpcCalled: (method, outcome) => rpc.add({ method, outcome }),
    storeFailed: (operation) => store.add({ operation }),
    render: (gauges) =>
      [
        ...[requests, durations, cache, rpc, store].flatMap((metric) => metric.lines()),
        ...gauges.flatMap(({ name, help, value, type = 'gauge' }) =>
          value === null ? [] : [...head(name, type, help), line(name, {}, value)],
        ),
        '',
      ].join('\n'),
  };
};
