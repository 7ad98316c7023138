// Holds the last snapshot and decides how long its position may be reused.
import { ageMs, type Clock } from '../../kernel/clock.ts';
import type { ChainSnapshot, EpochPosition } from '../ports.ts';

/** Default maximum age of a recent position, in ms. From half of that age on, it is refreshed in the background. */
const RECENT_MS = 2_000;
/**
 * Time before and after an epoch boundary, in ms, within which the position is always read from the chain.
 */
const BOUNDARY_MS = 1_000;

/**
 * Returns true if an earlier `position` is still valid at `nowMs`: no boundary can have passed, no rewards are
 * being paid, and the clock was not set back.
 */
export const isPositionValid = (position: EpochPosition, nowMs: number, mostMs = RECENT_MS): boolean => {
  if (ageMs(position.readAtMs, nowMs) > mostMs || position.epochRewardsActive) return false;
  const slotsLeft = Number(position.slotsInEpoch - position.slotIndex);
  if (nowMs > position.readAtMs + slotsLeft * position.fastestSlotMs - BOUNDARY_MS) return false;
  return Number(position.slotIndex) * position.slotDurationMs > BOUNDARY_MS;
};

interface LastSnapshotDeps {
  /** Reads a snapshot without accounts and passes it to `note`. */
  readonly read: (signal: AbortSignal) => Promise<ChainSnapshot>;
  readonly clock: Clock;
  /** Cancels background refreshes when aborted. */
  readonly signal: AbortSignal;
}

export const createLastSnapshot = ({ read, clock, signal: closing }: LastSnapshotDeps) => {
  let last: ChainSnapshot | undefined;
  return {
    note: (snapshot: ChainSnapshot): void => {
      const isNewest = last === undefined || snapshot.position.readAtMs >= last.position.readAtMs;
      if (isNewest || last!.position.readAtMs > clock.now()) last = snapshot;
    },
    /** Returns the newest position read so far, without a call; undefined before the first one. */
    lastPosition: (): EpochPosition | undefined => last?.position,
    /**
     * Returns a position that is at most `mostMs` old; see `isPositionValid`. Refreshes it in the background
     * only if `mostMs` is the default.
     */
    recentPosition: async (signal: AbortSignal, mostMs = RECENT_MS): Promise<EpochPosition> => {
      signal.throwIfAborted();
      const nowMs = clock.now();
      if (last === undefined || !isPositionValid(last.position, nowMs, mostMs))
        return (await read(signal)).position;
      if (mostMs === RECENT_MS && nowMs - last.position.readAtMs > RECENT_MS / 2)
        read(closing).catch(() => undefined);
      return last.position;
    },
    /** Returns the last snapshot if it is at most `mostMs` old, otherwise reads a new one. */
    within: async (mostMs: number, signal: AbortSignal): Promise<ChainSnapshot> => {
      signal.throwIfAborted();
      return last !== undefined && ageMs(last.position.readAtMs, clock.now()) < mostMs ? last : read(signal);
    },
  };
};
