// Reads the finalized position: epoch, slot, time and rewards status at one slot.
import type { ClusterState } from '../ports.ts';

export interface FinalizedPosition {
  readonly epoch: bigint;
  readonly slot: bigint;
  readonly firstSlot: bigint;
  readonly slotsInEpoch: bigint;
  /** Time of the Clock sysvar, in seconds. */
  readonly unixTimestamp: bigint;
  readonly epochRewardsActive: boolean;
}

/** Reads the position. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no node responds. */
export const readFinalizedPosition = async (
  cluster: Pick<ClusterState, 'readChainSnapshot'>,
  signal: AbortSignal,
): Promise<FinalizedPosition> => {
  const { position } = await cluster.readChainSnapshot([], { signal, commitment: 'finalized' });
  const { epoch, absoluteSlot, slotIndex, slotsInEpoch, unixTimestamp, epochRewardsActive } = position;
  return {
    epoch,
    slotsInEpoch,
    unixTimestamp,
    epochRewardsActive,
    slot: absoluteSlot,
    firstSlot: absoluteSlot - slotIndex,
  };
};
