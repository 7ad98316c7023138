// Holds the last snapshot and decides how long its position may be reused.
import { ageMs, type Clock } from '../../kernel/clock.ts';
import type { ChainSnapshot, EpochPosition } from '../ports.ts';

/** A recent position is at most this old, and renewed in the background from half of it on, ms. */
const RECENT_MS = 2_000;
/** This close to an epoch boundary a recent position is read anew, ms. */
const BOUNDARY_MS = 1_000;

/** True when `position` may be shown at `nowMs` though it was read before: no boundary can have passed, no rewards run, the clock was not set back. */
export const isStillTrue = (position: EpochPosition, nowMs: number): boolean => {
  if (ageMs(position.readAtMs, nowMs) > RECENT_MS || position.epochRewardsActive) return false;
  const slotsLeft = Number(position.slotsInEpoch - position.slotIndex);
  if (nowMs > position.readAtMs + slotsLeft * position.fastestSlotMs - BOUNDARY_MS) return false;
  return Number(position.slotIndex) * position.slotDurationMs > BOUNDARY_MS;
};

/** The last snapshot with the time it was read. */
interface LastSnapshotDeps {
  /** Reads the chain now, without accounts, and gives it to `note`. */
  readonly read: (signal: AbortSignal) => Promise<ChainSnapshot>;
  readonly clock: Clock;
  /** Ends background renewals. */
  readonly signal: AbortSignal;
}

/** Creates the memory of the last snapshot. */
export const createLastSnapshot = ({ read, clock, signal: closing }: LastSnapshotDeps) => {
  let last: ChainSnapshot | undefined;
  return {
    note: (snapshot: ChainSnapshot): void => {
      const isNewest = last === undefined || snapshot.position.readAtMs >= last.position.readAtMs;
      if (isNewest || last!.position.readAtMs > clock.now()) last = snapshot;
    },
    /** A position at most 2 s old, see `isStillTrue`. */
    recentPosition: async (signal: AbortSignal): Promise<EpochPosition> => {
      signal.throwIfAborted();
      const nowMs = clock.now();
      if (last === undefined || !isStillTrue(last.position, nowMs)) return (await read(signal)).position;
      if (nowMs - last.position.readAtMs > RECENT_MS / 2) read(closing).catch(() => undefined);
      return last.position;
    },
    /** The snapshot read last where it is no older than this, else one read now. */
    within: async (mostMs: number, signal: AbortSignal): Promise<ChainSnapshot> => {
      signal.throwIfAborted();
      return last !== undefined && ageMs(last.position.readAtMs, clock.now()) < mostMs ? last : read(signal);
    },
  };
};
