// SOAK-1: under mixed load for HOLDFAST_SOAK_MINUTES minutes only the stored data grows, nothing fails, and
// every acknowledged action is on the chain.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { SandboxState } from '../../sandbox/sandbox-options.ts';
import { type LineChart, lineChartsSvg } from '../support/line-charts.ts';
import { startReceiver } from '../support/receiver.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { settingsFor, startService, type TestService } from '../support/service-fixture.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const FULL_MINUTES = 20;
const MINUTES = Number(process.env.HOLDFAST_SOAK_MINUTES ?? (FULL ? FULL_MINUTES : 0.7));
const ACCOUNTS = FULL ? 5_000 : 300;
const WALLETS = FULL ? 100 : 20;
const EPOCH_SECONDS = 30;
/** Number of concurrent callers; each pauses between two requests. */
const CALLERS = 10;
const MAX_PAUSE_MS = 400;
const MINUTE_MS = 60_000;
/** The chart of the full run is committed as a record; shorter runs write it to the temporary folder. */
const folder =
  FULL && MINUTES >= FULL_MINUTES
    ? join(import.meta.dirname, '..', '..', 'docs')
    : join(tmpdir(), 'holdfast-soak');

interface Sample {
  readonly atMs: number;
  readonly [figure: string]: number;
}

interface Act {
  readonly kind: 'stake' | 'unstake' | 'withdraw' | 'submit';
  readonly signature: string;
}

// biome-ignore lint/suspicious/noExplicitAny: an outsider sees JSON.
type Answer = { readonly status: number; readonly body: any };

const call = async (
  url: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  return { status: answer.status, body: isJson ? JSON.parse(text) : null };
};

/** Counters of the load. */
class Tally {
  readonly acts: Act[] = [];
  readonly statuses = new Map<string, number>();
  readonly unexpected: string[] = [];
  requests = 0;

  note(what: string, { status, body }: Answer): void {
    this.requests += 1;
    const code = status < 400 ? '' : ` ${body?.errorCode ?? ''}`;
    const name = `${status}${code}`;
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    // The cluster itself refuses stake transactions for three blocks of each epoch, and pays rewards between
    // a build and its landing.
    const isClusters = ['EPOCH_REWARDS_ACTIVE', 'STAKE_BALANCE_CHANGED'].includes(body?.errorCode);
    if (status >= 500 && !isClusters)
      this.unexpected.push(
        `${new Date().toISOString()} ${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`,
      );
  }
}

/** One caller: reads, acts and calls as an agent in turn, until the time is over. */
const runCaller = async (
  service: TestService,
  wallets: readonly TestWallet[],
  reads: readonly string[],
  tally: Tally,
  { seed, endsAtMs, populated }: { seed: number; endsAtMs: number; populated: string },
): Promise<void> => {
  const random = seededRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const ask = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await call(service.url, method, path, body, headers).catch((error: unknown) => ({
      status: 599,
      body: { errorCode: String(error) },
    }));
    tally.note(`${method} ${path}`, answer);
    return answer;
  };
  const note = (kind: Act['kind'], { status, body }: Answer) => {
    if (status === 200) tally.acts.push({ kind, signature: body.signature });
  };
  const read = async (): Promise<void> => {
    const { walletAddress } = pick(wallets);
    const wallet = random() < 0.2 ? populated : walletAddress;
    const signature = tally.acts.at(-1)?.signature ?? '1'.repeat(64);
    const path = pick(reads)
      .replaceAll(/\{(walletAddress|address)\}/g, wallet)
      .replace('{signature}', signature)
      .replaceAll(/\{[^}]+\}/g, 'unknown');
    await ask('GET', path);
  };
  const actOn = async (): Promise<void> => {
    const wallet = pick(wallets);
    const { walletAddress, secretKey } = wallet;
    const chance = random();
    const key = { 'idempotency-key': `${seed}-${tally.requests}-${Math.floor(random() * 1e9)}` };
    if (chance < 0.3) {
      const amountSol = 1.5 + Math.floor(random() * 100) / 100;
      note('stake', await ask('POST', '/api/v1/stake', { walletAddress, secretKey, amountSol }, key));
      return;
    }
    if (chance < 0.45) {
      const built = await ask('POST', '/api/v1/stake/transaction', { walletAddress, amountSol: 1.5 }, key);
      if (built.status !== 200) return;
      const signedTransaction = signedBy(wallet, built.body.transaction);
      note('submit', await ask('POST', '/api/v1/transaction/submit', { signedTransaction }, key));
      return;
    }
    const { body } = await ask('GET', `/api/v1/stake/accounts/${walletAddress}`);
    const accounts: { address: string; state: string; withdrawReady?: boolean }[] = body?.accounts ?? [];
    const ready = accounts.filter(({ withdrawReady }) => withdrawReady === true);
    const active = accounts.filter(({ state }) => state === 'active' || state === 'activating');
    const [kind, chosen] =
      ready.length > 0 ? (['withdraw', pick(ready)] as const) : (['unstake', pick(active)] as const);
    if (chosen === undefined) return;
    const stakeAccountAddress = chosen.address;
    note(kind, await ask('POST', `/api/v1/${kind}`, { walletAddress, secretKey, stakeAccountAddress }, key));
  };
  const agent = () =>
    ask(
      'POST',
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'check_stake_accounts',
          arguments: { walletAddress: pick(wallets).walletAddress },
        },
      },
      { accept: 'application/json, text/event-stream' },
    );
  while (Date.now() < endsAtMs) {
    const chance = random();
    await (chance < 0.65 ? read() : chance < 0.75 ? agent() : actOn());
    await delay(random() * MAX_PAUSE_MS);
  }
};

/** Resident memory and open descriptors of another process; undefined without `/proc`. */
const processFigures = (pid: number): Record<string, number> => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
    return { rss, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return {};
  }
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Medians of the fifth after the warm-up (the first fifth and a half), and of the last fifth. */
const firstAndLast = (samples: readonly Sample[], figure: string): readonly [number, number] => {
  const values = samples.flatMap((sample) => sample[figure] ?? []);
  const at = (share: number) => Math.floor(values.length * share);
  return [median(values.slice(at(0.3), at(0.5))), median(values.slice(at(0.8)))];
};

const SIGNATURES_PER_CALL = 256;

const notOnChain = async (rpcUrl: string, acts: readonly Act[]): Promise<readonly string[]> => {
  const missing: string[] = [];
  for (let at = 0; at < acts.length; at += SIGNATURES_PER_CALL) {
    const some = acts.slice(at, at + SIGNATURES_PER_CALL);
    const params = [some.map(({ signature }) => signature), { searchTransactionHistory: true }];
    const { body } = await call(rpcUrl, 'POST', '', {
      jsonrpc: '2.0',
      id: 1,
      method: 'getSignatureStatuses',
      params,
    });
    some.forEach(({ kind, signature }, index) => {
      const status = body.result.value[index];
      if (status === null || status.err !== null) missing.push(`${kind} ${signature}`);
    });
  }
  return missing;
};

const startWorld = async (t: TestContext) => {
  const chain = spawnProcess(t, {
    file: 'test/support/soak-sandbox.ts',
    args: [String(ACCOUNTS), String(EPOCH_SECONDS)],
    keepsInput: true,
  });
  const [line] = await chain.output(/^\{.*\}$/m);
  const sandbox = JSON.parse(line) as SandboxState & { readonly wallet: string };
  const receiver = await startReceiver(t);
  const probeFile = join(temporaryFolder(t), 'probe.jsonl');
  const service = await startService(t, {
    ...settingsFor(sandbox),
    HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'error',
    SOAK_PROBE_FILE: probeFile,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, '..', 'support', 'soak-probe.ts')}`,
  });
  const wallets = Array.from({ length: WALLETS }, newWallet);
  await Promise.all(
    wallets.map(async ({ walletAddress }) => {
      const lamports = '2000000000000';
      const { status, body } = await call(sandbox.controlUrl, 'POST', '/airdrop', {
        walletAddress,
        lamports,
      });
      assert.equal(status, 200, JSON.stringify(body));
    }),
  );
  const secrets = new Map<string, string>();
  for (const [at, { walletAddress }] of wallets.slice(0, WALLETS / 2).entries()) {
    const { status, body } = await call(service.url, 'POST', '/api/v1/webhooks', {
      walletAddress,
      callbackUrl: `${receiver.url}/${at}`,
      events: ['withdraw_ready', 'epoch_complete', 'stake_activated', 'stake_deactivated'],
    });
    // The maximum for one client.
    if (status === 429 || body?.errorCode === 'WEBHOOK_LIMIT') break;
    assert.equal(status, 200, JSON.stringify(body));
    secrets.set(`/${at}`, body.secret);
    await call(service.url, 'POST', `/api/v1/webhooks/${body.id}/ping`, undefined, {
      authorization: `Bearer ${body.secret}`,
    });
  }
  return { chain, sandbox, receiver, probeFile, service, wallets, secrets };
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

const shown = (value: number, unit: string): string =>
  `${Number(value.toPrecision(3))}${unit === '' ? '' : ` ${unit}`}`;

test(`SOAK-1 ${MINUTES} minutes of mixed load over ${ACCOUNTS} stake accounts with epochs of ${EPOCH_SECONDS} s`, async (t) => {
  const { chain, sandbox, receiver, probeFile, service, wallets, secrets } = await startWorld(t);
  const document = (await call(service.url, 'GET', '/openapi.json')).body;
  const reads = Object.entries(document.paths as Record<string, object>)
    .filter(([path, methods]) => 'get' in methods && !path.startsWith('/sandbox'))
    .map(([path]) => path);
  assert.ok(reads.length > 15, reads.join());
  const tally = new Tally();
  const startedAtMs = Date.now();
  const endsAtMs = startedAtMs + MINUTES * MINUTE_MS;
  const chainSamples: Sample[] = [];
  const counts: Sample[] = [];
  const watch = setInterval(() => {
    const atMs = Date.now();
    chainSamples.push({ atMs, ...processFigures(chain.child.pid!) });
    counts.push({
      atMs,
      requests: tally.requests,
      acts: tally.acts.length,
      deliveries: receiver.received.length,
    });
  }, 2_000);
  await Promise.all(
    Array.from({ length: CALLERS }, (_, seed) =>
      runCaller(service, wallets, reads, tally, { seed, endsAtMs, populated: sandbox.wallet }),
    ),
  );
  clearInterval(watch);
  const endedAtMs = Date.now();
  const samples = readFileSync(probeFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample)
    .filter(({ atMs }) => atMs >= startedAtMs && atMs <= endedAtMs);
  const epochs = Math.floor((endedAtMs - startedAtMs) / (EPOCH_SECONDS * 1_000));
  const hours = (endedAtMs - startedAtMs) / (60 * MINUTE_MS);
  const [chainFirst, chainLast] = firstAndLast(chainSamples, 'rss');
  const chainMbPerHour = ((chainLast - chainFirst) * 1e-6) / (hours * 0.5);
  const kinds = ['stake', 'submit', 'unstake', 'withdraw'] as const;
  const facts = [
    ['requests', `${tally.requests}, by ${CALLERS} callers`],
    ['answers', [...tally.statuses].map(([name, count]) => `${name}: ${count}`).join(', ')],
    [
      'acts acknowledged, each found on the chain',
      kinds.map((one) => `${tally.acts.filter(({ kind }) => kind === one).length} ${one}`).join(', '),
    ],
    ['webhook deliveries', `${receiver.received.length} to ${secrets.size} webhooks`],
    ['stake accounts, epochs', `${ACCOUNTS} and those created, ${epochs} epochs of ${EPOCH_SECONDS} s`],
    [
      'sandbox process, resident memory',
      `${shown(chainFirst * 1e-6, 'MB')} → ${shown(chainLast * 1e-6, 'MB')}: ${Math.round(chainMbPerHour)} MB an hour at this load`,
    ],
  ] as const;
  const rows = FIGURES.map(([name, figure, unit, factor]) => {
    const [first, last] = firstAndLast(samples, figure);
    return [name, shown(first * factor, unit), shown(last * factor, unit)] as const;
  });
  // Written before any assertion, because the curves of a failed run are the interesting ones.
  writeRecord({ facts, rows, samples, chainSamples, counts, startedAtMs });
  for (const [name, value] of facts) t.diagnostic(`${name}: ${value}`);
  for (const [name, first, last] of rows) t.diagnostic(`${name}: ${first} after warm-up, ${last} at the end`);

  assert.deepEqual(tally.unexpected.slice(0, 20), [], `${tally.unexpected.length} unexpected answers`);
  assert.deepEqual(await notOnChain(sandbox.rpcUrl, tally.acts), []);
  for (const kind of FULL ? kinds : (['stake', 'submit'] as const))
    assert.ok(
      tally.acts.some((act) => act.kind === kind),
      `there was at least one ${kind}`,
    );
  for (const { path, headers, body } of receiver.received.slice(-50))
    new Webhook(secrets.get(path)!).verify(body, headers as Record<string, string>);
  if (FULL) assert.ok(receiver.received.length > secrets.size, 'more was delivered than pings');
  if (MINUTES < 3) return;
  // The stored data grows, and the index of stake accounts with it; a leak of 1 kB per request would be 20 MB
  // in 20 minutes.
  const flat = { rss: [1.25, 30e6], heapUsed: [1.25, 20e6], handles: [1.25, 20], sockets: [1.25, 20] };
  for (const [figure, [factor, slack]] of Object.entries({ ...flat, descriptors: [1.25, 20] })) {
    const [first, last] = firstAndLast(samples, figure);
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
  writeFileSync(join(folder, 'soak.svg'), lineChartsSvg(charts));
  writeFileSync(
    join(folder, 'soak.md'),
    [
      `# SOAK-1\n\n${new Date(startedAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC, ${MINUTES} minutes of mixed load (\`npm run test:full -- SOAK-1\`). Written by the test.\n\n![curves](soak.svg)\n`,
      '| | |\n|---|---|',
      ...facts.map(([name, value]) => `| ${name} | ${value} |`),
      '\n| medians | after warm-up | at the end |\n|---|---|---|',
      ...rows.map((row) => `| ${row.join(' | ')} |`),
      '',
    ].join('\n'),
  );
};
