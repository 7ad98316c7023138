// The metrics show why a process is not ready. A busy network is not a reason.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkGauges, readinessGauges } from './readiness-gauges.ts';

const works = { ok: true, ageSeconds: 0, error: null };
const broken = { ok: false, ageSeconds: null, error: 'away' };

const reasons = async (
  dependencies: Readonly<Record<string, typeof works | typeof broken>>,
  draining = false,
) =>
  (
    await readinessGauges({
      service: { dependencies: async () => dependencies, draining: () => draining },
    })
  ).flatMap(({ labels, value }) => (value === 1 ? [labels?.reason] : []));

test('each failed required part is a reason, as is a shutdown, but optional parts are not', async () => {
  assert.deepEqual(await reasons({ rpc: works, store: works }), []);
  assert.deepEqual(
    await reasons({ rpc: broken, store: works, index: { ...broken, optional: true } as never }),
    ['rpc'],
  );
  assert.deepEqual(await reasons({ rpc: broken, store: broken }, true), ['rpc', 'store', 'shutdown']);
});

test('the network load has its own gauges once it has been read, and unknown prices are left out', () => {
  const gauges = (load: ReturnType<Parameters<typeof networkGauges>[0]['last']>) =>
    networkGauges({ last: () => load, read: async () => load! });
  assert.deepEqual(gauges(null), []);
  const found = gauges({ isBusy: true, priorityPrices: null, recentTransactions: 10, recentlyExpired: 3 });
  assert.deepEqual(
    found.map(({ value }) => value),
    [1, null, null, null, 10, 3],
  );
});
