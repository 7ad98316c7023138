import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { patience } from '../../../test/support/patience.ts';
import { exampleKey } from '../../../test/support/plan-context.ts';
import { type ScriptedResponse, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { createRpcPool } from '../../chain/rpc/rpc-pool.ts';
import { createRewardMemory } from '../../chain/validator/reward-cache.ts';
import { createRewardReads } from '../../chain/validator/reward-reads.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import type { Context } from '../context.ts';
import { readPayments } from './read-payments.ts';

const [ONE, OTHER] = [exampleKey(1), exampleKey(2)];

/**
 * In epoch 19 only `ONE` was paid, 5 lamports in slot 20,001. Epoch 18 is still being paid. No node has data
 * for epoch 17.
 */
const paidTo = (address: string) =>
  address === ONE ? { epoch: 19, effectiveSlot: 20_001, amount: 5, postBalance: 105, commission: 7 } : null;
const responses: Record<number, (addresses: string[]) => ScriptedResponse> = {
  19: (addresses) => ({ result: addresses.map(paidTo) }),
  18: () => ({ error: { code: -32_017, message: 'Epoch rewards period still active' } }),
  17: () => ({ error: { code: -32_001, message: 'Block cleaned up' } }),
};

const open = async (t: TestContext, calls = 1_000) => {
  const node = await startScriptedRpc(({ method, params }) =>
    method === 'getBlockTime' ? { result: 1_700_000_000 } : responses[params[1].epoch]!(params[0]),
  );
  const logger = createLogger('silent');
  const pool = createRpcPool({ urls: [node.url], timeoutMs: 20_000, maxConcurrent: 4, clock, logger });
  t.after(async () => {
    await pool.close();
    await node[Symbol.asyncDispose]();
  });
  const ctx = { chain: { rewardReads: createRewardReads(pool), rewardMemory: createRewardMemory() } };
  let left = calls;
  const budget = { take: () => left-- > 0 };
  return {
    node,
    refill: () => {
      left = 1_000;
    },
    read: (addresses: readonly Address[], epochs: readonly bigint[], lastCompleted = 19n) => {
      const search = { ctx: ctx as unknown as Context, budget, finalizedSlot: 1n, signal: patience() };
      return readPayments(search, addresses, epochs, lastCompleted);
    },
  };
};

test('paid, unpaid and unknown epochs are distinguished', async (t) => {
  const { read } = await open(t);
  const payments = await read([ONE, OTHER], [19n, 18n, 17n]);
  assert.equal(payments.of(ONE).get(19n)?.lamports, 5n);
  assert.equal(payments.of(OTHER).get(19n), null);
  for (const unknown of [18n, 17n]) assert.equal(payments.of(ONE).has(unknown), false);
  assert.deepEqual(
    payments.notices.map(({ code }) => code),
    ['REWARDS_DISTRIBUTING', 'REWARDS_NOT_RETAINED'],
  );
});

test('until the first block of the new epoch is final, the payments of the completed one are still expected', async (t) => {
  const { read } = await open(t);
  const { notices } = await read([ONE], [17n], 17n);
  assert.deepEqual(
    notices.map(({ code }) => code),
    ['REWARDS_DISTRIBUTING'],
  );
});

test('the payment day is the day of its block, for any paid account, and is unknown without the block', async (t) => {
  const { read } = await open(t);
  const payments = await read([OTHER, ONE], [19n, 18n]);
  assert.equal(payments.paidAt(19n), '2023-11-14T22:13:20.000Z');
  assert.equal(payments.paidAt(18n), null);
  assert.equal((await read([OTHER], [18n])).paidAt(19n), '2023-11-14T22:13:20.000Z', 'for all alike');
});

test('known results, including epochs without a payment, are not requested again, but unknown ones are', async (t) => {
  const { read, node } = await open(t);
  await read([ONE, OTHER], [19n, 18n]);
  const asked = node.requests.length;
  await read([OTHER, ONE], [19n]);
  assert.equal(node.requests.length, asked);
  await read([ONE], [19n, 18n]);
  // The set removes duplicates, because the only node is asked again after a failure.
  const epochs = new Set(node.requests.slice(asked).map(({ params }) => params[1].epoch));
  assert.deepEqual([...epochs], [18]);
});

test('an account added later is requested alone', async (t) => {
  const { read, node } = await open(t);
  await read([ONE], [19n]);
  await read([ONE, OTHER], [19n]);
  const rewards = node.requests.filter(({ method }) => method === 'getInflationReward');
  assert.deepEqual(
    rewards.map(({ params }) => params[0]),
    [[ONE], [OTHER]],
  );
});

test('an exhausted budget leaves older epochs empty with a warning, and the next call fills them', async (t) => {
  const { read, refill, node } = await open(t, 1);
  const some = await read([ONE], [19n, 18n]);
  assert.equal(some.of(ONE).size, 1);
  assert.equal(some.paidAt(19n), null, 'no call was left for its block');
  assert.deepEqual(
    some.notices.map(({ code }) => code),
    ['REWARDS_LIMITED'],
  );
  assert.equal(node.requests.length, 1);
  refill();
  assert.equal((await read([ONE], [19n])).paidAt(19n), '2023-11-14T22:13:20.000Z');
});

test('101 accounts cost two calls per epoch', async (t) => {
  const addresses = Array.from({ length: 101 }, (_, i) => exampleKey(i + 1));
  const { read, node } = await open(t, 1);
  assert.equal((await read(addresses, [19n])).of(ONE).size, 0);
  assert.equal(node.requests.length, 0);
  const rich = await open(t);
  assert.equal((await rich.read(addresses, [19n])).of(ONE).size, 1);
  assert.equal(rich.node.count('getInflationReward'), 2);
});

test('no node is queried without accounts or epochs', async (t) => {
  const { read, node } = await open(t);
  assert.deepEqual((await read([], [19n])).notices, []);
  assert.equal((await read([ONE], [])).of(ONE).size, 0);
  assert.equal(node.requests.length, 0);
});

test('an unavailable node is reported as a failure, never as an epoch without rewards', async (t) => {
  const { read, node } = await open(t);
  node.script = () => ({ status: 403, text: 'no' });
  await assert.rejects(read([ONE], [19n]), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
  node.script = ({ params }) => responses[params[1]?.epoch]?.(params[0]) ?? { result: 1_700_000_000 };
  assert.equal((await read([ONE], [19n])).of(ONE).get(19n)?.lamports, 5n);
});
