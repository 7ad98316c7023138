import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChainTime, chainTimeOfEpochEnd, timeEvents, type UntimedEvent } from './event-times.ts';

const NOW = 1_800_000_000_000;
const GRID = { epoch: 20n, slotsInEpoch: 1_000n, firstSlot: 20_000n };

let made = 0;
const at = (chainTime: Partial<ChainTime> & { slot: bigint }, registrationId = 'one'): UntimedEvent => {
  made += 1;
  return {
    id: `event-${made}`,
    registrationId,
    type: 'withdraw_ready',
    data: '{}',
    expiresAtMs: null,
    chainTime: { phase: 'transactions', order: 0, ...chainTime },
  };
};
const timesOf = (events: readonly UntimedEvent[], nowMs = NOW, lastAtMs = 0) => {
  const timed = new Map(timeEvents(events, nowMs, lastAtMs).map(({ id, atMs }) => [id, atMs - nowMs]));
  return events.map(({ id }) => timed.get(id));
};

test('at a boundary, its consequences come first, then the end of the epoch, then transactions of its first slot', () => {
  const events = [
    at({ slot: 20_000n, order: 1 }),
    at({ slot: 20_000n }),
    at(chainTimeOfEpochEnd(19n, GRID)),
    at({ slot: 20_000n, phase: 'boundary', order: 3 }),
    at({ slot: 19_999n }),
    at(chainTimeOfEpochEnd(18n, GRID)),
  ];
  assert.deepEqual(timesOf(events), [5, 4, 3, 2, 1, 0]);
  const timed = timeEvents(events, NOW, 0);
  assert.deepEqual(
    timed.map(({ id }) => id),
    events.map(({ id }) => id).toReversed(),
    'events are recorded in this order too, so a killed process has recorded the earlier ones',
  );
});

test('each registration has separate times, and simultaneous events share a time', () => {
  const events = [at({ slot: 5n }), at({ slot: 9n }, 'two'), at({ slot: 5n }), at({ slot: 7n })];
  assert.deepEqual(timesOf(events), [0, 0, 0, 1]);
});

test('no event is dated before the poll that found it, and all events are due immediately, however many there are', () => {
  const events = Array.from({ length: 3_001 }, (_, slot) => at({ slot: BigInt(slot) }));
  const timed = timeEvents(events, NOW, 0);
  assert.deepEqual([timed[0]?.atMs, timed.at(-1)?.atMs], [NOW, NOW + 3_000]);
  assert.ok(timed.every(({ atMs, dueAtMs }) => (dueAtMs ?? atMs) === NOW));
});

test('later events have later times even if the clock was set back a little, and are due immediately', () => {
  const events = [at({ slot: 5n }), at({ slot: 6n })];
  assert.deepEqual(timesOf(events, NOW, NOW + 400), [401, 402]);
  const timed = timeEvents(events, NOW, NOW + 60_000);
  assert.deepEqual(
    timed.map(({ atMs, dueAtMs }) => [atMs - NOW, dueAtMs]),
    [
      [60_001, NOW],
      [60_002, NOW],
    ],
  );
});

test('a clock that was once wrong by years does not affect the times of later events', () => {
  assert.deepEqual(timesOf([at({ slot: 5n })], NOW, NOW + 60_001), [0]);
});
