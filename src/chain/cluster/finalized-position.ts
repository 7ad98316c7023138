// Where the finalized chain stands: epoch, slot, time and the rewards switch, read of one epoch or not at all.
import { AppError } from '../../kernel/app-error.ts';
import type { SolanaReads } from '../ports.ts';
import { epochInfoCall } from '../rpc/rpc-calls.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';
import { readClockSysvars } from './clock-sysvars.ts';

/** The finalized chain at one moment. */
export interface FinalizedPosition {
  readonly epoch: bigint;
  readonly slot: bigint;
  readonly firstSlot: bigint;
  readonly slotsInEpoch: bigint;
  /** The Clock sysvar's time, seconds. */
  readonly unixTimestamp: bigint;
  readonly epochRewardsActive: boolean;
}

/**
 * Reads epoch info and sysvars at `finalized`. Null where a boundary passed between the two: read again a little later. Throws
 * `AppError('UPSTREAM_UNAVAILABLE')`.
 */
export const readFinalizedPosition = async (
  pool: Pick<RpcPool, 'call'>,
  reads: Pick<SolanaReads, 'accounts'>,
  signal: AbortSignal,
): Promise<FinalizedPosition | null> => {
  const info = await pool.call(epochInfoCall('finalized'), { signal }).catch((error: unknown) => {
    throw asUnavailable(error);
  });
  // Asked after the slot is known, so that the switch is never older than the slot it is paired with.
  const sysvars = await readClockSysvars(reads, {
    signal,
    commitment: 'finalized',
    minContextSlot: info.absoluteSlot,
  });
  if (sysvars === null)
    throw new AppError('UPSTREAM_UNAVAILABLE', 'The RPC gives no clock of the cluster.', {
      retryAfterSeconds: 1,
    });
  const { epoch, ...rest } = sysvars;
  if (epoch !== info.epoch) return null;
  return {
    ...rest,
    epoch,
    slot: info.absoluteSlot,
    firstSlot: info.absoluteSlot - info.slotIndex,
    slotsInEpoch: info.slotsInEpoch,
  };
};
