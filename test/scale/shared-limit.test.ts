// Checks that two service processes on one PostgreSQL and one Redis count every client together, and execute
// a client's request once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { REDIS_PORT } from '../support/redis-server.ts';
import { openReplicaWorld, type ReplicaWorld, replicasMissing } from '../support/replicas.ts';
import type { TestService } from '../support/service-fixture.ts';
import { startTcpProxy, type TcpProxy } from '../support/store-tcp-proxy.ts';
import type { Scope } from '../support/temporary-folder.ts';
import { fundedWallet } from '../support/wallets.ts';

const skip = await replicasMissing();
const LIMIT = 100;
const CALLS = 100;

const cleanUps: (() => void | Promise<void>)[] = [];
const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
let world: ReplicaWorld;
let wire: TcpProxy;
let services: readonly TestService[];
let urls: readonly string[];
let clients = 0;
before(async () => {
  if (skip) return;
  wire = await startTcpProxy(scope, REDIS_PORT);
  // The services run behind a proxy that they trust, so a test can simulate many clients.
  world = await openReplicaWorld(scope, {
    settings: {
      HOLDFAST_TRUSTED_PROXIES: '127.0.0.1',
      HOLDFAST_RATE_LIMIT: String(LIMIT),
      REDIS_URL: `redis://127.0.0.1:${wire.port}`,
    },
  });
  services = await Promise.all([world.start(), world.start()]);
  urls = services.map(({ url }) => url);
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const call = async (url: string, client: string): Promise<{ status: number; left: number }> => {
  const { statusCode, headers, body } = await request(`${url}/api/v1/epoch`, {
    headers: { 'x-forwarded-for': client, 'x-forwarded-proto': 'https' },
  });
  await body.dump();
  return { status: statusCode, left: Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]) };
};

interface Ready {
  readonly dependencies: {
    readonly redis: { ok: boolean; optional: boolean; error: string | null; details: { processes: number } };
  };
}

const ready = async (url: string): Promise<{ status: number; body: Ready }> => {
  const { statusCode, body } = await request(`${url}/ready`);
  return { status: statusCode, body: (await body.json()) as Ready };
};

const gauges = async ({ process }: TestService) => {
  const [, url] = await process.output(/Metrics\s+(\S+)/);
  const text = await (await request(url!)).body.text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return { up: value('holdfast_redis_up'), processes: value('holdfast_processes') };
};

/**
 * Returns how often the services had to work without Redis. On a busy machine, Redis may not respond within 100
 * ms.
 */
const outages = (): number =>
  services.reduce((sum, { process }) => sum + process.stdout.split('Redis is down').length - 1, 0);

/** Repeats `round`, each time with a different client, until Redis was available throughout a round. */
const undisturbed = async <T>(round: (network: string) => Promise<T>): Promise<T> => {
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    for (const url of urls) while (!(await ready(url)).body.dependencies.redis.ok);
    const before = outages();
    clients += 1;
    const result = await round(`198.51.100.${clients}`);
    // The log line about an outage is written before the responses that the outage affects.
    await Promise.all(urls.map(ready));
    if (outages() === before) return result;
  }
  return assert.fail('Redis was never available for a whole round');
};

test(`the rate limit is exact across two processes: of 300 requests to both, ${LIMIT} pass`, {
  skip,
}, async () => {
  const responses = await undisturbed((client) =>
    Promise.all(Array.from({ length: 300 }, (_, index) => call(urls[index % 2]!, client))),
  );
  const passed = responses.filter(({ status }) => status === 200);
  assert.equal(passed.length, LIMIT);
  assert.equal(responses.filter(({ status }) => status === 429).length, 300 - LIMIT);
  assert.deepEqual(
    passed.map(({ left }) => left).toSorted((a, b) => a - b),
    Array.from({ length: LIMIT }, (_, index) => index),
  );
});

test('two addresses of one IPv6 network count as one client in every process', { skip }, async () => {
  const responses = await undisturbed((client) =>
    Promise.all([1, 2].map((host) => call(urls[host - 1]!, `2001:db8:${client.split('.')[3]}::${host}`))),
  );
  assert.deepEqual(
    responses.map(({ left }) => left).toSorted((a, b) => a - b),
    [LIMIT - 2, LIMIT - 1],
  );
});

test('while Redis is down, each process allows and reports its share, and once Redis is back, all count together again', {
  skip,
}, async () => {
  const knowBoth = async (url: string): Promise<void> => {
    while ((await ready(url)).body.dependencies.redis.details.processes < 2);
  };
  await Promise.all(urls.map(knowBoth));
  const client = await undisturbed(async (one) => {
    for (const url of urls) assert.equal((await call(url, one)).status, 200);
    return one;
  });
  wire.cut();
  for (const url of urls) while ((await ready(url)).body.dependencies.redis.ok);
  const readiness = await ready(urls[0]!);
  assert.deepEqual(
    [
      readiness.status,
      readiness.body.dependencies.redis.optional,
      typeof readiness.body.dependencies.redis.error,
    ],
    [200, true, 'string'],
  );
  assert.deepEqual(await gauges(services[0]!), { up: 0, processes: 2 });
  const responses = await Promise.all(
    Array.from({ length: 300 }, (_, index) => call(urls[index % 2]!, client)),
  );
  // Each process has already counted one or two calls of this client, so it admits one call less than its half
  // of the limit.
  assert.equal(responses.filter(({ status }) => status === 200).length, 2 * (LIMIT / 2 - 1));
  assert.equal(responses.filter(({ status }) => status === 429).length, 300 - 2 * (LIMIT / 2 - 1));
  wire.mend();
  const left = await undisturbed(async (other) => [
    (await call(urls[0]!, other)).left,
    (await call(urls[1]!, other)).left,
  ]);
  assert.deepEqual(left, [LIMIT - 1, LIMIT - 2]);
  while ((await gauges(services[0]!)).up !== 1);
});

test(`IDEM-1 ${CALLS} concurrent identical one-shot stakes across two processes create exactly one stake account`, {
  skip,
}, async () => {
  const { walletAddress, secretKey } = await fundedWallet(world.sandbox, 500);
  const key = {
    'idempotency-key': 'one-intent',
    'x-forwarded-for': '192.0.2.4',
    'x-forwarded-proto': 'https',
  };
  const responses = await Promise.all(
    Array.from({ length: CALLS }, (_, index) =>
      services[index % 2]!.client.post(
        '/api/v1/stake',
        { walletAddress, secretKey, amountSol: 2 },
        {
          ...key,
          'x-forwarded-for': `192.0.2.${index}`,
        },
      ),
    ),
  );
  assert.equal(new Set(responses.map((response) => response.signature)).size, 1);
  const [account, ...others] = new Set(responses.map((response) => response.stakeAccountAddress));
  assert.deepEqual(others, []);
  const listed = await services[0]!.client.get(`/api/v1/stake/accounts/${walletAddress}`);
  for (const service of services) assert.deepEqual(await service.process.stop(), { code: 0, signal: null });
  assert.deepEqual(
    [listed.accounts.length, listed.accounts[0].address, listed.totalStakedSol],
    [1, account, 2],
  );
});
