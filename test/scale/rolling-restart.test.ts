// Restarts two processes in sequence, under load behind Debian's haproxy with the shipped configuration. No
// request may fail.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type Dispatcher, request } from 'undici';
import { lastingPort } from '../support/free-port.ts';
import { checkHaproxyConfig, type Haproxy, haproxyMissing, startHaproxy } from '../support/haproxy.ts';
import { listenLocally } from '../support/local-server.ts';
import { openReplicaWorld, type ReplicaWorld, replicasMissing } from '../support/replicas.ts';
import type { TestService } from '../support/service-fixture.ts';
import { cleanEnvironment } from '../support/spawned-process.ts';
import { type Scope, temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet, type TestWallet } from '../support/wallets.ts';

const skip = haproxyMissing() ?? (await replicasMissing());
const IS_FULL = process.env.HOLDFAST_TEST_FULL === '1';
const ROUNDS = IS_FULL ? 10 : 1;
const KILLS = IS_FULL ? 10 : 1;
const READERS = 6;
const BUILDERS = 3;
const STAKERS = 2;

const cleanUps: (() => void | Promise<void>)[] = [];
const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
let world: ReplicaWorld;
let ports: readonly [number, number];
let services: TestService[];
let proxy: Haproxy;
before(async () => {
  if (skip) return;
  world = await openReplicaWorld(scope, { settings: { HOLDFAST_TRUSTED_PROXIES: '127.0.0.1' } });
  ports = [await lastingPort(), await lastingPort()];
  services = await Promise.all(ports.map((port) => world.start({ PORT: String(port) })));
  proxy = await startHaproxy(scope, ports);
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

interface Answer {
  readonly status: number;
  readonly requestId: string;
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  readonly body: any;
}

const call = async (
  method: 'GET' | 'POST',
  path: string,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Answer> => {
  const options: { dispatcher: Dispatcher } & Record<string, unknown> = {
    dispatcher: proxy.agent,
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  };
  const response = await request(proxy.url + path, options);
  const text = await response.body.text();
  return {
    status: response.statusCode,
    requestId: String(response.headers['x-request-id']),
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
};

interface Asked {
  readonly wallet: TestWallet;
  /** Null until a response has arrived. */
  signature: string | null;
}

interface Tally {
  answered: number;
  readonly failed: string[];
  /** Stakes by idempotency key. */
  readonly stakes: Map<string, Asked>;
  /** Stops sending, and waits for pending requests. */
  readonly stop: () => Promise<void>;
}

const stake = ({ walletAddress, secretKey }: TestWallet, key: string): Promise<Answer> =>
  call('POST', '/api/v1/stake', {
    body: { walletAddress, secretKey, amountSol: 1.1 },
    headers: { 'idempotency-key': key },
  });

/** Reads, builds and stakes without a pause until stopped. */
const startLoad = (wallets: readonly TestWallet[]): Tally => {
  let stopped = false;
  const repeat = async (once: () => Promise<Answer>): Promise<void> => {
    while (!stopped) {
      try {
        const { status, body } = await once();
        tally.answered += 1;
        if (status !== 200) tally.failed.push(`${status} ${JSON.stringify(body).slice(0, 300)}`);
      } catch (error) {
        tally.failed.push(String(error));
      }
    }
  };
  const stakeOnce = async (wallet: TestWallet): Promise<Answer> => {
    const key = randomUUID();
    const asked: Asked = { wallet, signature: null };
    tally.stakes.set(key, asked);
    const response = await stake(wallet, key);
    if (response.status === 200) asked.signature = response.body.signature;
    return response;
  };
  const { walletAddress } = wallets[0]!;
  const reads = ['/api/v1/epoch', `/api/v1/wallet/balance/${walletAddress}`, '/api/v1/validator'];
  const build = { body: { walletAddress, amountSol: 1.1 } };
  const tally: Tally = {
    answered: 0,
    failed: [],
    stakes: new Map(),
    stop: async () => {
      stopped = true;
      await running;
    },
  };
  const running = Promise.all([
    ...Array.from({ length: READERS }, (_, index) => repeat(() => call('GET', reads[index % 3]!))),
    ...Array.from({ length: BUILDERS }, () => repeat(() => call('POST', '/api/v1/stake/transaction', build))),
    ...wallets.map((wallet) => repeat(() => stakeOnce(wallet))),
  ]);
  return tally;
};

const fund = (): Promise<TestWallet[]> =>
  Promise.all(Array.from({ length: STAKERS }, () => fundedWallet(world.sandbox, 5_000)));

/** Restarts a process in place. Waits until the proxy sends requests to it. */
const restart = async (place: 0 | 1): Promise<void> => {
  services[place] = await world.start({ PORT: String(ports[place]) });
  const { headers, body } = await request(`${services[place].url}/health`);
  await body.dump();
  const own = String(headers['x-request-id']).split('-')[0]!;
  while (!(await call('GET', '/health')).requestId.startsWith(own));
};

/** Waits until `more` further requests have got a response. */
const until = async (tally: Tally, more: number): Promise<void> => {
  const enough = tally.answered + more;
  while (tally.answered < enough) await call('GET', '/health');
};

test('haproxy accepts the shipped configuration', { skip }, (t) => checkHaproxyConfig(t));

test('a POST without TLS is refused and not redirected, and a read is redirected to HTTPS', {
  skip,
}, async () => {
  const posted = await request(`${proxy.plainUrl}/api/v1/stake`, { method: 'POST', body: '{}' });
  const read = await request(`${proxy.plainUrl}/api/v1/epoch`);
  await Promise.all([posted.body.dump(), read.body.dump()]);
  assert.deepEqual([posted.statusCode, read.statusCode], [403, 308]);
  assert.match(String(read.headers.location), /^https:/);
});

test('the proxy drops a client’s claims about its own address', { skip }, async () => {
  const limited = await world.start({ PORT: '0' });
  const decoys = {
    'x-forwarded-for': '203.0.113.9',
    forwarded: 'for=203.0.113.9',
    'x-real-ip': '203.0.113.9',
  };
  await call('GET', '/api/v1/epoch', { headers: decoys });
  const { headers, body } = await request(`${limited.url}/api/v1/epoch`, {
    headers: { 'x-forwarded-for': '203.0.113.9' },
  });
  await body.dump();
  assert.match(String(headers.ratelimit), /r=999999;/, 'nothing was counted under the forged address');
  await limited.process.stop();
});

test('messages of an SSE session reach the session’s process over any connection', {
  skip,
}, async () => {
  const stream = await request(`${proxy.url}/mcp/sse`, {
    dispatcher: proxy.agent,
    headers: { accept: 'text/event-stream' },
  });
  let text = '';
  let endpoint: string | undefined;
  for await (const chunk of stream.body) {
    text += String(chunk);
    endpoint = /^data: (\S*\/mcp\/messages\S*)$/m.exec(text)?.[1];
    if (endpoint === undefined) continue;
    const path = new URL(endpoint, proxy.url);
    const ping = (id: number) =>
      call('POST', path.pathname + path.search, { body: { jsonrpc: '2.0', id, method: 'ping' } });
    const responses = await Promise.all(Array.from({ length: 20 }, (_, id) => ping(id)));
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([202]));
    break;
  }
  assert.ok(endpoint !== undefined, text);
});

test(`ROLLING-RESTART: no request fails when both processes are restarted under load ${ROUNDS} times`, {
  skip,
}, async () => {
  const wallets = await fund();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const tally = startLoad(wallets);
    await until(tally, 100);
    for (const place of [0, 1] as const) {
      assert.deepEqual(await services[place]!.process.stop('SIGTERM'), { code: 0, signal: null });
      await until(tally, 50);
      await restart(place);
      await until(tally, 100);
    }
    await tally.stop();
    assert.deepEqual(tally.failed, [], `round ${round}, of ${tally.answered} requests`);
    assert.ok(tally.stakes.size > 0);
  }
});

test('ROLLING-RESTART: no request fails while the lines of the guide restart the two units under load', {
  skip,
}, async (t) => {
  const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operate.md'), 'utf8');
  const [line = ''] = /^for unit in .+$/m.exec(guide) ?? [];
  // Instead of systemd, the test stops and starts the process of the unit.
  const systemd = createServer(async ({ url }, response) => {
    const place = url === '/restart/holdfast' ? 0 : 1;
    await services[place]!.process.stop('SIGTERM');
    services[place] = await world.start({ PORT: String(ports[place]) });
    response.end();
  });
  const { port, close } = await listenLocally(systemd);
  t.after(close);
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\ncurl -fsS "http://127.0.0.1:${port}/$1/$2"\n`, {
    mode: 0o755,
  });
  const before = services.slice();
  const tally = startLoad(await fund());
  await until(tally, 100);
  await promisify(execFile)(
    'bash',
    ['-c', line.replace('3000', `${ports[0]}`).replace('3001', `${ports[1]}`)],
    {
      env: { ...cleanEnvironment(), PATH: `${folder}:${process.env.PATH}` },
    },
  );
  await until(tally, 100);
  await tally.stop();
  assert.deepEqual(tally.failed, [], `of ${tally.answered} requests`);
  assert.ok(services.every((service, place) => service !== before[place]));
});

test(`ROLLING-RESTART: no acknowledged request is lost or executed twice when a process is killed under load ${KILLS} times`, {
  skip,
}, async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const wallets = await fund();
    const tally = startLoad(wallets);
    const place = (kill % 2) as 0 | 1;
    await until(tally, 100);
    await services[place]!.process.stop('SIGKILL');
    await until(tally, 100);
    // This process has been the leader since the other's last restart.
    await services[1 - place]!.process.output(/"role":"sampler","msg":"this process leads"/);
    await restart(place);
    await tally.stop();
    // A clean restart must not fail any request. A kill may fail those in progress.
    assert.ok(tally.failed.length <= READERS + BUILDERS + STAKERS, tally.failed.join('\n'));
    for (const [key, { wallet, signature }] of tally.stakes) {
      const again = await stake(wallet, key);
      assert.equal(again.status, 200, JSON.stringify(again.body));
      if (signature !== null) assert.equal(again.body.signature, signature);
    }
    for (const { walletAddress } of wallets) {
      const wanted = [...tally.stakes.values()].filter(
        ({ wallet }) => wallet.walletAddress === walletAddress,
      );
      const { body } = await call('GET', `/api/v1/stake/accounts/${walletAddress}`);
      assert.equal(body.accounts.length, wanted.length);
    }
  }
});
