// A blockhash counts as expired only with proof: no node accepts it any more, and an up-to-date node has
// finalized blocks in which it is invalid.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { atSlot, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { isBlockhashExpired } from './blockhash-expired.ts';

const logger = createLogger('silent');
const signal = new AbortController().signal;
const BLOCKHASH = '1'.repeat(32);
const NEWEST = 1_000;

/**
 * A simulated node: its confirmed slot, and whether its confirmed and finalized blocks accept the blockhash.
 */
interface Node {
  readonly confirmed?: boolean;
  readonly finalized?: boolean;
  readonly slot?: number;
  readonly height?: number;
}

const over = async (t: TestContext, nodes: readonly Node[], lastValidBlockHeight?: bigint) => {
  const started = await Promise.all(
    nodes.map(({ confirmed = false, finalized = false, slot = NEWEST, height = 0 }) =>
      startScriptedRpc(({ method, params }) => {
        const { commitment } = (params as { commitment?: string }[]).at(-1) ?? {};
        if (method === 'getLatestBlockhash')
          return atSlot(NEWEST, { blockhash: BLOCKHASH, lastValidBlockHeight: 150 });
        if (method === 'isBlockhashValid')
          return commitment === 'finalized' ? atSlot(NEWEST - 32, finalized) : atSlot(slot, confirmed);
        if (method === 'getBlockHeight') return { result: height };
        return {
          result: { absoluteSlot: NEWEST, blockHeight: height, epoch: 1, slotIndex: 1, slotsInEpoch: 9 },
        };
      }),
    ),
  );
  const pool = createRpcPool({
    urls: started.map(({ url }) => url),
    timeoutMs: 3_000,
    maxConcurrent: 4,
    clock,
    logger,
  });
  t.after(async () => {
    await pool.close();
    for (const node of started) await node[Symbol.asyncDispose]();
  });
  return isBlockhashExpired(pool, BLOCKHASH, lastValidBlockHeight, signal);
};

test('an unknown blockhash has expired if neither confirmed nor finalized blocks accept it', async (t) => {
  assert.equal(await over(t, [{}]), true);
  assert.equal(await over(t, [{ finalized: true }]), false);
  assert.equal(await over(t, [{ confirmed: true, finalized: true }]), false);
});

test('a blockhash younger than the finalized blocks has not expired', async (t) => {
  assert.equal(await over(t, [{ confirmed: true }]), false);
});

test('a blockhash that any node accepts has not expired, and a lagging node proves nothing', async (t) => {
  assert.equal(await over(t, [{}, { confirmed: true }]), false);
  assert.equal(await over(t, [{ slot: NEWEST - 50 }]), false);
  assert.equal(await over(t, [{ slot: NEWEST - 50 }, {}]), true);
});

test('a known blockhash has expired once a block above its last valid height is finalized', async (t) => {
  assert.equal(await over(t, [{ height: 500 }], 500n), false);
  assert.equal(await over(t, [{ height: 501 }], 500n), true);
});
