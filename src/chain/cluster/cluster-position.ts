// Where the cluster stands in its epoch: slot, height, time and the EpochRewards switch, read of one epoch or not at all.

import { ageMs } from '../../kernel/age.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { EpochPosition, SolanaReads } from '../ports.ts';
import { epochInfoCall } from '../rpc/rpc-calls.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';
import { readClockSysvars } from './clock-sysvars.ts';
import type { createSlotTimer } from './cluster-slot-time.ts';

/** A recent position is at most this old, and renewed in the background from half of it on, ms. */
const RECENT_MS = 2_000;
/** This close to an epoch boundary a recent position is read anew, ms. */
const BOUNDARY_MS = 1_000;
const TRIES = 4;

/** What positions are read with. */
export interface PositionDeps {
  readonly pool: RpcPool;
  readonly reads: SolanaReads;
  readonly clock: Clock;
  readonly slotTimer: ReturnType<typeof createSlotTimer>;
  /** Called with the epoch of every reading. */
  readonly onEpoch: (epoch: bigint) => void;
}

/**
 * Reads the position once. Epoch info and sysvars are two requests at the same time; if a boundary passed between them they are
 * read again, so that no epoch is paired with the switch of another.
 */
const readPosition = async (deps: PositionDeps, signal: AbortSignal): Promise<EpochPosition> => {
  const { clock } = deps;
  for (let left = TRIES; left > 0; left -= 1) {
    const askedAtMs = clock.now();
    const [info, sysvars, slotTime] = await Promise.all([
      deps.pool.call(epochInfoCall('confirmed'), { signal }),
      readClockSysvars(deps.reads, { signal }),
      deps.slotTimer.get(signal),
    ]);
    const answeredAtMs = clock.now();
    deps.slotTimer.note(info.blockHeight, answeredAtMs);
    if (sysvars === null) break;
    const { epoch, ...rest } = sysvars;
    if (epoch === info.epoch) {
      deps.onEpoch(epoch);
      return { ...info, ...slotTime, ...rest, readAtMs: Math.round((askedAtMs + answeredAtMs) / 2) };
    }
    await clock.sleep(Math.min(Math.max(slotTime.slotDurationMs, 20), 400), signal);
  }
  throw new AppError('UPSTREAM_UNAVAILABLE', 'The RPC gives no consistent position in the epoch.', {
    retryAfterSeconds: 1,
  });
};

/** True when `position` may be shown at `nowMs` though it was read before: no boundary can have passed, no rewards run, the clock was not set back. */
export const isStillTrue = (position: EpochPosition, nowMs: number): boolean => {
  if (ageMs(position.readAtMs, nowMs) > RECENT_MS || position.epochRewardsActive) return false;
  const slotsLeft = Number(position.slotsInEpoch - position.slotIndex);
  if (nowMs > position.readAtMs + slotsLeft * position.fastestSlotMs - BOUNDARY_MS) return false;
  return Number(position.slotIndex) * position.slotDurationMs > BOUNDARY_MS;
};

/** Creates the reader of positions; `signal` ends background renewals. */
export const createPositionReader = (deps: PositionDeps & { readonly signal: AbortSignal }) => {
  let last: EpochPosition | undefined;

  const read = async (signal: AbortSignal): Promise<EpochPosition> => {
    try {
      const position = await readPosition(deps, signal);
      const isNewest = last === undefined || position.readAtMs >= last.readAtMs;
      if (isNewest || last!.readAtMs > deps.clock.now()) last = position;
      return position;
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  return {
    fresh: read,
    recent: async (signal: AbortSignal): Promise<EpochPosition> => {
      signal.throwIfAborted();
      const nowMs = deps.clock.now();
      if (last === undefined || !isStillTrue(last, nowMs)) return read(signal);
      if (nowMs - last.readAtMs > RECENT_MS / 2) read(deps.signal).catch(() => undefined);
      return last;
    },
  };
};
