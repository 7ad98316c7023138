// Block rewards are complete or marked as incomplete. A block that no node has is never mistaken for a
// skipped slot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '../../test/support/patience.ts';
import { exampleKey } from '../../test/support/plan-context.ts';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { openTestStore } from '../../test/support/store-fixture.ts';
import type { Scope } from '../../test/support/temporary-folder.ts';
import type { EpochPosition } from '../chain/ports.ts';
import { beginReadingBlockRewards, createBlockRewardsCheck } from './read-block-rewards.ts';

const signal = patience();
const QUARTER_MS = 15 * 60_000;
const EPOCH_SLOTS = 1_000n;

/**
 * Epochs have 1,000 slots. The validator leads the first 40 slots of each, and every block pays it 5
 * lamports.
 */
const open = async (scope: Scope) => {
  const clock = createManualClock();
  const { samples } = await openTestStore(scope);
  const world = {
    /** Slots without a block, as counted by the cluster. */
    skipped: new Set<bigint>(),
    /** Blocks that the node has lost. It responds as for skipped slots. */
    lost: new Set<bigint>(),
    /** Blocks that the node reports as unavailable. */
    pruned: new Set<bigint>(),
    fee: 5n,
    asked: [] as bigint[],
  };
  const sources = {
    clock,
    samples,
    chain: {
      leaderSlots: async (_identity: string, firstSlot: bigint) =>
        Array.from({ length: 40 }, (_, at) => firstSlot + BigInt(at)),
      blocksBetween: async (_identity: string, first: bigint, last: bigint) =>
        Number(last - first) + 1 - [...world.skipped].filter((slot) => slot >= first && slot <= last).length,
    },
    rewards: {
      blockRewardLamports: async (slot: bigint) => {
        world.asked.push(slot);
        if (world.pruned.has(slot)) return null;
        return world.skipped.has(slot) || world.lost.has(slot) ? 'missing' : world.fee;
      },
    },
  } as unknown as Parameters<typeof beginReadingBlockRewards>[0];
  const at = (slot: bigint): EpochPosition =>
    ({
      epoch: slot / EPOCH_SLOTS,
      absoluteSlot: slot,
      slotIndex: slot % EPOCH_SLOTS,
      slotsInEpoch: EPOCH_SLOTS,
    }) as EpochPosition;
  const begin = () => {
    const read = beginReadingBlockRewards(sources);
    return (slot: bigint) => read(exampleKey(1), at(slot), signal);
  };
  const figures = async (epoch: bigint) => {
    const row = (await samples.epochs(9)).find((one) => one.epoch === epoch);
    return [row?.blockRewardsLamports, row?.leaderSlotsUnread];
  };
  await samples.recordEpochs([{ epoch: 7n }]);
  return { clock, samples, world, begin, figures };
};

test('block rewards are read from final blocks, a few at a time and each block only once, even after another process has taken over', async (t) => {
  const { world, begin, figures } = await open(t);
  const read = begin();
  await read(7_050n);
  assert.deepEqual([await figures(7n), world.asked], [[null, null], []], 'no block is final yet');
  await read(7_073n);
  assert.deepEqual(await figures(7n), [50n, 30]);
  await read(7_900n);
  assert.deepEqual(await figures(7n), [130n, 14]);
  const other = begin();
  await other(7_901n);
  await other(7_902n);
  assert.deepEqual(await figures(7n), [200n, 0]);
  assert.deepEqual(
    world.asked,
    Array.from({ length: 40 }, (_, at) => 7_000n + BigInt(at)),
  );
});

test('skipped slots pay nothing, but a lost block leaves the sum incomplete until a node has it', async (t) => {
  const { clock, world, begin, figures } = await open(t);
  world.skipped.add(7_003n);
  world.lost.add(7_020n);
  const read = begin();
  await read(7_900n);
  assert.deepEqual(await figures(7n), [75n, 24]);
  await read(7_901n);
  await read(7_902n);
  assert.deepEqual(await figures(7n), [75n, 24]);
  assert.equal(world.asked.length, 32, 'not requested again within a quarter of an hour');
  world.lost.clear();
  clock.advance(QUARTER_MS);
  await read(7_903n);
  assert.deepEqual(await figures(7n), [155n, 8]);
});

test('the income of an epoch whose blocks are unavailable stays unknown', async (t) => {
  const { world, begin, figures } = await open(t);
  world.pruned.add(7_000n);
  await begin()(7_900n);
  assert.deepEqual(await figures(7n), [null, null]);
  assert.deepEqual(world.asked, [7_000n], 'the first missing block is enough');
});

test('if a node reports no rewards, the income is unknown rather than zero', async (t) => {
  const { world, begin, figures } = await open(t);
  world.fee = 0n;
  await begin()(7_900n);
  assert.deepEqual(await figures(7n), [null, null]);
});

test('the last slots of an epoch are read in the next one, before that epoch’s own slots', async (t) => {
  const { samples, begin, figures } = await open(t);
  const read = begin();
  for (const slot of [7_080n, 7_090n]) await read(slot);
  assert.deepEqual(await figures(7n), [135n, 13]);
  await samples.recordEpochs([{ epoch: 8n }]);
  await read(8_070n);
  assert.deepEqual(
    [await figures(7n), await figures(8n)],
    [
      [200n, 0],
      [null, null],
    ],
  );
  await read(8_070n);
  assert.deepEqual(await figures(8n), [35n, 33]);
});

test('an epoch that ended before reading began is skipped', async (t) => {
  const { samples, begin, figures } = await open(t);
  await samples.recordEpochs([{ epoch: 8n }]);
  await begin()(8_900n);
  assert.deepEqual(
    [await figures(7n), await figures(8n)],
    [
      [null, null],
      [80n, 24],
    ],
  );
});

test('a node that serves blocks without rewards is recognized by a single final block, while skipped and pruned blocks reveal nothing', async () => {
  const paying = async (...rewards: readonly (bigint | 'missing' | null)[]) => {
    const asked: bigint[] = [];
    const check = createBlockRewardsCheck({
      clock: createManualClock(),
      lifetime: new AbortController().signal,
      cluster: { recentEpochPosition: async () => ({ absoluteSlot: 164n }) },
      rewards: {
        blockRewardLamports: async (slot: bigint) => {
          asked.push(slot);
          return rewards[asked.length - 1] ?? null;
        },
      },
    } as unknown as Parameters<typeof createBlockRewardsCheck>[0]);
    const isServed = await check(signal).catch((error: { code: string }) => error.code);
    return [isServed, asked.length, asked[0]];
  };
  assert.deepEqual(await paying(5_000n), [true, 1, 100n]);
  assert.deepEqual(await paying(0n), [false, 1, 100n]);
  assert.deepEqual(await paying('missing', null, 'missing', 'missing', 7n), [true, 5, 100n]);
  assert.deepEqual(await paying(), ['UPSTREAM_UNAVAILABLE', 8, 100n]);
});
