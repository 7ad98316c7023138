// In the last slot of an epoch (one block in 432,000), any change of time ends the epoch first. Reaching that
// slot on a real chain would take too long, so fakes replace the chain and record their calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccessGate } from '../gateway/access-gate.ts';
import type { RuntimeClient } from '../runtime-client.ts';
import type { EpochBoundary } from './apply-epoch-boundary.ts';
import { EpochEngine } from './epoch-engine.ts';

const EPOCH = 10;

/** Creates an engine in the last slot of epoch 9 and records its calls to the chain in order. */
const atLastSlot = () => {
  const log: string[] = [];
  let blockHeight = 0;
  const client = {
    timeTravelToSlot: async (slot: number) => {
      blockHeight += 1;
      log.push(`slot ${slot - EPOCH * 432_000}`);
      return blockHeight;
    },
    setAccount: async () => undefined,
  } as unknown as RuntimeClient;
  const boundary = {
    end: async ({ epoch }: { epoch: number }) => void log.push(`end of ${epoch}`),
    isPaying: false,
    payAll: async () => undefined,
    setEpochRewardsActive: async (active: boolean) => void log.push(`rewards ${active}`),
  } as unknown as EpochBoundary;
  const options = { slotMs: 400, epochSeconds: 0, startEpoch: EPOCH, epochRewardsBlocks: 1 };
  return { engine: new EpochEngine(client, new AccessGate(), boundary, options), log };
};

test('holding the rewards window ends the epoch and keeps the next epoch’s window open', async () => {
  const { engine, log } = atLastSlot();
  await engine.holdEpochRewards(true);
  assert.deepEqual(log, ['rewards true', 'end of 9', 'slot 0']);
  assert.deepEqual([engine.epoch, engine.epochRewardsActive], [EPOCH, true]);
  await engine.holdEpochRewards(true);
  assert.deepEqual(
    log.slice(3),
    ['rewards true', 'slot 1'],
    'in any other slot it takes one block and does not end the epoch',
  );
});

test('releasing the rewards window ends the epoch and closes the window', async () => {
  const { engine, log } = atLastSlot();
  await engine.holdEpochRewards(false);
  assert.deepEqual(log, ['rewards false', 'end of 9', 'slot 0', 'slot 1', 'slot 2', 'rewards false']);
  assert.equal(engine.epochRewardsActive, false);
});
