// Shows that a position never pairs two epochs, never hides active rewards, and is shown again only while it must still be true.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { PATIENCE_MS } from '../../../test/support/patience.ts';
import { atSlot, type ScriptedRpc, startScriptedRpc } from '../../../test/support/scripted-rpc.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { createLogger } from '../../kernel/logger.ts';
import type { EpochPosition } from '../ports.ts';
import { createRpcPool } from '../rpc/rpc-pool.ts';
import { createSolanaReads } from '../solana.ts';
import { createPositionReader, isStillTrue } from './cluster-position.ts';
import { createSlotTimer } from './cluster-slot-time.ts';

const SLOTS = 432_000;
const SLOT_MS = 200;
const signal = new AbortController().signal;

interface Chain {
  epoch: number;
  clockEpoch?: number;
  slotIndex: number;
  rewards: boolean;
}

const sysvar = (data: Buffer) => ({
  data: [data.toString('base64'), 'base64'],
  executable: false,
  lamports: 1,
  owner: 'Sysvar1111111111111111111111111111111111111',
  rentEpoch: 0,
  space: data.length,
});

const clockSysvar = (epoch: number) => {
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(BigInt(epoch), 16);
  data.writeBigInt64LE(1_800_000_123n, 32);
  return sysvar(data);
};

const rewardsSysvar = (active: boolean) => {
  const data = Buffer.alloc(81);
  data[80] = active ? 1 : 0;
  return sysvar(data);
};

const withReader = async (
  chain: Chain,
  use: (setup: {
    reader: ReturnType<typeof createPositionReader>;
    node: ScriptedRpc;
    clock: ReturnType<typeof createManualClock>;
    epochs: bigint[];
  }) => Promise<void>,
) => {
  await using node = await startScriptedRpc(({ method }) => {
    const absoluteSlot = chain.epoch * SLOTS + chain.slotIndex;
    if (method === 'getEpochInfo') {
      const { epoch, slotIndex } = chain;
      return {
        result: { absoluteSlot, blockHeight: absoluteSlot - 9, epoch, slotIndex, slotsInEpoch: SLOTS },
      };
    }
    if (method === 'getRecentPerformanceSamples')
      return { result: [{ numSlots: 300, samplePeriodSecs: 60 }] };
    return atSlot(absoluteSlot, [clockSysvar(chain.clockEpoch ?? chain.epoch), rewardsSysvar(chain.rewards)]);
  });
  const clock = createManualClock();
  const pool = createRpcPool({
    urls: [node.url],
    timeoutMs: PATIENCE_MS,
    maxConcurrent: 4,
    clock,
    logger: createLogger('silent'),
  });
  const epochs: bigint[] = [];
  const reader = createPositionReader({
    pool,
    reads: createSolanaReads(pool),
    clock,
    slotTimer: createSlotTimer({ pool, clock, signal }),
    onEpoch: (epoch) => epochs.push(epoch),
    signal,
  });
  try {
    await use({ reader, node, clock, epochs });
  } finally {
    await pool.close();
  }
};

describe('epoch position', () => {
  it('holds slot, height, times, rate and the rewards switch of one epoch', async () => {
    await withReader({ epoch: 800, slotIndex: 5, rewards: true }, async ({ reader, clock, epochs }) => {
      assert.deepEqual(await reader.fresh(signal), {
        epoch: 800n,
        absoluteSlot: 345_600_005n,
        blockHeight: 345_599_996n,
        slotIndex: 5n,
        slotsInEpoch: 432_000n,
        readAtMs: clock.now(),
        slotDurationMs: SLOT_MS,
        fastestSlotMs: SLOT_MS,
        slowestSlotMs: SLOT_MS,
        epochRewardsActive: true,
        unixTimestamp: 1_800_000_123n,
      });
      assert.deepEqual(epochs, [800n]);
    });
  });

  it('a boundary between the two answers is read again until both are of one epoch', async () => {
    const chain: Chain = { epoch: 801, clockEpoch: 800, slotIndex: 0, rewards: false };
    await withReader(chain, async ({ reader, clock, epochs }) => {
      const reading = reader.fresh(signal);
      await clock.sleeping();
      Object.assign(chain, { clockEpoch: 801, rewards: true });
      clock.advance(SLOT_MS);
      const { epoch, epochRewardsActive } = await reading;
      assert.deepEqual([epoch, epochRewardsActive, epochs], [801n, true, [801n]]);
    });
  });

  it('a node that never agrees with itself is UPSTREAM_UNAVAILABLE, not a wrong switch', async () => {
    await withReader(
      { epoch: 801, clockEpoch: 800, slotIndex: 0, rewards: false },
      async ({ reader, clock }) => {
        const reading = reader.fresh(signal);
        reading.catch(() => undefined);
        const tick = setInterval(() => clock.advance(50), 1);
        await assert.rejects(reading, (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
        clearInterval(tick);
      },
    );
  });

  it('fresh asks every time, recent only when the last one may no longer hold', async () => {
    const chain: Chain = { epoch: 800, slotIndex: 100_000, rewards: false };
    await withReader(chain, async ({ reader, node, clock }) => {
      const asked = () => node.count('getEpochInfo');
      await reader.fresh(signal);
      await reader.fresh(signal);
      assert.equal(asked(), 2);
      clock.advance(900);
      await reader.recent(signal);
      assert.equal(asked(), 2);
      clock.advance(1_200);
      chain.slotIndex += 10;
      assert.equal((await reader.recent(signal)).slotIndex, 100_010n);
      assert.equal(asked(), 3);
    });
  });

  it('from half its age on a recent position is renewed while the kept one is handed out', async () => {
    await withReader({ epoch: 800, slotIndex: 100_000, rewards: false }, async ({ reader, node, clock }) => {
      const first = await reader.recent(signal);
      clock.advance(1_500);
      assert.equal((await reader.recent(signal)).readAtMs, first.readAtMs);
      await node.asked('getEpochInfo', 2);
    });
  });

  it('a position from before the clock was set back is not recent, and the one read then takes its place', async () => {
    const chain: Chain = { epoch: 800, slotIndex: 100_000, rewards: false };
    await withReader(chain, async ({ reader, node, clock }) => {
      await reader.recent(signal);
      clock.setBack(3_600_000);
      chain.slotIndex += 10;
      assert.equal((await reader.recent(signal)).slotIndex, 100_010n);
      assert.equal((await reader.recent(signal)).slotIndex, 100_010n);
      assert.equal(node.count('getEpochInfo'), 2);
      clock.advance(1_500);
      await reader.recent(signal);
      await node.asked('getEpochInfo', 3);
    });
  });

  it('an active switch is never served from memory', async () => {
    const chain: Chain = { epoch: 800, slotIndex: 100_000, rewards: true };
    await withReader(chain, async ({ reader }) => {
      assert.equal((await reader.recent(signal)).epochRewardsActive, true);
      chain.rewards = false;
      assert.equal((await reader.recent(signal)).epochRewardsActive, false);
    });
  });
});

describe('isStillTrue', () => {
  const position = (changes: Partial<EpochPosition>): EpochPosition => ({
    epoch: 800n,
    absoluteSlot: 1n,
    blockHeight: 1n,
    slotIndex: 1_000n,
    slotsInEpoch: 432_000n,
    readAtMs: 0,
    slotDurationMs: 200,
    fastestSlotMs: 150,
    slowestSlotMs: 400,
    epochRewardsActive: false,
    unixTimestamp: 0n,
    ...changes,
  });
  const cases: readonly [string, Partial<EpochPosition>, number, boolean][] = [
    ['in the middle of an epoch', {}, 0, true],
    ['at two seconds', {}, 2_000, true],
    ['past two seconds', {}, 2_001, false],
    ['when the clock was set back since', {}, -1, false],
    ['while rewards are active', { epochRewardsActive: true }, 0, false],
    ['more than a second before the earliest boundary', { slotIndex: 431_990n }, 500, true],
    ['within a second of the earliest boundary', { slotIndex: 431_990n }, 501, false],
    ['in the first second of an epoch', { slotIndex: 5n }, 0, false],
    ['after the first second of an epoch', { slotIndex: 6n }, 0, true],
  ];
  for (const [name, changes, nowMs, expected] of cases) {
    it(`${name}: ${expected ? 'yes' : 'no'}`, () =>
      assert.equal(isStillTrue(position(changes), nowMs), expected));
  }
});
