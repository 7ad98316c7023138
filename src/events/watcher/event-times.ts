// Assigns timestamps to the events of one pass in chain order, later than all earlier ones.
import { firstSlotOf } from '../../domain/epoch-of-slot.ts';
import type { StakeFact } from '../../domain/stake/stake-event-facts.ts';
import type { NewEvent } from '../../store/outbox/outbox.ts';

/** When something came about, as far as the chain tells. */
export interface Moment {
  readonly slot: bigint;
  /** At a boundary, the slot's first: what it made true, then the end of the epoch; then what transactions of the slot did. */
  readonly phase: 'boundary' | 'epoch-end' | 'transactions';
  /** Among what came about at once: the place among the facts of its account. */
  readonly order: number;
}

/** An event that has a place in the order, and no time yet. */
export interface UntimedEvent extends Omit<NewEvent, 'atMs' | 'dueAtMs'> {
  readonly moment: Moment;
}

type Grid = Parameters<typeof firstSlotOf>[1];

const PHASES: readonly Moment['phase'][] = ['boundary', 'epoch-end', 'transactions'];

/** A clock that was set back by more begins a new order: times that far in the future would mislead more than they order. */
const MOST_AHEAD_MS = 60_000;

/** When a fact came about. A lockup's clock time is no slot: what waited for it counts from its other conditions. `order`: its place among the facts of its account. */
export const momentOf = (
  { stamp, period, deactivationEpoch }: StakeFact,
  grid: Grid,
  order: number,
): Moment => {
  const since = period.since === null ? [] : [period.since.slot];
  const landed = [...stamp.slots, ...since].reduce((a, b) => (a > b ? a : b), 0n);
  const boundary = stamp.epoch === undefined ? 0n : firstSlotOf(stamp.epoch, grid);
  if (boundary <= landed) return { slot: landed, phase: 'transactions', order };
  // Where the slot of a deactivation is not known its epoch stands for it; no boundary did it.
  return { slot: boundary, phase: stamp.epoch === deactivationEpoch ? 'transactions' : 'boundary', order };
};

/** The order of an epoch's end: after all that its boundary made true. */
export const momentOfEnd = (epoch: bigint, grid: Grid): Moment => ({
  slot: firstSlotOf(epoch + 1n, grid),
  phase: 'epoch-end',
  order: 0,
});

const compare = (a: Moment, b: Moment): number => {
  if (a.slot !== b.slot) return a.slot < b.slot ? -1 : 1;
  return PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase) || a.order - b.order;
};

interface Placed {
  readonly event: UntimedEvent;
  readonly place: number;
}

/** Places count from 0 and leave none out; what came about at once shares one. */
const placed = (events: readonly UntimedEvent[]): readonly Placed[] => {
  let place = 0;
  return events
    .toSorted((a, b) => compare(a.moment, b.moment))
    .map((event, at, all) => {
      const before = all[at - 1];
      if (before && compare(before.moment, event.moment) !== 0) place += 1;
      return { event, place };
    });
};

/** Gives all events of one look their times, the earliest first. `lastAtMs`: the latest time that any event was given before, by whichever process; 0: none. */
export const timeEvents = (
  events: readonly UntimedEvent[],
  nowMs: number,
  lastAtMs: number,
): readonly NewEvent[] => {
  const all = [...Map.groupBy(events, ({ registrationId }) => registrationId).values()].flatMap(placed);
  const afterMs = lastAtMs > nowMs + MOST_AHEAD_MS ? 0 : lastAtMs + 1;
  // Not before what was found, which came about before now.
  const beginMs = Math.max(nowMs, afterMs);
  return all
    .toSorted((a, b) => a.place - b.place)
    .map(({ event: { moment: _, ...event }, place }) => {
      const atMs = beginMs + place;
      // Order needs times that are not there yet, a millisecond apart; nobody waits for them.
      return atMs > nowMs ? { ...event, atMs, dueAtMs: nowMs } : { ...event, atMs };
    });
};
