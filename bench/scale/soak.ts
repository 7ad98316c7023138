// `npm run soak -- [--hours H] [--write]`: runs two processes on PostgreSQL and Redis under mixed load while
// components fail one after another. Then checks every acknowledged request and every event against the chain.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { readOptions } from '../../scripts/command-options.ts';
import { startFaultyProxy } from '../../test/support/faulty-proxy.ts';
import { lastingPort } from '../../test/support/free-port.ts';
import { haproxyMissing, startHaproxy } from '../../test/support/haproxy.ts';
import { type LineChart, lineChartsSvg } from '../../test/support/line-charts.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { redisProgramMissing, startRedisServer } from '../../test/support/redis-server.ts';
import { replicasMissing } from '../../test/support/replicas.ts';
import { settingsFor, startService, type TestService } from '../../test/support/service-fixture.ts';
import { createTestDatabase } from '../../test/support/store-postgres.ts';
import { startTcpProxy } from '../../test/support/store-tcp-proxy.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { compareActs, DeliveredEvents, expectedFacts, readChain } from './chain-ledger.ts';
import {
  formatFigure,
  fundWallets,
  machineAndTime,
  mediansAtStartAndEnd,
  probeSettings,
  processFigures,
  readPaths,
  readProbe,
  registerWebhooks,
  type Sample,
  startLoadChain,
} from './load-world.ts';
import { actKinds, callJson, MixedLoad } from './mixed-load.ts';
import { endProcess, logLine, scope } from './process-scope.ts';
import { tableOf, writeSection } from './write-section.ts';

const USAGE = `Usage: npm run soak -- [--hours H] [--accounts N] [--epoch-seconds S] [--write] [--note TEXT]

Runs two processes behind haproxy, on PostgreSQL and Redis, for H hours (default 1.5) under mixed load with
faults, then accounts for every acknowledged act and event from the chain. N stake accounts of others (5,000, or
300 in a short soak) are paid at each epoch, which lasts S seconds (default 30). --write puts curves and tables into
docs/; otherwise they go to the temporary folder. Exit code 1 if anything is lost, repeated or unexplained.`;

const { values: options } = readOptions(USAGE, {
  options: {
    hours: { type: 'string', default: '1.5' },
    accounts: { type: 'string' },
    'epoch-seconds': { type: 'string', default: '30' },
    write: { type: 'boolean', default: false },
    note: { type: 'string' },
  },
});
const MINUTE_MS = 60_000;
const DURATION_MS = Number(options.hours) * 60 * MINUTE_MS;
assert.ok(DURATION_MS > 0, '--hours must be a number above 0');
const IS_SHORT = DURATION_MS < 15 * MINUTE_MS;
/**
 * Time in ms from the start of one fault to the start of the next. In a short soak, each kind of fault occurs
 * once.
 */
const PERIOD_MS = Math.min(180_000, DURATION_MS / 14);
const FAULT_MS = Math.min(45_000, PERIOD_MS / 3);
const SAMPLE_MS = Math.max(2_000, DURATION_MS / 300);
const ACCOUNTS = Number(options.accounts ?? (IS_SHORT ? 300 : 5_000));
const EPOCH_SECONDS = Number(options['epoch-seconds']);
const CALLERS = 8;
const WALLETS = CALLERS * (IS_SHORT ? 2 : 5);
/** Number of consecutive successful responses after which the processes count as recovered. */
const IN_A_ROW = 20;
const ANSWER_WITHIN_MS = 20_000;
/**
 * Maximum time in ms for the last requests and events after the load. It exceeds the 5 minutes after which a
 * failed delivery is repeated.
 */
const SETTLE_MS = 8 * MINUTE_MS;

const missing = haproxyMissing() ?? redisProgramMissing() ?? (await replicasMissing());
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}

const folder = temporaryFolder(scope, 'holdfast-soak-');
const { chain, sandbox } = await startLoadChain(scope, { accounts: ACCOUNTS, epochSeconds: EPOCH_SECONDS });
const database = await createTestDatabase();
if (typeof database === 'string') throw new Error(database);
scope.after(() => database.drop());
const databaseUrl = new URL(database.url);
const postgres = await startTcpProxy(scope, Number(databaseUrl.port));
databaseUrl.port = String(postgres.port);
const redisPort = await lastingPort();
let redis = await startRedisServer(scope, redisPort);
const nodes = await Promise.all(
  [1, 2].map((seed) => startFaultyProxy({ target: sandbox.rpcUrl, seed, longestDelayMs: 4_000 })),
);
for (const node of nodes) scope.after(() => node.close());
const [node] = nodes as [(typeof nodes)[number], ...typeof nodes];

const events = new DeliveredEvents();
let isAway = false;
let webhooks: Awaited<ReturnType<typeof registerWebhooks>> = new Map();
const receiver = await startReceiver(scope, ({ path, headers, body }, response) => {
  if (isAway) {
    response.destroy();
    return;
  }
  // A ping may arrive before the response to the registration that triggered it.
  const secret = webhooks.get(path)?.secret;
  try {
    if (secret !== undefined) new Webhook(secret).verify(body, headers as Record<string, string>);
    events.note(path, body);
  } catch (error) {
    events.problems.push(`${path}: ${String(error)}`);
  }
  response.writeHead(204).end();
});

const settings = {
  ...settingsFor(sandbox),
  DATABASE_URL: databaseUrl.href,
  REDIS_URL: `redis://127.0.0.1:${redisPort}`,
  HOLDFAST_RPC_URL: nodes.map(({ url }) => url).join(),
  HOLDFAST_WS_URL: nodes.map(() => sandbox.wsUrl).join(),
  HOLDFAST_SERVER_SECRET: randomBytes(32).toString('hex'),
  HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  HOLDFAST_TRUSTED_PROXIES: '127.0.0.1',
  LOG_LEVEL: 'error',
};
const ports = [await lastingPort(), await lastingPort()] as const;
const probeFile = (place: number): string => join(folder, `probe-${place}.jsonl`);
const startAt = (place: number): Promise<TestService> =>
  startService(
    scope,
    { ...settings, PORT: String(ports[place]), ...probeSettings(probeFile(place)) },
    join(folder, `process-${place}`),
  );
const places = [0, 1] as const;
const services = await Promise.all(places.map(startAt));
const balancer = await startHaproxy(scope, ports);
const restart = async (place: number): Promise<void> => {
  services[place] = await startAt(place);
};

const epochNow = async (): Promise<number> =>
  (await callJson(`${sandbox.controlUrl}/state`, { method: 'GET' })).body.epoch;

const wallets = await fundWallets(sandbox.controlUrl, WALLETS);
// An epoch may end while the webhooks are being registered. Its event may then arrive but is not required.
const registeredInEpoch = await epochNow();
webhooks = await registerWebhooks(services[0]!.url, receiver.url, wallets);
const load = new MixedLoad({
  urls: () => [balancer.url],
  dispatcher: balancer.agent,
  wallets,
  reads: await readPaths(services[0]!.url),
  populated: sandbox.wallet,
  timeoutMs: ANSWER_WITHIN_MS,
});
let turn = 0;
const somePlace = (): number => turn++ % places.length;
const unclean: string[] = [];
const lasts = async (): Promise<void> => delay(FAULT_MS);
/** Faults by name. Each function begins a fault, waits, and ends it. */
const faults: Readonly<Record<string, () => Promise<void>>> = {
  'a process killed with -9': async () => {
    const place = somePlace();
    await services[place]!.process.stop('SIGKILL');
    await lasts();
    await restart(place);
  },
  'an RPC node refuses connections': async () => {
    await node.down();
    await lasts();
    await node.up();
  },
  'PostgreSQL gone': async () => {
    postgres.cut();
    await lasts();
    postgres.mend();
  },
  'a receiver away': async () => {
    isAway = true;
    await lasts();
    isAway = false;
  },
  'a process frozen and woken': async () => {
    const { child } = services[somePlace()]!.process;
    child.kill('SIGSTOP');
    await lasts();
    child.kill('SIGCONT');
  },
  'an RPC node lies': async () => {
    node.setChances({ stale: 0.5, swallow: 0.4 });
    await lasts();
    node.setChances({});
  },
  'Redis gone': async () => {
    await redis.kill();
    await lasts();
    redis = await startRedisServer(scope, redisPort);
  },
  'processes restarted in turn': async () => {
    for (const place of places) {
      const { code } = await services[place]!.process.stop('SIGTERM');
      if (code !== 0) unclean.push(`process ${place} ended with ${code}`);
      await restart(place);
    }
  },
  'an RPC node slow': async () => {
    node.setChances({ delay: 1 });
    await lasts();
    node.setChances({});
  },
  'all processes killed with -9': async () => {
    await Promise.all(services.map(({ process: one }) => one.stop('SIGKILL')));
    await Promise.all(places.map(restart));
  },
  'no RPC node at all': async () => {
    await Promise.all(nodes.map((one) => one.down()));
    await lasts();
    await Promise.all(nodes.map((one) => one.up()));
  },
  'PostgreSQL silent': async () => {
    postgres.silence();
    await lasts();
    postgres.mend();
  },
};

interface FaultRecord {
  readonly name: string;
  readonly atMs: number;
  /** Number of requests until the processes had recovered, and of those that failed. */
  readonly requests: number;
  readonly failed: number;
  readonly overcomeSeconds: number;
}

const firstEpoch = await epochNow();
const startedAtMs = Date.now();
const endsAtMs = startedAtMs + DURATION_MS;
const counts: Sample[] = [];
const chainSamples: Sample[] = [];
const sampling = setInterval(() => {
  const atMs = Date.now();
  const { requests, failed, p50Ms, p99Ms } = load.takeWindow();
  const acts = load.acts.filter(({ outcome }) => outcome === 'acknowledged').length;
  counts.push({ atMs, requests, failed, p50Ms, p99Ms, acts, deliveries: events.deliveries });
  chainSamples.push({ atMs, ...processFigures(chain.child.pid!) });
}, SAMPLE_MS);

const faulted: FaultRecord[] = [];
const injectAll = async (): Promise<void> => {
  const names = Object.keys(faults);
  const overcome = async (): Promise<void> => {
    load.goodInARow = 0;
    while (load.goodInARow < IN_A_ROW && Date.now() < endsAtMs + SETTLE_MS) await delay(50);
  };
  await overcome();
  for (let next = 0; next < names.length || Date.now() + FAULT_MS < endsAtMs; next += 1) {
    const name = names[next % names.length]!;
    const [atMs, { requests, failed }] = [Date.now(), load];
    logLine(`${name} …`);
    await faults[name]!();
    const endedMs = performance.now();
    await overcome();
    const overcomeSeconds = (performance.now() - endedMs) / 1_000;
    faulted.push({
      name,
      atMs,
      requests: load.requests - requests,
      failed: load.failed - failed,
      overcomeSeconds,
    });
    logLine(
      `${name}: ${load.failed - failed} of ${load.requests - requests} requests failed, recovered after ${overcomeSeconds.toFixed(1)} s`,
    );
    const nextAtMs = atMs + PERIOD_MS;
    while (Date.now() < Math.min(nextAtMs, endsAtMs)) await delay(50);
  }
};
const injecting = injectAll();
// The load continues until the last fault has ended, so the recovery happens under load.
let isInjecting = true;
injecting.finally(() => (isInjecting = false)).catch(() => {});
const running = load.run(CALLERS, () => Date.now() >= endsAtMs && !isInjecting);
await Promise.all([injecting, running]);
clearInterval(sampling);
const endedAtMs = Date.now();
logLine('load ended; settling');
const settleUntilMs = endedAtMs + SETTLE_MS;
await load.settle(() => Date.now() > settleUntilMs);

// Once the next epoch begins, every epoch up to now has ended, and its rewards are paid soon after.
const lastEpoch = (await epochNow()) + 1;
while ((await epochNow()) < lastEpoch) await delay(200);
const record = await readChain(
  sandbox.rpcUrl,
  wallets.map(({ walletAddress }) => walletAddress),
);
const paths = new Map([...webhooks].map(([path, { walletAddress }]) => [path, walletAddress]));
const facts = expectedFacts(paths, record.lives, { firstEpoch, epoch: lastEpoch });
logLine(`the chain has ${record.changes.length} changes; ${facts.size} facts are due`);
const undelivered = (): readonly string[] => [...facts].filter((fact) => !events.ids.has(fact));
while (undelivered().length > 0 && Date.now() < settleUntilMs) await delay(500);

const twice = [...events.ids].flatMap(([fact, ids]) =>
  ids.size > 1 ? [`${fact} under ${ids.size} ids`] : [],
);
const untrue = [...events.ids.keys()].filter((fact) => {
  const [path, type, subject] = fact.split(' ') as [string, string, string];
  if (type === 'epoch_complete') return Number(subject) < registeredInEpoch;
  return record.lives.get(subject)?.walletAddress !== paths.get(path);
});
const problems = [
  ...compareActs(load.acts, record),
  ...undelivered().map((fact) => `not delivered: ${fact}`),
  ...twice.map((fact) => `delivered ${fact}`),
  ...untrue.map((fact) => `not true: ${fact}`),
  ...events.problems,
  ...unclean,
];

const probes = places.map((place) =>
  readProbe(probeFile(place)).filter(({ atMs }) => atMs >= startedAtMs && atMs <= endedAtMs),
);
const acts = Object.fromEntries(actKinds.map((kind) => [kind, load.count(kind)]));
const refused = Map.groupBy(
  load.acts.filter(({ outcome }) => outcome === 'refused'),
  ({ kind, detail }) => `${kind} ${detail}`,
);
const repeatedActs = load.acts.filter(({ attempts }) => attempts > 1).length;
const during = faulted.reduce((sum, { failed }) => sum + failed, 0);
const table = tableOf(
  ['', ''],
  [
    [
      'load',
      `${CALLERS} callers, ${WALLETS} wallets, ${ACCOUNTS} stake accounts of others, ${lastEpoch - firstEpoch} epochs of ${EPOCH_SECONDS} s`,
    ],
    ['requests', load.requests.toLocaleString('en')],
    ['responses', [...load.answers].map(([name, count]) => `${name}: ${count}`).join(', ')],
    ['failed requests', `${load.failed}, of which ${during} during a fault or until recovery`],
    [
      'acts acknowledged',
      Object.entries(acts)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', '),
    ],
    ['requests repeated with their key', repeatedActs],
    ['acts refused', [...refused].map(([code, of]) => `${code}: ${of.length}`).join(', ') || 'none'],
    [
      'stake changes on the chain',
      `${record.changes.length}, of ${record.lives.size} stake accounts, of which ${record.existing.size} still exist`,
    ],
    [
      'events due',
      `${facts.size} to ${webhooks.size} webhooks; ${events.deliveries} deliveries arrived, ${events.repeated} of them again under the same id`,
    ],
    ['events under two ids', twice.length],
    ['lost, repeated or unexplained', problems.length],
  ],
);
const figures = [
  ['resident memory', 'rss', 'MB', 1e-6],
  ['heap', 'heapUsed', 'MB', 1e-6],
  ['active handles', 'handles', '', 1],
  ['open descriptors', 'descriptors', '', 1],
] as const;
const medians = tableOf(
  ['medians', 'after warm-up', 'at the end'],
  [
    ...places.flatMap((place) =>
      figures.map(([name, figure, unit, factor]) => {
        const [first, last] = mediansAtStartAndEnd(probes[place]!, figure);
        return [
          `process ${place + 1}, ${name}`,
          formatFigure(first * factor, unit),
          formatFigure(last * factor, unit),
        ];
      }),
    ),
    ...(['p50Ms', 'p99Ms'] as const).map((figure) => {
      const [first, last] = mediansAtStartAndEnd(counts, figure);
      return [
        `response time, ${figure === 'p50Ms' ? 'median' : '99 %'}`,
        formatFigure(first, 'ms'),
        formatFigure(last, 'ms'),
      ];
    }),
    [
      'sandbox, resident memory',
      ...mediansAtStartAndEnd(chainSamples, 'rss').map((rss) => formatFigure(rss * 1e-6, 'MB')),
    ],
  ],
);
const byFault = Map.groupBy(faulted, ({ name }) => name);
const faultTable = tableOf(
  ['fault', 'times', 'requests', 'failed', `longest time to ${IN_A_ROW} good responses in a row`],
  [...byFault].map(([name, of]) => [
    name,
    of.length,
    of.reduce((sum, { requests }) => sum + requests, 0),
    of.reduce((sum, { failed }) => sum + failed, 0),
    `${Math.max(...of.map(({ overcomeSeconds }) => overcomeSeconds)).toFixed(1)} s`,
  ]),
);

const minutesOf = (atMs: number): number => (atMs - startedAtMs) / MINUTE_MS;
const line = (name: string, from: readonly Sample[], figure: string, factor = 1) => {
  const step = Math.max(1, Math.ceil(from.length / 300));
  const chosen = from.filter((sample, at) => at % step === 0 && sample[figure] !== undefined);
  return {
    name,
    points: chosen.map((sample) => [minutesOf(sample.atMs), sample[figure]! * factor] as const),
  };
};
const ofProcesses = (title: string, unit: string, figure: string, factor = 1): LineChart => ({
  title,
  unit,
  lines: places.map((place) => line(`process ${place + 1}`, probes[place]!, figure, factor)),
});
const charts: readonly LineChart[] = [
  ofProcesses('Resident memory', 'MB', 'rss', 1e-6),
  ofProcesses('Heap', 'MB', 'heapUsed', 1e-6),
  ofProcesses('Active handles', 'open', 'handles'),
  ofProcesses('Open descriptors', 'open', 'descriptors'),
  { title: 'Response time, median', unit: 'ms', lines: [line('median', counts, 'p50Ms')] },
  { title: 'Response time, 99 %', unit: 'ms', lines: [line('99 %', counts, 'p99Ms')] },
  {
    title: 'Requests',
    unit: `per ${formatFigure(SAMPLE_MS / 1_000)} s`,
    lines: [line('all', counts, 'requests'), line('failed', counts, 'failed')],
  },
  {
    title: 'Acts and deliveries',
    unit: 'so far',
    lines: [line('acts', counts, 'acts'), line('deliveries', counts, 'deliveries')],
  },
];
const out = options.write ? join(import.meta.dirname, '..', '..', 'docs') : join(tmpdir(), 'holdfast-soak');
mkdirSync(out, { recursive: true });
writeFileSync(
  join(out, 'soak-faults.svg'),
  lineChartsSvg(charts, {
    title: 'SOAK-2: memory, handles, response times and errors under faults',
    marks: faulted.map(({ atMs }) => minutesOf(atMs)),
  }),
);
const commandOf = (): string =>
  process.argv
    .slice(2)
    .filter((one) => one !== '--note' && one !== options.note)
    .join(' ');
const minutes = ((endedAtMs - startedAtMs) / MINUTE_MS).toFixed(0);
writeSection(
  join(out, 'soak.md'),
  'SOAK-2',
  `## SOAK-2

${machineAndTime()}${options.note === undefined ? '' : `, ${options.note}`}: ${minutes} minutes (\`npm run soak -- ${commandOf()}\`). Two processes behind
haproxy, on PostgreSQL and Redis; a fault begins every ${formatFigure(PERIOD_MS / 1_000)} s and lasts ${formatFigure(FAULT_MS / 1_000)} s. The ledger reads every transaction and stake account of the wallets from the chain
and compares them with every acknowledged act and every delivered event. Vertical lines: a fault begins.

![curves](soak-faults.svg)

${table}

${faultTable}

${medians}`,
);

for (const problem of problems.slice(0, 50)) logLine(`PROBLEM ${problem}`);
for (const failure of load.failures.slice(0, 10)) logLine(`failed: ${failure}`);
console.log(`${table}\n\n${faultTable}\n\n${medians}`);
console.log(
  JSON.stringify({
    acts,
    repeatedActs,
    faults: Object.fromEntries([...byFault].map(([name, of]) => [name, of.length])),
    failed: load.failed,
    changes: record.changes.length,
    facts: facts.size,
    deliveries: events.deliveries,
    requests: load.requests,
    lies: node.counts.stale + node.counts.swallow,
    samples: counts.length,
    problems: problems.slice(0, 20),
  }),
);
await endProcess(problems.length === 0 ? 0 : 1);
