// A cached position is returned only while it is certain to be valid.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { snapshotOf } from '../../../test/support/chain-snapshots.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import type { EpochPosition } from '../ports.ts';
import { createLastSnapshot, isPositionValid } from './last-snapshot.ts';

const signal = new AbortController().signal;

/** A chain that responds immediately. Tests change `chain` to change its next response. */
const openLast = () => {
  const clock = createManualClock();
  const chain = { slotIndex: 100_000n, epochRewardsActive: false };
  let reads = 0;
  const read = async () => {
    reads += 1;
    const snapshot = snapshotOf({ ...chain, readAtMs: clock.now() });
    await Promise.resolve();
    last.note(snapshot);
    return snapshot;
  };
  const last = createLastSnapshot({ read, clock, signal });
  const slotIndex = async () => (await last.recentPosition(signal)).slotIndex;
  return { clock, chain, last, slotIndex, reads: () => reads };
};

describe('the last snapshot', () => {
  it('is read again once it may be outdated', async () => {
    const { clock, chain, slotIndex, reads } = openLast();
    assert.equal(await slotIndex(), 100_000n);
    clock.advance(900);
    await slotIndex();
    assert.equal(reads(), 1);
    clock.advance(1_200);
    chain.slotIndex = 100_010n;
    assert.equal(await slotIndex(), 100_010n);
    assert.equal(reads(), 2);
  });

  it('is refreshed in the background from half its lifetime on, while callers still get the cached one', async () => {
    const { clock, chain, slotIndex, reads } = openLast();
    await slotIndex();
    clock.advance(1_500);
    chain.slotIndex = 100_010n;
    assert.equal(await slotIndex(), 100_000n);
    assert.equal(reads(), 2);
    assert.equal(await slotIndex(), 100_010n);
  });

  it('a caller that accepts an older position gets it without a refresh, but not across a boundary', async () => {
    const { clock, chain, last, slotIndex, reads } = openLast();
    await slotIndex();
    clock.advance(10_000);
    await last.recentPosition(signal, 10_000);
    assert.equal(reads(), 1);
    clock.advance(1);
    chain.slotIndex = 431_990n;
    await last.recentPosition(signal, 10_000);
    clock.advance(8_000);
    await last.recentPosition(signal, 10_000);
    assert.equal(reads(), 3);
  });

  it('a newer position from another reader is used, and an older position that arrives later is ignored', async () => {
    const { clock, last, slotIndex, reads } = openLast();
    clock.advance(500);
    last.note(snapshotOf({ slotIndex: 7_000n, readAtMs: clock.now() }));
    last.note(snapshotOf({ slotIndex: 6_000n, readAtMs: clock.now() - 100 }));
    assert.equal(await slotIndex(), 7_000n);
    assert.equal(reads(), 0);
  });

  it('a position read before the clock was set back counts as stale and is replaced by the next read', async () => {
    const { clock, chain, slotIndex, reads } = openLast();
    await slotIndex();
    clock.setBack(3_600_000);
    chain.slotIndex = 100_010n;
    assert.equal(await slotIndex(), 100_010n);
    assert.equal(await slotIndex(), 100_010n);
    assert.equal(reads(), 2);
  });

  it('a position with active rewards is never served from memory', async () => {
    const { chain, last } = openLast();
    chain.epochRewardsActive = true;
    assert.equal((await last.recentPosition(signal)).epochRewardsActive, true);
    chain.epochRewardsActive = false;
    assert.equal((await last.recentPosition(signal)).epochRewardsActive, false);
  });

  it('is returned up to the age that the caller accepts, even near the boundary', async () => {
    const { clock, chain, last, reads } = openLast();
    chain.slotIndex = 431_999n;
    await last.within(60_000, signal);
    clock.advance(59_999);
    await last.within(60_000, signal);
    assert.equal(reads(), 1);
    clock.advance(1);
    await last.within(60_000, signal);
    assert.equal(reads(), 2);
  });
});

describe('isPositionValid', () => {
  const position = (changes: Partial<EpochPosition>): EpochPosition => ({
    epoch: 800n,
    absoluteSlot: 1n,
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
    ['after the clock was set back', {}, -1, false],
    ['while rewards are active', { epochRewardsActive: true }, 0, false],
    ['more than a second before the earliest boundary', { slotIndex: 431_990n }, 500, true],
    ['within a second of the earliest boundary', { slotIndex: 431_990n }, 501, false],
    ['in the first second of an epoch', { slotIndex: 5n }, 0, false],
    ['after the first second of an epoch', { slotIndex: 6n }, 0, true],
  ];
  for (const [name, changes, nowMs, expected] of cases) {
    it(`${name}: ${expected ? 'yes' : 'no'}`, () =>
      assert.equal(isPositionValid(position(changes), nowMs), expected));
  }
});
