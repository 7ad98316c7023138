// RL-1: no window ever admits more than the limit, for random arrivals at the limiter itself and for requests
// to a real server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlidingLog } from '../../src/http/guards/sliding-window-limiter.ts';
import { startTestServer, WALLET } from '../support/http-operations.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEQUENCES = process.env.HOLDFAST_TEST_FULL === '1' ? 10_000 : 1_000;
const LIMIT = 100;
const WINDOW_MS = 60_000;
const SEED = 20_261_121;

interface Arrival {
  readonly timeMs: number;
  readonly allowed: boolean;
}

/** Simulates bursts, steady streams and pauses of up to two windows, some exactly one window apart. */
const playSequence = (random: () => number): Arrival[] => {
  const log = new SlidingLog({ limit: LIMIT, windowMs: WINDOW_MS, maxKeys: 10 });
  const arrivals: Arrival[] = [];
  let timeMs = Math.floor(random() * 1e9);
  while (arrivals.length < 350) {
    const burst = 1 + Math.floor(random() * 150);
    const gapMs = random() < 0.3 ? 0 : Math.floor(random() * 900);
    for (let index = 0; index < burst; index += 1) {
      timeMs += gapMs;
      arrivals.push({ timeMs, allowed: log.take('client', timeMs).allowed });
    }
    timeMs += random() < 0.3 ? WINDOW_MS : Math.floor(random() * 2 * WINDOW_MS);
  }
  return arrivals;
};

test(`RL-1 in ${SEQUENCES} random arrival sequences, no window admits more than ${LIMIT} requests, and no request is refused needlessly`, () => {
  const random = seededRandom(SEED);
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    const passed: number[] = [];
    for (const { timeMs, allowed } of playSequence(random)) {
      const earlier = passed[passed.length - LIMIT];
      const full = earlier !== undefined && timeMs - earlier <= WINDOW_MS;
      assert.equal(allowed, !full, `seed ${SEED}, sequence ${sequence}, at ${timeMs} ms`);
      if (allowed) passed.push(timeMs);
    }
  }
});

test('RL-1 a real server admits exactly the limit, reports it in every response, and admits a client again after the reported wait', async () => {
  let nowMs = 5_000.5;
  const server = await startTestServer({ config: { rateLimit: LIMIT }, monotonicMs: () => nowMs });
  try {
    const paths = [`/read/${WALLET}`, '/none', '/read/0', '/openapi.json'];
    const responses = await Promise.all(
      Array.from({ length: LIMIT + 30 }, (_, index) => fetch(server.url + paths[index % paths.length])),
    );
    const left = responses.map(({ headers }) =>
      Number(/^"default";r=(\d+);t=60$/.exec(headers.get('ratelimit') ?? '')?.[1]),
    );
    assert.equal(responses.filter(({ status }) => status === 429).length, 30);
    assert.deepEqual(
      left.toSorted((a, b) => b - a),
      [...Array.from({ length: LIMIT }, (_, index) => LIMIT - 1 - index), ...new Array<number>(30).fill(0)],
    );
    for (const { headers } of responses)
      assert.equal(headers.get('ratelimit-policy'), '"default";q=100;w=60');
    const refused = responses.find(({ status }) => status === 429) as Response;
    const body = (await refused.json()) as { error: string; errorCode: string; _meta: object };
    assert.deepEqual([body.error, body.errorCode], ['Rate limit exceeded', 'RATE_LIMITED']);
    assert.ok(body._meta);
    await Promise.all(
      responses.filter((response) => response !== refused).map((response) => response.text()),
    );

    for (const path of ['/health']) {
      const free = await fetch(server.url + path);
      assert.deepEqual([free.status, free.headers.get('ratelimit')], [200, null], path);
      await free.text();
    }
    for (const path of [
      '/docs',
      '/docs/reference',
      '/',
      '/llms-full.txt',
      '/server.json',
      '/.well-known/agent.json',
    ]) {
      const counted = await fetch(server.url + path);
      assert.equal(counted.status, 429, path);
      await counted.text();
    }

    const retryAfterSeconds = Number(refused.headers.get('retry-after'));
    nowMs += (retryAfterSeconds - 1) * 1000;
    assert.equal((await fetch(`${server.url}/none`)).status, 429);
    nowMs += 1000;
    assert.equal((await fetch(`${server.url}/none`)).status, 404);
  } finally {
    await server.close();
  }
});

test('RL-1 a client that has used up the limit with reads can still build and submit, up to a fifth of the limit', async () => {
  let nowMs = 5_000;
  const server = await startTestServer({ config: { rateLimit: LIMIT }, monotonicMs: () => nowMs });
  const statusOf = async (path: string, body?: string): Promise<number> => {
    const response = await fetch(
      server.url + path,
      body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } },
    );
    await response.text();
    return response.status;
  };
  const build = () => statusOf('/build', JSON.stringify({ walletAddress: WALLET, amountSol: 1 }));
  try {
    const reads = await Promise.all(Array.from({ length: LIMIT }, () => statusOf(`/read/${WALLET}`)));
    assert.deepEqual(new Set(reads), new Set([200]));
    assert.equal(await statusOf(`/read/${WALLET}`), 429);
    const builds: number[] = [];
    for (let count = 0; count < LIMIT / 5 + 2; count += 1) builds.push(await build());
    assert.deepEqual(builds, [...Array<number>(LIMIT / 5).fill(200), 429, 429]);
    assert.equal(await statusOf(`/read/${WALLET}`), 429);
    nowMs += 60_001;
    assert.deepEqual([await build(), await statusOf(`/read/${WALLET}`)], [200, 200]);
  } finally {
    await server.close();
  }
});
