// Slot durations come from the cluster's samples or from our own measurement. Neither clock jumps nor a
// silent RPC distorts them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PATIENCE_MS } from '../../../test/support/patience.ts';
import { type Script, type ScriptedRpc, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { createSlotTimer } from './slot-duration.ts';

const signal = new AbortController().signal;
const sample = (numSlots: number, samplePeriodSecs = 60) => ({
  slot: 1,
  numSlots,
  samplePeriodSecs,
  numTransactions: 0,
});

const withTimer = async (
  script: Script,
  use: (
    timer: ReturnType<typeof createSlotTimer>,
    node: ScriptedRpc,
    clock: ReturnType<typeof createManualClock>,
  ) => Promise<void>,
) => {
  await using node = await startScriptedRpc(script);
  const clock = createManualClock();
  const pool = createRpcPool({
    urls: [node.url],
    timeoutMs: PATIENCE_MS,
    maxConcurrent: 4,
    clock,
    logger: createLogger('silent'),
  });
  try {
    await use(createSlotTimer({ pool, clock, signal }), node, clock);
  } finally {
    await pool.close();
  }
};

describe('slot time', () => {
  it('is the mean of all samples, together with the fastest and the slowest', async () => {
    await withTimer(
      () => ({ result: [sample(300), sample(150), sample(240)] }),
      async (timer) => {
        assert.deepEqual(await timer.get(signal), {
          slotDurationMs: 180_000 / 690,
          fastestSlotMs: 200,
          slowestSlotMs: 400,
        });
      },
    );
  });

  it('ignores samples that are too short to be meaningful', async () => {
    await withTimer(
      () => ({ result: [sample(1, 1), sample(0), sample(280), sample(9, 1)] }),
      async (timer) => assert.equal((await timer.get(signal)).slotDurationMs, 60_000 / 280),
    );
  });

  it('is measured from two block heights a second apart if there are no samples', async () => {
    let height = 100;
    await withTimer(
      ({ method }) => {
        if (method !== 'getBlockHeight') return { result: [] };
        height += 5;
        return { result: height };
      },
      async (timer, _node, clock) => {
        const time = timer.get(signal);
        await clock.sleeping();
        clock.advance(1_000);
        assert.deepEqual(await time, { slotDurationMs: 200, fastestSlotMs: 200, slowestSlotMs: 200 });
      },
    );
  });

  it('is also measured from two block heights if no node supports samples', async () => {
    let height = 1_000;
    await withTimer(
      ({ method }) => {
        if (method !== 'getBlockHeight') return { error: { code: -32601, message: 'Method not found' } };
        height += 5;
        return { result: height };
      },
      async (timer, node, clock) => {
        const time = timer.get(signal);
        // The pool's timers use the same clock, so the clock is advanced only once the first read has been made
        // and the one-second pause has begun.
        while (node.count('getBlockHeight') === 0 || !clock.due().includes(1_000))
          await new Promise((resolve) => setImmediate(resolve));
        clock.advance(1_000);
        assert.equal((await time).slotDurationMs, 200);
      },
    );
  });

  it('block heights that were read for other purposes are also used; after a minute, only newer ones count', async () => {
    await withTimer(
      () => ({ result: [] }),
      async (timer, node, clock) => {
        timer.note(1_000n, clock.now());
        clock.advance(2_000);
        timer.note(1_010n, clock.now());
        assert.equal((await timer.get(signal)).slotDurationMs, 200);
        assert.equal(node.count('getBlockHeight'), 0);
        clock.advance(63_000);
        timer.note(1_160n, clock.now());
        await timer.get(signal);
        while ((await timer.get(signal)).slotDurationMs === 200)
          await new Promise((resolve) => setImmediate(resolve));
        assert.equal((await timer.get(signal)).slotDurationMs, 65_000 / 160);
      },
    );
  });

  it('is cached for a minute, then refreshed without making the caller wait', async () => {
    let slots = 300;
    await withTimer(
      () => ({ result: [sample(slots)] }),
      async (timer, node, clock) => {
        assert.equal((await timer.get(signal)).slotDurationMs, 200);
        slots = 150;
        clock.advance(59_000);
        await timer.get(signal);
        assert.equal(node.requests.length, 1);
        clock.advance(2_000);
        assert.equal((await timer.get(signal)).slotDurationMs, 200);
        while ((await timer.get(signal)).slotDurationMs !== 400)
          await new Promise((resolve) => setImmediate(resolve));
      },
    );
  });

  it('setting the clock back does not shorten slots, and the measurement restarts from the new time', async () => {
    await withTimer(
      () => ({ result: [] }),
      async (timer, _node, clock) => {
        timer.note(1_000n, clock.now());
        clock.setBack(3_600_000);
        timer.note(1_001n, clock.now());
        clock.advance(2_000);
        timer.note(1_011n, clock.now());
        assert.equal((await timer.get(signal)).slotDurationMs, 200);
      },
    );
  });

  it('a cached value is refreshed after a minute, even if the clock was set back in the meantime', async () => {
    await withTimer(
      () => ({ result: [sample(300)] }),
      async (timer, node, clock) => {
        await timer.get(signal);
        clock.setBack(3_600_000);
        await timer.get(signal);
        clock.advance(61_000);
        await timer.get(signal);
        await node.asked('getRecentPerformanceSamples', 2);
      },
    );
  });

  it('after a stall, a failed read keeps the last samples and ignores a rate measured across the stall', async () => {
    let fails = false;
    await withTimer(
      () => (fails ? { error: { code: -32603, message: 'internal error' } } : { result: [sample(300)] }),
      async (timer, node, clock) => {
        await timer.get(signal);
        timer.note(1_000n, clock.now());
        clock.advance(61_000);
        timer.note(1_001n, clock.now());
        fails = true;
        await timer.get(signal);
        await node.asked('getRecentPerformanceSamples', 2);
        // The pool's pauses between attempts use the same clock.
        for (let turn = 0; turn < 100; turn += 1) {
          clock.advance(500);
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
        assert.equal((await timer.get(signal)).slotDurationMs, 200);
      },
    );
  });

  it('the last measurement is kept while the cluster refuses to provide samples', async () => {
    let refuses = false;
    await withTimer(
      () => (refuses ? { error: { code: -32602, message: 'no samples here' } } : { result: [sample(300)] }),
      async (timer, node, clock) => {
        await timer.get(signal);
        refuses = true;
        clock.advance(61_000);
        await timer.get(signal);
        await node.asked('getRecentPerformanceSamples', 2);
        clock.advance(61_000);
        assert.equal((await timer.get(signal)).slotDurationMs, 200);
      },
    );
  });
});
