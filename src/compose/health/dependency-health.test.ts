import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import type { RpcOutage } from '../../chain/rpc/node-availability.ts';
import type { RpcPool } from '../../chain/rpc/rpc-pool.ts';
import { createDependencyHealth } from './dependency-health.ts';

const NOW_MS = 1_800_000_000_000;
const clock = { now: () => NOW_MS, steadyNow: () => NOW_MS, sleep: async () => {} };

const node = (ok: boolean, lastOkAtMs: number | null, lastError: string | null) => ({
  origin: 'https://rpc.example',
  role: 'read',
  ok,
  lastOkAtMs,
  lastError,
});

const indexHealth = {
  ready: false,
  slot: 7n,
  ageSeconds: null,
  accounts: 12,
  live: true,
  error: 'not scanned yet',
  progress: { phase: 'scanning', accounts: 12, percent: 50, secondsLeft: 3 },
} as const;

const healthWith = async (
  t: TestContext,
  nodes: readonly ReturnType<typeof node>[],
  isStoreOpen = true,
  missing: readonly string[] = [],
  unchangedMs = 0,
  hasPage = true,
  alarms: readonly { readonly alarm: 'store_unwritable' }[] = [],
  outage: RpcOutage | null = null,
  isWritable = true,
) => {
  const store = await openTestStore(t);
  if (!isStoreOpen) await store.close();
  const pool = {
    health: () => nodes,
    missingMethods: () => missing,
    newestSlot: () => ({ slot: 255n, unchangedMs }),
    outage: () => outage,
  } as unknown as RpcPool;
  const webhooks = async () => ({ ok: true, ageSeconds: 0, error: null });
  return createDependencyHealth({
    pool,
    store,
    alarms: () => alarms,
    storeWrites: () => ({ isWritable, writtenMs: NOW_MS - 75_000 }),
    index: { health: () => indexHealth },
    redis: null,
    webhooks,
    profile: async () => null,
    hasPage,
    clock,
  })();
};

test('the RPC is healthy if any node is, and its age is the time since the last response', async (t) => {
  const { rpc } = await healthWith(t, [
    node(false, NOW_MS - 60_000, 'timeout'),
    node(true, NOW_MS - 3_000, null),
  ]);
  assert.deepEqual([rpc?.ok, rpc?.ageSeconds, rpc?.error], [true, 3, null]);
});

test('an RPC without a new slot for a minute is unhealthy, because the chain has halted', async (t) => {
  const nodes = [node(true, NOW_MS, null)];
  const { rpc: well } = await healthWith(t, nodes, true, [], 59_999);
  assert.deepEqual([well?.ok, well?.error], [true, null]);
  const { rpc: still } = await healthWith(t, nodes, true, [], 75_000);
  assert.deepEqual([still?.ok, still?.error], [false, 'the chain has stalled: no slot after 255 for 75 s']);
});

test('the report states the time and the reason if every node is down', async (t) => {
  const { rpc } = await healthWith(t, [node(false, NOW_MS - 60_000, 'timeout')]);
  assert.deepEqual([rpc?.ok, rpc?.ageSeconds, rpc?.error], [false, 60, 'timeout']);
  const outage = { sinceMs: NOW_MS - 90_000, untilMs: null };
  const { rpc: behind } = await healthWith(t, [node(false, NOW_MS, 'behind')], true, [], 0, true, [], outage);
  assert.equal(behind?.ageSeconds, 90, 'a response that cannot be used does not reset the age');
});

test('a response dated in the future, because the clock was set back, has an age of zero', async (t) => {
  const { rpc } = await healthWith(t, [node(true, NOW_MS + 86_400_000, null)]);
  assert.equal(rpc?.ageSeconds, 0);
});

test('a node that never responded has no age', async (t) => {
  const { rpc } = await healthWith(t, [node(false, null, null)]);
  assert.deepEqual([rpc?.ok, rpc?.ageSeconds, rpc?.error], [false, null, 'unavailable']);
});

test('an unavailable store is reported without the engine’s message', async (t) => {
  assert.equal((await healthWith(t, [node(true, NOW_MS, null)])).store?.ok, true);
  const { store } = await healthWith(t, [node(true, NOW_MS, null)], false);
  assert.deepEqual(store, { ok: false, ageSeconds: 75, error: 'the store cannot be read' });
});

test('a store that can be read but not written, such as on a full disk, is unhealthy', async (t) => {
  const alarms = [{ alarm: 'store_unwritable' }] as const;
  const { store } = await healthWith(t, [node(true, NOW_MS, null)], true, [], 0, true, alarms, null, false);
  assert.deepEqual(store, { ok: false, ageSeconds: 75, error: 'the store cannot be written' });
  const { store: again } = await healthWith(t, [node(true, NOW_MS, null)], true, [], 0, true, alarms);
  assert.equal(again?.ok, true, 'healthy from the first write on, although the alarm ends later');
});

test('an unfinished index scan reports its progress and does not affect readiness', async (t) => {
  const { index } = await healthWith(t, [node(true, NOW_MS, null)]);
  assert.deepEqual([index?.ok, index?.optional, index?.error], [false, true, 'not scanned yet']);
  assert.equal(index?.details?.slot, 7);
  assert.deepEqual(index?.details?.progress, indexHealth.progress);
});

test('methods that no RPC offers are listed with the affected features, and do not affect readiness', async (t) => {
  const well = [node(true, NOW_MS, null)];
  assert.equal((await healthWith(t, well)).rpcMethods, undefined);
  const { rpcMethods } = await healthWith(t, well, true, ['getInflationReward', 'getSupply']);
  assert.deepEqual([rpcMethods?.ok, rpcMethods?.optional], [false, true]);
  assert.equal(
    rpcMethods?.error,
    'No RPC node supports getInflationReward (lost: rewards and the realized yield), getSupply (lost: the expected yield).',
  );
});

test('a missing page is reported with a fix', async (t) => {
  assert.equal((await healthWith(t, [])).page, undefined);
  const { page } = await healthWith(t, [], undefined, undefined, undefined, false);
  assert.deepEqual([page?.ok, page?.optional], [false, true], 'the API works without the page');
  assert.match(page?.error ?? '', /npm run build/);
});
