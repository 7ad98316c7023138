// SOAK-1: under mixed load for HOLDFAST_SOAK_MINUTES minutes, only the stored data grows, nothing fails, and
// every acknowledged transaction is on the chain.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { compareActs, readChain } from '../../bench/scale/chain-ledger.ts';
import {
  formatFigure,
  fundWallets,
  mediansAtStartAndEnd,
  probeSettings,
  processFigures,
  readPaths,
  readProbe,
  registerWebhooks,
  type Sample,
  startLoadChain,
} from '../../bench/scale/load-world.ts';
import { actKinds, MixedLoad } from '../../bench/scale/mixed-load.ts';
import { tableOf, writeSection } from '../../bench/scale/write-section.ts';
import { type LineChart, lineChartsSvg } from '../support/line-charts.ts';
import { startReceiver } from '../support/receiver.ts';
import { settingsFor, startService } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const FULL_MINUTES = 20;
const MINUTES = Number(process.env.HOLDFAST_SOAK_MINUTES ?? (FULL ? FULL_MINUTES : 0.7));
const ACCOUNTS = FULL ? 5_000 : 300;
const WALLETS = FULL ? 100 : 20;
const EPOCH_SECONDS = 30;
/** Number of concurrent callers. Each pauses between two requests. */
const CALLERS = 10;
const MINUTE_MS = 60_000;
/** The full run's chart is committed as a record. Shorter runs write theirs to the temporary folder. */
const folder =
  FULL && MINUTES >= FULL_MINUTES
    ? join(import.meta.dirname, '..', '..', 'docs')
    : join(tmpdir(), 'holdfast-soak');

const startWorld = async (t: TestContext) => {
  const { chain, sandbox } = await startLoadChain(t, { accounts: ACCOUNTS, epochSeconds: EPOCH_SECONDS });
  const receiver = await startReceiver(t);
  const probeFile = join(temporaryFolder(t), 'probe.jsonl');
  const service = await startService(t, {
    ...settingsFor(sandbox),
    HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'error',
    ...probeSettings(probeFile),
  });
  const wallets = await fundWallets(sandbox.controlUrl, WALLETS);
  const webhooks = await registerWebhooks(service.url, receiver.url, wallets.slice(0, WALLETS / 2));
  return { chain, sandbox, receiver, probeFile, service, wallets, webhooks };
};

const FIGURES = [
  ['resident memory of the service', 'rss', 'MB', 1e-6],
  ['heap of the service', 'heapUsed', 'MB', 1e-6],
  ['active handles', 'handles', '', 1],
  ['sockets', 'sockets', '', 1],
  ['open descriptors', 'descriptors', '', 1],
  ['event-loop delay, median', 'delayP50Ms', 'ms', 1],
  ['event-loop delay, 99 %', 'delayP99Ms', 'ms', 1],
] as const;

test(`SOAK-1 ${MINUTES} minutes of mixed load over ${ACCOUNTS} stake accounts with epochs of ${EPOCH_SECONDS} s`, async (t) => {
  const { chain, sandbox, receiver, probeFile, service, wallets, webhooks } = await startWorld(t);
  const load = new MixedLoad({
    urls: () => [service.url],
    wallets,
    reads: await readPaths(service.url),
    populated: sandbox.wallet,
  });
  const startedAtMs = Date.now();
  const endsAtMs = startedAtMs + MINUTES * MINUTE_MS;
  const chainSamples: Sample[] = [];
  const counts: Sample[] = [];
  const watch = setInterval(() => {
    const atMs = Date.now();
    chainSamples.push({ atMs, ...processFigures(chain.child.pid!) });
    counts.push({
      atMs,
      requests: load.requests,
      acts: load.acts.length,
      deliveries: receiver.received.length,
    });
  }, 2_000);
  await load.run(CALLERS, () => Date.now() >= endsAtMs);
  clearInterval(watch);
  const endedAtMs = Date.now();
  const samples = readProbe(probeFile).filter(({ atMs }) => atMs >= startedAtMs && atMs <= endedAtMs);
  const epochs = Math.floor((endedAtMs - startedAtMs) / (EPOCH_SECONDS * 1_000));
  const hours = (endedAtMs - startedAtMs) / (60 * MINUTE_MS);
  const [chainFirst, chainLast] = mediansAtStartAndEnd(chainSamples, 'rss');
  const chainMbPerHour = ((chainLast - chainFirst) * 1e-6) / (hours * 0.5);
  const facts = [
    ['requests', `${load.requests}, by ${CALLERS} callers`],
    ['responses', [...load.answers].map(([name, count]) => `${name}: ${count}`).join(', ')],
    [
      'acknowledged actions, each found on the chain',
      actKinds.map((kind) => `${load.count(kind)} ${kind}`).join(', '),
    ],
    ['webhook deliveries', `${receiver.received.length} to ${webhooks.size} webhooks`],
    ['stake accounts, epochs', `${ACCOUNTS} and those created, ${epochs} epochs of ${EPOCH_SECONDS} s`],
    [
      'sandbox process, resident memory',
      `${formatFigure(chainFirst * 1e-6, 'MB')} → ${formatFigure(chainLast * 1e-6, 'MB')}: ${Math.round(chainMbPerHour)} MB an hour at this load`,
    ],
  ] as const;
  const rows = FIGURES.map(([name, figure, unit, factor]) => {
    const [first, last] = mediansAtStartAndEnd(samples, figure);
    return [name, formatFigure(first * factor, unit), formatFigure(last * factor, unit)] as const;
  });
  // Written before any assertion, because the charts of a failed run are the interesting ones.
  writeRecord({ facts, rows, samples, chainSamples, counts, startedAtMs });
  for (const [name, value] of facts) t.diagnostic(`${name}: ${value}`);
  for (const [name, first, last] of rows) t.diagnostic(`${name}: ${first} after warm-up, ${last} at the end`);

  assert.deepEqual(load.failures, [], `${load.failed} failed requests`);
  await load.settle(() => false);
  const record = await readChain(
    sandbox.rpcUrl,
    wallets.map(({ walletAddress }) => walletAddress),
  );
  assert.deepEqual(compareActs(load.acts, record), []);
  for (const kind of FULL ? actKinds : (['stake', 'submit'] as const))
    assert.ok(load.count(kind) > 0, `there was at least one ${kind}`);
  for (const { path, headers, body } of receiver.received.slice(-50))
    new Webhook(webhooks.get(path)!.secret).verify(body, headers as Record<string, string>);
  if (FULL) assert.ok(receiver.received.length > webhooks.size, 'more than pings was delivered');
  if (MINUTES < 3) return;
  // The index of stake accounts grows with the stored data. A leak of 1 kB per request would amount to 20 MB in
  // 20 minutes.
  const flat = { rss: [1.25, 30e6], heapUsed: [1.25, 20e6], handles: [1.25, 20], sockets: [1.25, 20] };
  for (const [figure, [factor, slack]] of Object.entries({ ...flat, descriptors: [1.25, 20] })) {
    const [first, last] = mediansAtStartAndEnd(samples, figure);
    assert.ok(last <= first * factor! + slack!, `${figure} grew from ${first} to ${last}`);
  }
});

const writeRecord = ({
  facts,
  rows,
  samples,
  chainSamples,
  counts,
  startedAtMs,
}: {
  readonly facts: readonly (readonly [string, string])[];
  readonly rows: readonly (readonly [string, string, string])[];
  readonly samples: readonly Sample[];
  readonly chainSamples: readonly Sample[];
  readonly counts: readonly Sample[];
  readonly startedAtMs: number;
}): void => {
  const line = (name: string, from: readonly Sample[], figure: string, factor = 1) => ({
    name,
    points: from.flatMap((sample) => {
      const value = sample[figure];
      return value === undefined
        ? []
        : [[(sample.atMs - startedAtMs) / MINUTE_MS, Math.max(0, value * factor)] as const];
    }),
  });
  const charts: LineChart[] = [
    {
      title: 'Service memory',
      unit: 'MB',
      lines: [line('resident', samples, 'rss', 1e-6), line('heap', samples, 'heapUsed', 1e-6)],
    },
    { title: 'Sandbox memory', unit: 'MB', lines: [line('resident', chainSamples, 'rss', 1e-6)] },
    {
      title: 'Service handles',
      unit: 'open',
      lines: [
        line('handles', samples, 'handles'),
        line('sockets', samples, 'sockets'),
        line('descriptors', samples, 'descriptors'),
      ],
    },
    {
      title: 'Event-loop delay',
      unit: 'ms',
      lines: [line('median', samples, 'delayP50Ms'), line('99 %', samples, 'delayP99Ms')],
    },
    { title: 'Requests', unit: 'so far', lines: [line('requests', counts, 'requests')] },
    {
      title: 'Acts and deliveries',
      unit: 'so far',
      lines: [line('acts', counts, 'acts'), line('deliveries', counts, 'deliveries')],
    },
  ];
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'soak.svg'),
    lineChartsSvg(charts, {
      title: 'SOAK-1: memory, handles, event-loop delay, requests and actions over the run',
    }),
  );
  writeSection(
    join(folder, 'soak.md'),
    'SOAK-1',
    `## SOAK-1

${new Date(startedAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC, ${MINUTES} minutes of mixed load without faults (\`npm run test:full -- SOAK-1\`). Written by the test.

![curves](soak.svg)

${tableOf(['', ''], facts)}

${tableOf(['medians', 'after warm-up', 'at the end'], rows)}`,
  );
};
