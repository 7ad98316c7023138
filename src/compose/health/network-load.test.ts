// Tests that the network counts as busy while block space has a price, or after many recent transactions
// expired.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNetworkLoad } from './network-load.ts';

const NOW_MS = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

const loadWith = (
  microLamports: bigint | null,
  ages: readonly (readonly [state: string, ageMs: number])[],
) => {
  let reads = 0;
  let nowMs = 0;
  const load = createNetworkLoad({
    cluster: {
      isReachable: () => true,
      priorityPrice: async () => {
        reads += 1;
        return { microLamports, differs: false };
      },
    },
    intents: {
      page: async () =>
        ages.map(([state, ageMs]) => ({ createdAtMs: NOW_MS - ageMs, submission: { state } })) as never,
    },
    clock: { now: () => NOW_MS, steadyNow: () => nowMs, sleep: async () => {} },
  });
  return { load, reads: () => reads / 3, advance: (ms: number) => (nowMs += ms) };
};

const states = (expired: number, confirmed: number, ageMs = 0) => [
  ...Array.from({ length: expired }, () => ['expired', ageMs] as const),
  ...Array.from({ length: confirmed }, () => ['confirmed', ageMs] as const),
];

test('the network is busy if block space has a price, or if more than a tenth of the last hour’s transactions expired', async () => {
  const isBusy = async (...given: Parameters<typeof loadWith>) =>
    (await loadWith(...given).load.read()).isBusy;
  assert.equal(await isBusy(0n, states(1, 9)), false);
  assert.equal(await isBusy(0n, states(2, 9)), true);
  assert.equal(await isBusy(0n, states(9, 0, HOUR_MS + 1)), false);
  assert.equal(await isBusy(1n, []), true);
  assert.equal(await isBusy(null, []), false);
});

test('a probe reads the chain only if the last measurement is older than the probe allows', async () => {
  const { load, reads, advance } = loadWith(0n, []);
  assert.equal(load.last(1_000), null);
  const found = await load.read();
  assert.deepEqual([load.last(1_000), reads()], [found, 1], 'both calls share one read');
  advance(1_001);
  assert.equal(load.last(1_000), found);
  assert.equal(reads(), 2);
});
