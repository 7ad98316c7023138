// The estimate is the median across nodes, tolerates nodes without an estimate, and cannot be raised by a
// single node.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Address } from '@solana/kit';
import { patience } from '../../../test/support/patience.ts';
import { exampleKey } from '../../../test/support/plan-context.ts';
import { type Script, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { createPriorityPrice } from './estimate-priority-price.ts';

const ACCOUNTS = [1, 2].map(exampleKey) as Address[];
const NOT_FOUND = { error: { code: -32601, message: 'Method not found' } };

/** A node that lacks `getPriorityFeeEstimate` and reports these lowest prices for recent blocks. */
const plain =
  (...fees: readonly number[]): Script =>
  ({ method }) =>
    method === 'getRecentPrioritizationFees'
      ? { result: fees.map((prioritizationFee, slot) => ({ slot, prioritizationFee })) }
      : NOT_FOUND;

const open = async (t: TestContext, scripts: readonly Script[]) => {
  const nodes = await Promise.all(scripts.map(startScriptedRpc));
  const clock = createManualClock();
  const pool = createRpcPool({
    urls: nodes.map(({ url }) => url),
    timeoutMs: 5_000,
    maxConcurrent: 8,
    clock,
    logger: createLogger('silent'),
  });
  const lifetime = new AbortController();
  t.after(async () => {
    lifetime.abort();
    await pool.close();
    for (const node of nodes) await node[Symbol.asyncDispose]();
  });
  const estimate = createPriorityPrice({ pool, clock, signal: lifetime.signal });
  return {
    nodes,
    clock,
    pool,
    price: (level: 'low' | 'medium' | 'high' = 'medium', accounts = ACCOUNTS) =>
      estimate(accounts, level, patience()),
  };
};

describe('the price per compute unit', () => {
  it('is a percentile of the lowest prices of recent blocks for the given accounts', async (t) => {
    const { price, nodes } = await open(t, [plain(4_000, 1_000, 3_000, 2_000)]);
    assert.deepEqual(await price('low'), { microLamports: 1_000n, differs: false });
    assert.deepEqual((await price('medium')).microLamports, 2_000n);
    assert.deepEqual((await price('high')).microLamports, 3_000n);
    const [node] = nodes;
    assert.deepEqual(
      node!.requests
        .filter(({ method }) => method === 'getRecentPrioritizationFees')
        .map(({ params }) => params),
      [[ACCOUNTS]],
      'one call for all levels',
    );
  });

  it('is 0 for blocks without fees, and null if no node responds', async (t) => {
    assert.equal((await (await open(t, [plain(0, 0)])).price()).microLamports, 0n);
    assert.equal((await (await open(t, [plain()])).price()).microLamports, 0n);
    const down = await open(t, [() => ({ status: 500, text: '' })]);
    assert.deepEqual(await down.price(), { microLamports: null, differs: false });
  });

  it('is the provider’s own estimate if available; a node without `getPriorityFeeEstimate` is asked for it only once', async (t) => {
    const provider: Script = ({ method, params }) =>
      method === 'getPriorityFeeEstimate'
        ? {
            result: {
              priorityFeeLevels: {
                min: 0,
                low: 10.2,
                medium: 500,
                high: 9_000,
                veryHigh: 1e6,
                unsafeMax: 1e9,
              },
            },
          }
        : { error: { code: -32602, message: JSON.stringify(params) } };
    const own = await open(t, [provider]);
    assert.equal((await own.price('low')).microLamports, 11n);
    assert.equal((await own.price('high')).microLamports, 9_000n);
    const { price, nodes, clock, pool } = await open(t, [plain(7)]);
    await price();
    clock.advance(2_100);
    await price();
    assert.deepEqual(
      ['getPriorityFeeEstimate', 'getRecentPrioritizationFees'].map((method) => nodes[0]!.count(method)),
      [1, 2],
    );
    assert.deepEqual(
      pool.missingMethods(),
      [],
      'a method that few providers offer is not reported as missing',
    );
  });

  it('is the median of three or more estimates and the lower of two, so no single node can raise it', async (t) => {
    const absurd = 10_000_000_000_000;
    assert.deepEqual(await (await open(t, [plain(absurd), plain(50)])).price(), {
      microLamports: 50n,
      differs: true,
    });
    assert.deepEqual(await (await open(t, [plain(40), plain(absurd), plain(50)])).price(), {
      microLamports: 50n,
      differs: true,
    });
    assert.deepEqual(await (await open(t, [plain(40), plain(45)])).price(), {
      microLamports: 40n,
      differs: false,
    });
    const broken: Script = () => ({ result: 'nonsense' });
    assert.equal((await (await open(t, [broken, plain(45)])).price()).microLamports, 45n);
  });

  it('is reused for two seconds if the accounts are the same', async (t) => {
    const { price, nodes, clock } = await open(t, [plain(5)]);
    const count = () => nodes[0]!.count('getRecentPrioritizationFees');
    await Promise.all([price(), price('high'), price('low', ACCOUNTS.toReversed())]);
    assert.equal(count(), 1);
    await price('medium', ACCOUNTS.slice(1));
    assert.equal(count(), 2);
    clock.advance(2_001);
    await price();
    assert.equal(count(), 3);
  });
});
