// Assigns timestamps to the events of one poll in chain order, later than all earlier timestamps.
import { firstSlotOf } from '../../domain/epoch-of-slot.ts';
import type { StakeFact } from '../../domain/stake/detect-stake-events.ts';
import type { NewEvent } from '../../store/outbox/outbox.ts';

export interface ChainTime {
  readonly slot: bigint;
  /**
   * Order at a boundary: first what the boundary caused, then the end of the epoch, then transactions in its
   * first slot.
   */
  readonly phase: 'boundary' | 'epoch-end' | 'transactions';
  /** Position among facts of the same account with the same time. */
  readonly order: number;
}

/** An event that has no timestamp yet. */
export interface UntimedEvent extends Omit<NewEvent, 'atMs' | 'dueAtMs'> {
  readonly chainTime: ChainTime;
}

type Grid = Parameters<typeof firstSlotOf>[1];

const PHASES: readonly ChainTime['phase'][] = ['boundary', 'epoch-end', 'transactions'];

/**
 * Maximum time by which timestamps may be ahead of the clock, in ms. If the clock was set back by more, the
 * order starts again, because timestamps that far in the future would be misleading.
 */
const MAX_AHEAD_MS = 60_000;

/**
 * Returns the time on chain of a fact. The end of a lockup by time has no slot, so such a fact is dated by its
 * other causes. `order` is the position among the facts of the account.
 */
export const chainTimeOf = (
  { stamp, period, deactivationEpoch }: StakeFact,
  grid: Grid,
  order: number,
): ChainTime => {
  const since = period.since === null ? [] : [period.since.slot];
  const landed = [...stamp.slots, ...since].reduce((a, b) => (a > b ? a : b), 0n);
  const boundary = stamp.epoch === undefined ? 0n : firstSlotOf(stamp.epoch, grid);
  if (boundary <= landed) return { slot: landed, phase: 'transactions', order };
  // A deactivation with an unknown slot is dated by its epoch. Deactivations do not happen at a boundary.
  return { slot: boundary, phase: stamp.epoch === deactivationEpoch ? 'transactions' : 'boundary', order };
};

/** Returns the time on chain of an epoch's end, which comes after everything that its boundary caused. */
export const chainTimeOfEpochEnd = (epoch: bigint, grid: Grid): ChainTime => ({
  slot: firstSlotOf(epoch + 1n, grid),
  phase: 'epoch-end',
  order: 0,
});

const compare = (a: ChainTime, b: ChainTime): number => {
  if (a.slot !== b.slot) return a.slot < b.slot ? -1 : 1;
  return PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase) || a.order - b.order;
};

interface Placed {
  readonly event: UntimedEvent;
  readonly place: number;
}

/**
 * Returns the position of each event in chain order, starting at 0 and without gaps. Simultaneous facts share
 * a position.
 */
const placed = (events: readonly UntimedEvent[]): readonly Placed[] => {
  let place = 0;
  return events
    .toSorted((a, b) => compare(a.chainTime, b.chainTime))
    .map((event, at, all) => {
      const before = all[at - 1];
      if (before && compare(before.chainTime, event.chainTime) !== 0) place += 1;
      return { event, place };
    });
};

/**
 * Assigns timestamps to all events of one poll, earliest first. `lastAtMs` is the latest timestamp assigned
 * before, by any process; 0 if there is none.
 */
export const timeEvents = (
  events: readonly UntimedEvent[],
  nowMs: number,
  lastAtMs: number,
): readonly NewEvent[] => {
  const all = [...Map.groupBy(events, ({ registrationId }) => registrationId).values()].flatMap(placed);
  const afterMs = lastAtMs > nowMs + MAX_AHEAD_MS ? 0 : lastAtMs + 1;
  const beginMs = Math.max(nowMs, afterMs);
  return all
    .toSorted((a, b) => a.place - b.place)
    .map(({ event: { chainTime: _, ...event }, place }) => {
      const atMs = beginMs + place;
      // Timestamps slightly in the future keep the order, a millisecond apart. Deliveries do not wait for them.
      return atMs > nowMs ? { ...event, atMs, dueAtMs: nowMs } : { ...event, atMs };
    });
};
