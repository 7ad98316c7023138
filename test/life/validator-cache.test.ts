// Checks cached responses about the validator: one upstream call for any number of clients, stale responses
// while it runs, and responses without the chain.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { DEAD_ORIGIN } from '../support/free-port.ts';
import { until } from '../support/index-fixture.ts';
import { patience } from '../support/patience.ts';
import { fundedWallet } from '../support/wallets.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

const CONCURRENT = 1_000;
const LIVE_LIFETIME_MS = 15_000;
const SECOND = 1_000;

const ask = async (
  { app }: TestApp,
  path: string,
): Promise<{ status: number; etag: string | null; body: Json }> => {
  const response = await fetch(`${app.url}/api/v1/${path}`, { signal: patience() });
  return { status: response.status, etag: response.headers.get('etag'), body: await response.json() };
};

const askTogether = (world: TestApp, path: string, concurrent = CONCURRENT) =>
  Promise.all(Array.from({ length: concurrent }, () => ask(world, path)));

/** Counts the reads of the vote account. Only `live` and the sampler read it, and they share each read. */
const upstreamCalls = ({ rpc }: TestApp): number => rpc.asked('getVoteAccounts', 'votePubkey');

test('cache expiry with 1,000 concurrent requests causes exactly one upstream call, and the stale response is served in the meantime', async (t) => {
  const world = await startTestApp(t);
  const first = await ask(world, 'validator/live');
  assert.equal(first.status, 200);

  world.clock.advance(20 * SECOND);
  const beforeStale = upstreamCalls(world);
  const release = world.rpc.hold();
  // Sends fewer requests, because a delayed upstream call is abandoned after a few seconds, and a busy machine
  // needs that long to serve a thousand.
  const stale = await askTogether(world, 'validator/live', CONCURRENT / 10);
  assert.deepEqual(
    new Set(stale.map(({ status, etag }) => `${status} ${etag}`)),
    new Set([`200 ${first.etag}`]),
  );
  release();
  let refilled = first.etag;
  while (refilled === first.etag) refilled = (await ask(world, 'validator/live')).etag;
  assert.equal(upstreamCalls(world) - beforeStale, 1, 'one refill for all of them');

  world.clock.advance(60 * SECOND);
  const beforeGone = upstreamCalls(world);
  const startedMs = performance.now();
  const fresh = await askTogether(world, 'validator/live');
  const tookMs = Math.round(performance.now() - startedMs);
  // One call, unless a busy machine needs longer for a thousand requests than a response stays fresh.
  const lifetimes = 1 + Math.floor(tookMs / LIVE_LIFETIME_MS);
  assert.ok(fresh.every(({ status }) => status === 200));
  assert.ok(new Set(fresh.map(({ etag }) => etag)).size <= lifetimes);
  assert.notEqual(fresh[0]!.etag, refilled);
  const calls = upstreamCalls(world) - beforeGone;
  t.diagnostic(
    `cache expiry: ${CONCURRENT} concurrent requests, ${calls} upstream call, ${tookMs} ms for all`,
  );
  assert.ok(calls >= 1 && calls <= lifetimes, `${calls} calls in ${lifetimes} lifetimes`);
});

test('cachedAt and the cache lifetime match the cached response', async (t) => {
  const world = await startTestApp(t);
  for (const [path, seconds] of [
    ['validator', 60],
    ['validator/apy', 120],
    ['validator/performance', 60],
    ['validator/live', 15],
  ] as const) {
    const { _meta: first } = (await ask(world, path)).body;
    assert.equal(first.cacheTtlSeconds, seconds, path);
    world.clock.advance((seconds - 1) * SECOND);
    assert.equal((await ask(world, path)).body._meta.cachedAt, first.cachedAt, path);
    world.clock.advance(2 * seconds * SECOND);
    const { _meta: next } = (await ask(world, path)).body;
    assert.ok(Date.parse(next.cachedAt) - Date.parse(first.cachedAt) >= seconds * SECOND, path);
  }
});

test('no response is older than an alert about the validator that the service reports', async (t) => {
  const world = await startTestApp(t);
  const { app, sandbox, clock } = world;
  const paths = ['validator', 'validator/apy', 'validator/performance', 'validator/live'] as const;
  const readAll = async (): Promise<Json[]> =>
    (await Promise.all(paths.map((path) => ask(world, path)))).map(({ body }) => body);
  const reported = async (code: string): Promise<void> => {
    const isReported = async (): Promise<boolean> => {
      const response = await fetch(`${app.url}/api/v1/stake/simulate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ amountSol: 5 }),
      });
      const { notices } = (await response.json()) as Json;
      return notices.some((one: Json) => one.code === code);
    };
    // Ends the pause between two polls of the validator. The profile stays fresh for longer.
    clock.advance(20 * SECOND);
    await until(isReported, code);
  };
  const [before] = await readAll();
  assert.equal(before.commission, 0);

  await sandbox.setValidator({ commissionBps: 10_000 });
  await reported('COMMISSION_FULL');
  const [profile, apy] = await readAll();
  assert.deepEqual([profile.commission, profile.apy.stakingApy], [100, 0]);
  assert.deepEqual([apy.commission, apy.stakingApy], [100, 0]);

  await sandbox.setValidator({ votes: false });
  await sandbox.advanceBlocks(200);
  await reported('VALIDATOR_DELINQUENT');
  const [stopped, none, performance, live] = await readAll();
  assert.deepEqual([stopped.apy.totalApy, stopped.performance.delinquent], [null, true]);
  assert.deepEqual([none.totalApy, performance.delinquent, live.delinquent], [null, true, true]);
});

test('as soon as one response knows the new commission, transactions and Actions warn too, long before the next poll', async (t) => {
  const world = await startTestApp(t);
  const { app, sandbox, clock } = world;
  const wallet = (await fundedWallet(sandbox, 10)).walletAddress;
  const post = async (path: string, body: object): Promise<Json> => {
    const response = await fetch(`${app.url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const codesOf = ({ notices }: Json): string[] => (notices ?? []).map((one: Json) => one.code);
  const build = async () =>
    codesOf(await post('v1/stake/transaction', { walletAddress: wallet, amountSol: 2 }));
  await until(() => app.ctx.validator.status.current() !== null, 'the first poll');
  assert.ok(!(await build()).includes('COMMISSION_FULL'));

  await sandbox.setValidator({ commissionBps: 10_000 });
  clock.advance(6 * SECOND);
  assert.equal((await ask(world, 'validator/live')).body.commission, 100);
  assert.ok(codesOf(await post('v1/stake/simulate', { amountSol: 5 })).includes('COMMISSION_FULL'));
  assert.ok((await build()).includes('COMMISSION_FULL'));
  const action = await (await fetch(`${app.url}/api/actions/stake`, { signal: patience() })).json();
  assert.match((action as Json).error.message, /commission is 100%/);
});

describe('without the chain', () => {
  test('without the chain, fields read from it are null or come from a provider, a commission of 0 % is never invented, and live returns 502', async (t) => {
    const world = await startTestApp(t);
    world.rpc.cut(true);
    // By now, all values that the sampler read at startup have expired.
    world.clock.advance(600 * SECOND);
    const { status, body } = await ask(world, 'validator');
    assert.equal(status, 200);
    assert.deepEqual(
      [body.commission, body.apy.commission, body.rank, body.voteCreditRank],
      [null, null, null, null],
    );
    assert.equal(body.performance.voteSuccessRate, 98.5, 'as StakeWiz reports');
    assert.deepEqual(
      [body.name, body.location, body.jitoCommissionBps],
      ['Holdfast Sandbox', 'Frankfurt, Germany', 0],
    );
    assert.equal(body.apy.method.staking.source, 'provider');
    assert.match(body.warnings.join(' '), /No RPC/);
    const live = await ask(world, 'validator/live');
    assert.deepEqual([live.status, live.body.errorCode], [502, 'UPSTREAM_UNAVAILABLE']);
    world.rpc.cut(false);
    // A suspended node is retried only after real time has passed, so the loop repeats.
    do world.clock.advance(600 * SECOND);
    while ((await ask(world, 'validator')).body.commission === null);
    assert.equal((await ask(world, 'validator')).body.commission, 0);
    assert.equal((await ask(world, 'validator/live')).status, 200);
  });

  test('while every RPC node hangs, the yield is the last known one with its time', async (t) => {
    const world = await startTestApp(t, {
      places: () => ({ stakewizUrl: DEAD_ORIGIN, jitoUrl: DEAD_ORIGIN }),
    });
    const { body: before } = await ask(world, 'validator/apy');
    assert.ok(before.stakingApy > 0);
    t.after(world.rpc.hold());
    world.clock.advance(600 * SECOND);
    const { status, body } = await ask(world, 'validator/apy');
    assert.deepEqual(
      [status, body.stakingApy, body.notices?.[0].code],
      [200, before.stakingApy, 'YIELD_AS_OF'],
    );
  });

  test('without any provider either, only recorded and configured data is available, and every other response is 502', async (t) => {
    const world = await startTestApp(t, {
      places: () => ({ stakewizUrl: DEAD_ORIGIN, jitoUrl: DEAD_ORIGIN }),
    });
    world.rpc.cut(true);
    world.clock.advance(600 * SECOND);
    for (const path of [
      'validator',
      'validator/apy',
      'validator/performance',
      'validator/live',
      'network/peer-density',
    ]) {
      const { status, body } = await ask(world, path);
      assert.deepEqual([path, status, body.errorCode], [path, 502, 'UPSTREAM_UNAVAILABLE']);
    }
    assert.equal((await ask(world, 'validator/infrastructure')).status, 200);
    assert.equal((await ask(world, 'validator/history')).status, 200);
  });
});
