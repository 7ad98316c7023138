// HA-1: several processes on one PostgreSQL pair and one Redis stay under load while their dependencies fail
// one after another.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { createTally } from '../support/count-outcomes.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { lastingPort } from '../support/free-port.ts';
import { type PostgresPair, postgresPairMissing, startPostgresPair } from '../support/postgres-pair.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { type RedisServer, redisProgramMissing, startRedisServer } from '../support/redis-server.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { settingsFor, startService, type TestService } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet, type TestWallet } from '../support/wallets.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const PROCESSES = FULL ? 4 : 2;
/** Seconds for which Redis is down or an RPC node returns false data. */
const GONE_SECONDS = FULL ? 180 : 5;
const LYING_SECONDS = FULL ? 600 : 5;
/** Minimum number of false responses from nodes. */
const LIES = 20;
const STAKERS = 2;
/** Minimum number of requests that get a response during each fault. */
const UNDER_FAULT = FULL ? 60 : 12;
/** Number of consecutive successful responses after which the processes count as recovered. */
const IN_A_ROW = 20;
const ANSWER_WITHIN_MS = 20_000;
const LEADS = /"role":"events"[^\n]*this process leads|this process leads[^\n]*"role":"events"/g;
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

const skip = postgresPairMissing() ?? redisProgramMissing();
const cleanUps: (() => unknown)[] = [];
const scope = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;
interface Answer {
  readonly status: number;
  readonly body: Json;
}

let sandbox: Sandbox;
let database: PostgresPair;
let liar: FaultyProxy;
let receiver: Receiver;
let services: TestService[] = [];
let redis: RedisServer;
let redisPort: number;
let folder: string;
let settings: Readonly<Record<string, string>>;
let started = 0;

const startOne = (own: Readonly<Record<string, string>> = {}): Promise<TestService> => {
  started += 1;
  return startService(scope, { ...settings, ...own }, join(folder, `process-${started}`));
};

before(async () => {
  if (skip) return;
  folder = temporaryFolder(scope);
  sandbox = await startSandbox(QUICK_SANDBOX);
  scope.after(() => sandbox.close());
  database = await startPostgresPair(scope);
  liar = await startFaultyProxy({ target: sandbox.rpcUrl, seed: 20_261_127 });
  scope.after(() => liar.close());
  receiver = await startReceiver(scope, (request, response) =>
    response.writeHead(isAccepted(request) ? 204 : 400).end(),
  );
  redisPort = await lastingPort();
  redis = await startRedisServer(scope, redisPort);
  settings = {
    ...settingsFor(sandbox),
    DATABASE_URL: database.url,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    HOLDFAST_RPC_URL: `${liar.url},${sandbox.rpcUrl}`,
    HOLDFAST_WS_URL: `${sandbox.wsUrl},${sandbox.wsUrl}`,
    HOLDFAST_SERVER_SECRET: randomBytes(32).toString('hex'),
    HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  };
  services = await Promise.all(Array.from({ length: PROCESSES }, () => startOne()));
});

/** Sends a request to one of the processes. Status 0 means no response. */
const send = async (
  method: 'GET' | 'POST',
  path: string,
  { body, key }: { readonly body?: object; readonly key?: string } = {},
): Promise<Answer> => {
  const { url } = services[Math.floor(Math.random() * services.length)]!;
  try {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return { status: 0, body: {} };
  }
};

/** A write that a client repeats with its idempotency key until it is acknowledged. */
interface Written {
  readonly wallet: TestWallet;
  /** The signature of a stake or the id of a webhook. Null until acknowledged. */
  acknowledged: string | null;
}

const { counts, count } = createTally();
const stakes = new Map<string, Written>();
/** The secret of a webhook, which a repeated registration does not return again. */
const webhooks = new Map<string, Written & { readonly secret: string | undefined }>();
let answered = 0;
let inARow = 0;
let stopped = false;

const note = (what: string, { status, body }: Answer): boolean => {
  answered += 1;
  const isGood = status >= 200 && status < 300;
  inARow = isGood ? inARow + 1 : 0;
  count(isGood ? what : `${what} failed: ${body.errorCode ?? 'no response'}`);
  return isGood;
};

const stake = ({ walletAddress, secretKey }: TestWallet, key: string): Promise<Answer> =>
  send('POST', '/api/v1/stake', { body: { walletAddress, secretKey, amountSol: 1.1 }, key });
const register = ({ walletAddress }: TestWallet, key: string): Promise<Answer> => {
  const events = ['stake_activated', 'stake_deactivated', 'withdraw_ready'];
  const body = { walletAddress, callbackUrl: `${receiver.url}/${key}`, events };
  return send('POST', '/api/v1/webhooks', { body, key });
};

const stakeUntilDone = async (wallet: TestWallet, key: string): Promise<void> => {
  const asked = stakes.get(key) ?? { wallet, acknowledged: null };
  stakes.set(key, asked);
  while (asked.acknowledged === null) {
    const answer = await stake(wallet, key);
    if (note('stake', answer)) asked.acknowledged = answer.body.signature;
    else await delay(100);
  }
};

const registerUntilDone = async (wallet: TestWallet): Promise<void> => {
  const key = randomUUID();
  for (;;) {
    const answer = await register(wallet, key);
    if (note('webhook', answer)) {
      webhooks.set(key, { wallet, acknowledged: answer.body.id, secret: answer.body.secret });
      return;
    }
    await delay(100);
  }
};

/** Stakes, builds, reads and registers without a pause until stopped. */
const load = async (wallets: readonly TestWallet[]): Promise<void> => {
  const repeat = async (once: () => Promise<unknown>): Promise<void> => {
    while (!stopped) await once();
  };
  const [{ walletAddress }] = wallets as [TestWallet];
  const read = async (path: string) => {
    if (!note('read', await send('GET', path))) await delay(100);
  };
  await Promise.all([
    ...wallets.map((wallet) => repeat(() => stakeUntilDone(wallet, randomUUID()))),
    repeat(() => read(`/api/v1/stake/accounts/${walletAddress}`)),
    repeat(() => read('/api/v1/epoch')),
    repeat(async () => {
      const body = { walletAddress, amountSol: 1.1 };
      if (!note('build', await send('POST', '/api/v1/stake/transaction', { body }))) await delay(100);
    }),
    // A wallet can have at most 20 webhooks.
    (async () => {
      for (const wallet of wallets) for (let one = 0; one < 8; one += 1) await registerUntilDone(wallet);
    })(),
  ]);
};

/** Ids of the deliveries that a receiver accepted, by event. */
const ids = new Map<string, Set<string>>();

/**
 * Checks a delivery as a receiver would. Accepts it unchecked if the receiver does not know the secret yet, or
 * never got it because the response was lost.
 */
const isAccepted = ({ path, headers, body }: Received): boolean => {
  const registered = webhooks.get(path.slice(1));
  if (registered === undefined) return true;
  try {
    if (registered.secret !== undefined)
      new Webhook(registered.secret).verify(body, headers as Record<string, string>);
  } catch {
    count('delivery refused');
    return false;
  }
  const { id, type, data } = JSON.parse(body);
  const fact = `${path} ${data.stakeAccountAddress}`;
  if (type === 'stake_activated') ids.set(fact, (ids.get(fact) ?? new Set()).add(id));
  return true;
};

const more = async (requests: number): Promise<void> => {
  const enough = answered + requests;
  while (answered < enough) await delay(20);
};

const acknowledged = (): number => [...stakes.values()].filter((one) => one.acknowledged !== null).length;

/** Waits until all requests succeed again, including those that need the store. */
const overcome = async (): Promise<void> => {
  inARow = 0;
  const enough = acknowledged() + STAKERS + 1;
  while (inARow < IN_A_ROW || acknowledged() < enough) await delay(20);
};

const timesLed = ({ process: { stdout, stderr } }: TestService): number =>
  [...(stdout + stderr).matchAll(LEADS)].length;

/** Returns the process that currently watches the chain: the latest leader. */
const leader = async (): Promise<TestService> => {
  for (;;) {
    const leading = services.filter((one) => timesLed(one) > 0);
    if (leading.length > 0) return leading.at(-1)!;
    await delay(20);
  }
};

const restart = async (victim: TestService): Promise<void> => {
  services = services.filter((one) => one !== victim);
  services.push(await startOne());
};

const seconds = (many: number): Promise<void> => delay(many * 1_000);

const faults: Readonly<Record<string, () => Promise<void>>> = {
  'a process killed with -9': async () => {
    const victim = await leader();
    await victim.process.stop('SIGKILL');
    await more(UNDER_FAULT);
    await restart(victim);
  },
  'a process frozen until its lease was taken over': async () => {
    const frozen = await leader();
    const others = services.filter((one) => one !== frozen);
    const before = others.map(timesLed).reduce((a, b) => a + b, 0);
    frozen.process.child.kill('SIGSTOP');
    while (others.map(timesLed).reduce((a, b) => a + b, 0) === before) await delay(50);
    await more(UNDER_FAULT);
    frozen.process.child.kill('SIGCONT');
    await more(UNDER_FAULT);
  },
  'Redis gone': async () => {
    await redis.kill();
    await seconds(GONE_SECONDS);
    await more(UNDER_FAULT);
    redis = await startRedisServer(scope, redisPort);
  },
  'an RPC node that lies': async () => {
    liar.setChances({ stale: 0.5, swallow: 0.4 });
    const lies = () => liar.counts.stale + liar.counts.swallow;
    const before = lies();
    await seconds(LYING_SECONDS);
    while (lies() - before < LIES) await more(1);
    await more(UNDER_FAULT);
    liar.setChances({});
    counts.lies = lies() - before;
  },
  'a clock set back by an hour': async () => {
    if (!existsSync(FAKETIME)) return count('no faketime on this machine');
    const file = join(folder, 'clock');
    writeFileSync(file, '+0');
    const victim = services[0]!;
    services = services.slice(1);
    await victim.process.stop('SIGTERM');
    const environment = {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    const service = await startOne(environment);
    services.push(service);
    await more(UNDER_FAULT);
    writeFileSync(file, '-3600');
    await more(UNDER_FAULT);
    // Node updates the Date header once a second.
    const isBack = async (): Promise<boolean> => {
      const { headers } = await fetch(new URL('/health', service.url));
      return Date.parse(headers.get('date')!) < Date.now() - 3_000_000;
    };
    while (!(await isBack())) await delay(200);
    await more(4 * UNDER_FAULT);
    services = services.filter((one) => one !== service);
    await service.process.stop('SIGTERM');
    services.push(await startOne());
  },
  'the standby promoted': async () => {
    await database.failOver();
    await more(UNDER_FAULT);
  },
};

test(`HA-1 ${PROCESSES} processes under load survive each fault: nothing acknowledged is lost, nothing is staked twice, and no event has two ids`, {
  skip,
  timeout: FULL ? 3_600_000 : 600_000,
}, async (t) => {
  const wallets = await Promise.all(Array.from({ length: STAKERS }, () => fundedWallet(sandbox, 100_000)));
  const loaded = load(wallets);
  t.after(() => {
    stopped = true;
  });
  await overcome();
  for (const [name, inject] of Object.entries(faults)) {
    const before = { answered, failed: failures(), counts: { ...counts } };
    const beganMs = performance.now();
    await inject();
    const healedMs = performance.now();
    await overcome();
    const took = ((performance.now() - healedMs) / 1_000).toFixed(1);
    const [requests, failed] = [answered - before.answered, failures() - before.failed];
    t.diagnostic(
      `${name}: ${requests} requests in ${((performance.now() - beganMs) / 1_000).toFixed(0)} s, ${failed} failed, ${IN_A_ROW} good ones in a row ${took} s after it was over`,
    );
    const named = Object.entries(counts).flatMap(([what, many]) => {
      const since = many - (before.counts[what] ?? 0);
      return what.includes('failed') && since > 0 ? [`${what} ${since}`] : [];
    });
    if (named.length > 0) t.diagnostic(`  ${named.join(', ')}`);
    assert.ok(failed < requests / 2 || failed <= 40, `${name}: ${failed} of ${requests} failed`);
  }
  stopped = true;
  await loaded;

  // Every stake must exist once, with the signature that was acknowledged.
  assert.ok(stakes.size >= 10, String(stakes.size));
  for (const [key, { wallet, acknowledged }] of stakes) {
    const again = await stake(wallet, key);
    assert.deepEqual([again.status, again.body.signature], [200, acknowledged], JSON.stringify(again.body));
  }
  const ofWallet = ({ walletAddress }: TestWallet) => send('GET', `/api/v1/stake/accounts/${walletAddress}`);
  const created: string[] = [];
  for (const wallet of wallets) {
    const { accounts } = (await ofWallet(wallet)).body;
    const wanted = [...stakes.values()].filter((one) => one.wallet === wallet).length;
    assert.equal(accounts.length, wanted, 'no stake duplicated or lost');
    created.push(...accounts.map(({ address }: Json) => `${wallet.walletAddress} ${address}`));
  }

  // Every acknowledged webhook must exist and receive each event under one id.
  assert.equal(webhooks.size, STAKERS * 8);
  await sandbox.advanceEpochs(1);
  const facts = [...webhooks].flatMap(([key, { wallet }]) =>
    created
      .filter((one) => one.startsWith(wallet.walletAddress))
      .map((one) => `/${key} ${one.split(' ')[1]}`),
  );
  while (!facts.every((fact) => ids.has(fact))) await delay(200);
  await delay(3_000);
  for (const [fact, of] of ids) assert.equal(of.size, 1, fact);
  assert.equal(ids.size, facts.length);
  t.diagnostic(JSON.stringify({ ...counts, stakes: stakes.size, facts: facts.length }));
});

const failures = (): number =>
  Object.entries(counts)
    .filter(([name]) => name.includes('failed'))
    .reduce((sum, [, many]) => sum + many, 0);
